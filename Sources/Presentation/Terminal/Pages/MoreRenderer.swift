public import Domain
public import Presentation

/// Draws 더보기: what the program is, what its numbers are worth, and what it is made of.
public enum MoreRenderer: Sendable {
    /// Draws one picture.
    ///
    /// - Parameters:
    ///   - about: what is told.
    ///   - state: how far it is scrolled.
    ///   - now: for the clock.
    ///   - size: any.
    ///   - keys: what is offered.
    ///   - language: of the screen's own words.
    /// - Returns: a picture of exactly that size.
    public static func render(
        about: AboutViewState,
        state: ScreenState,
        now: Timestamp,
        size: TerminalSize,
        keys: KeyTable = .screens,
        language: Language
    ) -> Frame {
        var page = PageCanvas(screen: state, now: now, size: size, keys: keys, language: language)
        page.drawTitle(source: nil, health: nil)
        let rows = rows(page.layout)
        let text = lines(of: about, width: size.columns, language)
        let start = min(max(state.more.offset, 0), max(text.count - rows.count, 0))
        for (line, row) in zip(text.dropFirst(start), rows) {
            page.frame.draw(line.text, row: row, column: 0, width: size.columns, style: line.style)
        }
        page.drawBottom(error: nil)
        page.drawOverlays()
        return page.frame
    }

    /// How many lines there are, and how many of them a screen of this size shows at once.
    public static func extent(
        of about: AboutViewState,
        size: TerminalSize,
        language: Language
    ) -> (lines: Int, rows: Int) {
        (lines(of: about, width: size.columns, language).count, rows(MarketListLayout(size)).count)
    }

    /// Everything between the title and the line of keys.
    private static func rows(_ layout: MarketListLayout) -> Range<Int> {
        (layout.title + 1)..<max(layout.rows.upperBound, layout.title + 1)
    }

    private static func lines(
        of about: AboutViewState,
        width: Int,
        _ language: Language
    ) -> [Span] {
        var lines: [Span] = []
        func add(_ text: String, indent: Int = 2, _ style: CellStyle = .plain) {
            let blank = String(repeating: " ", count: indent)
            lines += TextWidth.wrapped(text, to: max(width - indent, 2))
                .map { Span(blank + $0, style) }
        }
        func heading(_ text: LocalizedText) {
            if !lines.isEmpty { lines.append(Span("")) }
            add(text[language], indent: 0, .bold)
        }
        heading(LocalizedText(korean: ListWords.program, english: ListWords.program))
        add(PageWords.version[language] + " " + about.version)
        add(PageWords.commit[language] + " " + about.commit)
        heading(PageWords.notice)
        add(about.notice)
        if !about.authors.isEmpty {
            heading(PageWords.authors)
            for author in about.authors { add(author) }
        }
        heading(PageWords.licenses)
        for license in about.licenses {
            let name = [license.name, license.version].compactMap { $0 }.joined(separator: " ")
            add(name + " · " + license.license)
            add(license.text, indent: 4, .dim)
        }
        return lines
    }
}
