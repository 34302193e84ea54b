public import Domain
public import ViewStates

/// Draws 더보기: settings, version, data notice and licenses.
public enum MoreRenderer: Sendable {
    /// Draws the page about the program.
    ///
    /// - Parameters:
    ///   - about: the content.
    ///   - state: appearance and scroll position.
    ///   - now: for the clock.
    ///   - size: any size.
    ///   - keys: the key bindings.
    ///   - language: the language of labels.
    /// - Returns: a frame of exactly that size.
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
        let text = lines(
            of: about,
            state.look,
            isEnglishOnly: state.isEnglishOnly,
            width: size.columns,
            keys,
            language
        )
        let start = min(max(state.more.offset, 0), max(text.count - rows.count, 0))
        for (line, row) in zip(text.dropFirst(start), rows) {
            var column = 0
            for span in line {
                let room = size.columns - column
                column += page.frame.draw(
                    span.text,
                    row: row,
                    column: column,
                    width: room,
                    style: span.style
                )
            }
        }
        page.drawBottom(error: nil)
        page.drawOverlays()
        return page.frame
    }

    /// How many lines there are, and how many of them a screen of this size shows at once.
    public static func extent(
        of about: AboutViewState,
        look: ScreenAppearance,
        size: TerminalSize,
        language: Language
    ) -> (lines: Int, rows: Int) {
        (
            // How many they are does not depend on what their keys are called, nor on what there
            // is to choose.
            lines(
                of: about,
                look,
                isEnglishOnly: false,
                width: size.columns,
                .screens,
                language
            ).count,
            rows(MarketListLayout(size)).count
        )
    }

    /// The rows between title and bottom line.
    private static func rows(_ layout: MarketListLayout) -> Range<Int> {
        (layout.title + 1)..<max(layout.rows.upperBound, layout.title + 1)
    }

    private static func lines(
        of about: AboutViewState,
        _ look: ScreenAppearance,
        isEnglishOnly: Bool,
        width: Int,
        _ keys: KeyTable,
        _ language: Language
    ) -> [[Span]] {
        var lines: [[Span]] = []
        func add(_ text: String, indent: Int = 2, _ style: CellStyle = .plain) {
            let blank = String(repeating: " ", count: indent)
            lines += TextWidth.wrapped(text, to: max(width - indent, 2))
                .map { [Span(blank + $0, style)] }
        }
        func heading(_ text: LocalizedText) {
            if !lines.isEmpty { lines.append([Span("")]) }
            add(text[language], indent: 0, .bold)
        }
        heading(PageStrings.settings)
        lines += settings(look, isEnglishOnly, width: width, keys, language)
        heading(
            LocalizedText(ko: MarketListStrings.program, en: MarketListStrings.program)
        )
        add(PageStrings.version[language] + " " + about.version)
        add(PageStrings.commit[language] + " " + about.commit)
        heading(PageStrings.notice)
        add(about.notice)
        if !about.authors.isEmpty {
            heading(PageStrings.authors)
            for author in about.authors { add(author) }
        }
        heading(PageStrings.licenses)
        for license in about.licenses {
            let name = [license.name, license.version].compactMap { $0 }.joined(separator: " ")
            add(name + " · " + license.license)
            add(license.text, indent: 4, .dim)
        }
        return lines
    }

    /// A line per setting: key, name and values with the selected one in brackets.
    ///
    /// If they do not fit, only the selected value.
    private static func settings(
        _ look: ScreenAppearance,
        _ isEnglishOnly: Bool,
        width: Int,
        _ keys: KeyTable,
        _ language: Language
    ) -> [[Span]] {
        let names = AppearanceSetting.allCases.map { PageStrings.choice($0)[language] }
        let nameColumns = names.map { TextWidth.columns($0) }.max() ?? 0
        return zip(AppearanceSetting.allCases, names).map { choice, name in
            let key = keys.bindings
                .first { $0.action == .more(.change(choice)) }?.keys.first.map(keys.label(of:))
            let lead = [
                Span("  " + (key ?? " "), CellStyle(.accent, emphasis: .bold)),
                Span("  " + TextWidth.leading(name, in: nameColumns) + " "),
            ]
            if choice == .language, isEnglishOnly {
                // No choice, so no key.
                let blank = Span(String(repeating: " ", count: TextWidth.columns(lead[0].text)))
                return [blank, lead[1], .tab("English", isOpen: true), Span("ASCII has no other")]
            }
            let values = PageStrings.values(choice, of: look)
            let all = values.map { Span.tab($0.name[language], isOpen: $0.isChosen) }
            if (lead + all).columns <= width { return lead + all }
            return lead + zip(values, all).compactMap { $0.isChosen ? $1 : nil }
        }
    }
}
