import Domain
import ViewStates

/// The parts shared by all pages: title, bottom line and overlays.
struct PageCanvas {
    let screen: ScreenState
    let now: Timestamp
    let keys: KeyTable
    let language: Language
    let layout: MarketListLayout
    var frame: Frame

    init(
        screen: ScreenState,
        now: Timestamp,
        size: TerminalSize,
        keys: KeyTable,
        language: Language
    ) {
        self.screen = screen
        self.now = now
        self.keys = keys
        self.language = language
        layout = MarketListLayout(size)
        frame = Frame(size: size)
    }

    var width: Int { frame.size.columns }

    /// The rows of a page's list that a form leaves.
    static func rows(_ layout: MarketListLayout, _ screen: ScreenState) -> Range<Int> {
        let form = FormPane.height(of: screen.form)
        let end = max(layout.rows.upperBound - form, layout.rows.lowerBound)
        return layout.rows.lowerBound..<end
    }

    var rows: Range<Int> { Self.rows(layout, screen) }

    /// The first lines of the rows that fit an area completely.
    func firstLines(of area: Range<Int>) -> StrideTo<Int> {
        let end = area.lowerBound + area.count / layout.rowHeight * layout.rowHeight
        return stride(from: area.lowerBound, to: end, by: layout.rowHeight)
    }

    /// Which screen and feed this is, how fresh the data are, and the time.
    mutating func drawTitle(source: SourceViewState?, health: HealthViewState?) {
        let page = PageStrings.page(screen.page)[language]
        let short = PageStrings.shortPage(screen.page)[language]
        let clock = TimeText.clock(now)
        var left = [
            LineSegment(
                [MarketListStrings.program + " " + page, page, short],
                style: CellStyle(.accent, emphasis: .bold),
                rank: 1
            )
        ]
        if let source {
            left.append(
                LineSegment(
                    MarketListStrings.feedNames(source.feed, language),
                    style: source.feed.titleStyle,
                    rank: 0
                )
            )
        }
        var right = [LineSegment([clock + " KST", clock], style: .dim, rank: 4)]
        if let health {
            let words = HealthLabel(
                health: health,
                feed: source?.feed,
                now: now,
                language: language
            )
            // The rows identify the page, but not the age of the data.
            right.insert(LineSegment(words.texts, style: words.style, rank: 0), at: 0)
        }
        FittedLine(left: left, right: right, width: width).draw(in: &frame, row: layout.title)
    }

    /// Draws the current error, else the key hints.
    mutating func drawBottom(error: ErrorViewState?) {
        guard let row = layout.bottom else { return }
        BottomLine.line(
            of: screen,
            error: error,
            now: now,
            width: width,
            keys: keys,
            language: language
        ).draw(in: &frame, row: row)
    }

    /// The help, or a form.
    mutating func drawOverlays() {
        let start = layout.title + 1
        let rows = start..<max(layout.bottom ?? frame.size.rows, start)
        Panel(over: screen, rows: rows, width: width, keys: keys, language: language)?
            .draw(in: &frame, rows: rows)
        FormPane(of: screen, keys: keys, language: language)?
            .draw(in: &frame, above: rows)
    }

    /// Draws lines into the middle of some rows, the page's own ones by default.
    ///
    /// With `top` the first of them is in that row.
    mutating func drawCentered(_ lines: [[Span]], in area: Range<Int>? = nil, top: Int? = nil) {
        let area = area ?? rows
        let top = top ?? area.lowerBound + max((area.count - lines.count) / 2, 0)
        for (line, row) in zip(lines, top..<max(area.upperBound, top)) {
            var column = max((width - line.columns) / 2, 0)
            for span in line {
                column += frame.draw(span.text, row: row, column: column, style: span.style)
            }
        }
    }

    /// Marks all lines of a row as one click target.
    mutating func markRow(_ target: ScreenTarget, line: Int) {
        let end = min(line + layout.rowHeight, rows.upperBound)
        frame.mark(target, rows: line..<max(end, line), columns: 0..<width)
    }

    /// The base style of a row; the selected one has its own background and a marker that needs no
    /// color.
    mutating func beginRow(_ line: Int, isSelected: Bool, isOutdated: Bool) -> CellStyle {
        var base = CellStyle.plain
        if isOutdated { base = base.adding(.dim) }
        guard isSelected else { return base }
        base.background = .selected
        for row in line..<(line + layout.rowHeight) where rows.contains(row) {
            frame.fill(row: row, columns: 0..<width, style: base)
        }
        frame.draw("›", row: line, column: 0, style: base)
        return base
    }

    /// Draws a coin's name, its symbol and a note.
    ///
    /// The note is never dropped; the name is dropped first.
    mutating func drawName(
        _ name: MarketRowViewState.Name,
        code: String,
        note: String? = nil,
        in columns: Range<Int>,
        line: Int,
        base: CellStyle
    ) {
        let own = name[language] ?? ""
        let noteColumns = note.map { TextWidth.columns($0) + 1 } ?? 0
        let nameRoom = columns.count - TextWidth.columns(code) - 1 - noteColumns
        var column = columns.lowerBound
        if !own.isEmpty, nameRoom >= min(TextWidth.columns(own), 4) {
            column += frame.draw(own, row: line, column: column, width: nameRoom, style: base) + 1
        }
        if let note, columns.upperBound > column {
            let room = columns.upperBound - column
            let style = base.adding(.bold)
            column += frame.draw(note, row: line, column: column, width: room, style: style) + 1
        }
        guard columns.upperBound > column else { return }
        frame.draw(
            code,
            row: line,
            column: column,
            width: columns.upperBound - column,
            style: base.adding(.dim)
        )
    }
}

extension TransferViewState? {
    /// A sign for the state that needs no color.
    var mark: String {
        switch self {
        case .normal: "●"
        case .suspended: "○"
        case nil: "-"
        }
    }
}
