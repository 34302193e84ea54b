import Domain
import ViewStates

/// A panel of lines over a screen, framed if there is room.
struct Panel {
    var title: String
    var lines: [[Span]]
    /// The line that must be visible.
    var focus: Int?
    /// The place of the cursor in the lines; nil if the panel is only read.
    var cursor: (line: Int, column: Int)?
    /// The number of lines scrolled past.
    var offset = 0

    /// Draws the panel into the middle of some rows.
    func draw(in frame: inout Frame, rows: Range<Int>) {
        let width = frame.size.columns
        let textColumns = max(
            lines.map(\.columns).max() ?? 0,
            TextWidth.columns(title) + 2
        )
        let isFramed = textColumns + 4 <= width && lines.count + 2 <= rows.count
        let inner = isFramed ? textColumns + 2 : width
        let height = min(lines.count + (isFramed ? 2 : 0), rows.count)
        let left = isFramed ? (width - inner - 2) / 2 : 0
        let top = rows.lowerBound + (rows.count - height) / 2
        if isFramed {
            drawBox(in: &frame, left: left, inner: inner, rows: top..<(top + height))
        }
        let visible = isFramed ? lines[...] : visibleLines(height)
        let start = isFramed ? top + 1 : top
        for (line, row) in zip(visible, start..<max(top + height, start)) {
            var column = left + (isFramed ? 1 : 0)
            frame.fill(row: row, columns: column..<(column + inner))
            if isFramed { column += 1 }
            let end = column + (isFramed ? textColumns : width)
            for span in line {
                let used = frame.draw(
                    span.text,
                    row: row,
                    column: column,
                    width: end - column,
                    style: span.style
                )
                if let target = span.target {
                    frame.mark(target, row: row, columns: column..<(column + used))
                }
                column += used
            }
        }
        if let cursor, cursor.line < visible.count {
            let column = left + (isFramed ? 2 : 0) + cursor.column
            frame.cursor = Frame.Position(row: start + cursor.line, column: column)
        }
    }

    /// The lines that fit; `…` marks more.
    private func visibleLines(_ count: Int) -> ArraySlice<[Span]> {
        guard count < lines.count, count > 0 else { return lines.prefix(max(count, 0)) }
        if let focus {
            let start = min(max(focus - count / 2, 0), lines.count - count)
            return lines[start..<(start + count)]
        }
        let start = min(max(offset, 0), lines.count - count)
        var seen = Array(lines[start..<(start + count)])
        // `…` marks the edges with hidden lines.
        if start > 0 { seen[0] = [Span("…")] }
        if start + count < lines.count { seen[count - 1] = [Span("…")] }
        return seen[...]
    }

    private func drawBox(in frame: inout Frame, left: Int, inner: Int, rows: Range<Int>) {
        let horizontal = String(repeating: "─", count: inner)
        frame.draw("┌" + horizontal + "┐", row: rows.lowerBound, column: left)
        frame.draw(
            " " + title + " ",
            row: rows.lowerBound,
            column: left + 2,
            width: inner - 2,
            style: .bold
        )
        for row in rows.dropFirst().dropLast() {
            frame.draw("│", row: row, column: left)
            frame.draw("│", row: row, column: left + inner + 1)
        }
        frame.draw("└" + horizontal + "┘", row: rows.upperBound - 1, column: left)
    }
}

extension Panel {
    /// The panel of a screen's overlay; nil without one.
    init?(
        over state: ScreenState,
        rows: Range<Int>,
        width: Int,
        keys: KeyTable,
        language: Language
    ) {
        switch state.list.overlay {
        case .help:
            let context = KeyContext(below: state)
            self = Self.help(context, width: width, keys: keys, language: language)
            offset = state.list.help.offset
        case .periods(let marked):
            self = Self.periods(marked, of: state.list.period, rows: rows, language: language)
        case .indicators(let marked):
            guard let chart = state.detail?.chart else { return nil }
            self = Self.indicators(marked, of: chart, language: language)
        case .popularityRule: self = Self.rule(width: width, language: language)
        case .palette(let palette):
            self = Self.palette(palette, rows: rows, width: width, language: language)
        case nil: return nil
        }
    }

    /// How many lines the help has, and how many of them a screen of this size shows at once.
    static func helpExtent(
        over state: ScreenState,
        size: TerminalSize,
        keys: KeyTable,
        language: Language
    ) -> (lines: Int, rows: Int) {
        let panel = help(
            KeyContext(below: state),
            width: size.columns,
            keys: keys,
            language: language
        )
        let bottom =
            state.focusedDetail == nil
            ? listLayout(state, size).bottom : MarketDetailLayout(size).bottom
        return (panel.lines.count, max((bottom ?? size.rows) - 1, 0))
    }

    private static func listLayout(_ state: ScreenState, _ size: TerminalSize) -> MarketListLayout {
        state.page == .market
            ? MarketListLayout(listIn: size, wantsCompact: state.list.wantsCompact)
            : MarketListLayout(size)
    }

    /// The keys of a screen; over a Korean list also what its marks mean, over a book its unit.
    static func help(
        _ context: KeyContext,
        width: Int,
        keys: KeyTable,
        language: Language
    ) -> Panel {
        func lines(isShort: Bool) -> [[Span]] {
            var entries = keys.helpEntries(for: context, isShort: isShort)
                .map { (keys: $0.keys, text: $0.text) }
            if context == .list, language == .korean {
                let marks = [MarketListStrings.warningMark, MarketListStrings.alertMark]
                let text = marks.map { $0[language] }.joined(separator: " ")
                entries.append((keys: text, text: MarketListStrings.marksLegend))
            }
            if context == .book {
                entries.append((keys: "bp", text: DetailStrings.basisPointsLegend))
            }
            let keyColumns = entries.map { TextWidth.columns($0.keys) }.max() ?? 0
            return entries.map { entry in
                [
                    Span(
                        TextWidth.leading(entry.keys, in: keyColumns),
                        CellStyle(.accent, emphasis: .bold)
                    ),
                    Span("  " + entry.text[language]),
                ]
            }
        }
        let long = lines(isShort: false)
        let isTooWide = long.contains { $0.columns > width }
        return Panel(
            title: MarketListStrings.helpTitle[language],
            lines: isTooWide ? lines(isShort: true) : long
        )
    }

    private static func periods(
        _ marked: ChangePeriod,
        of present: ChangePeriod,
        rows: Range<Int>,
        language: Language
    ) -> Panel {
        let periods = ChangePeriod.allCases
        let names = periods.map { MarketListStrings.period($0)[language] }
        let nameColumns = names.map { TextWidth.columns($0) }.max() ?? 0
        var lines = zip(periods, names).map { period, name in
            let isMarked = period == marked
            let check = period == present ? "✓ " : "  "
            let text = (isMarked ? "› " : "  ") + check + TextWidth.leading(name, in: nameColumns)
            let style: CellStyle = isMarked ? CellStyle(emphasis: .reverse) : .plain
            return [Span(text + " ", style, target: .period(period))]
        }
        if rows.count >= lines.count + 3 {
            lines.append([Span(MarketListStrings.periodNote[language], .dim)])
        }
        return Panel(
            title: MarketListStrings.periodTitle[language],
            lines: lines,
            focus: periods.firstIndex(of: marked)
        )
    }

    private static func rule(width: Int, language: Language) -> Panel {
        let columns = min(max(width - 4, 2), 46)
        let lines = TextWidth.wrapped(MarketListStrings.rule[language], to: columns).map {
            [Span($0)]
        }
        return Panel(title: MarketListStrings.ruleTitle[language], lines: lines)
    }
}
