import Domain
import Presentation

extension MarketListCanvas {
    /// What the user has opened over the list, if anything.
    mutating func drawOverlay() {
        switch state.overlay {
        case .help: drawHelp()
        case .periods(let marked): drawPeriods(marked)
        case .popularityRule: drawRule()
        case nil: return
        }
    }

    /// The rows a panel may cover: title and bottom line stay, so that the feed is always named.
    private var panelRows: Range<Int> {
        let start = layout.title + 1
        return start..<max(layout.bottom ?? frame.size.rows, start)
    }

    private mutating func drawHelp() {
        var lines = helpLines(KeyTable.marketList.helpEntries(isShort: false))
        if lines.contains(where: { $0.columns > width }) {
            lines = helpLines(KeyTable.marketList.helpEntries(isShort: true))
        }
        drawPanel(Panel(title: ListWords.helpTitle[language], lines: lines))
    }

    private func helpLines(_ all: [HelpEntry]) -> [[Span]] {
        var entries = all
        // Too low for everything: what the bottom line names anyway is left out.
        if entries.count > panelRows.count {
            entries.removeAll { $0.action == .quit || $0.action == .toggleHelp }
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

    private mutating func drawPeriods(_ marked: ChangePeriod) {
        let periods = ChangePeriod.allCases
        let names = periods.map { ListWords.period($0)[language] }
        let nameColumns = names.map { TextWidth.columns($0) }.max() ?? 0
        var lines = zip(periods, names).map { period, name in
            let isMarked = period == marked
            let check = period == state.period ? "✓ " : "  "
            let text = (isMarked ? "› " : "  ") + check + TextWidth.leading(name, in: nameColumns)
            return [Span(text + " ", isMarked ? CellStyle(emphasis: .reverse) : .plain)]
        }
        if panelRows.count >= lines.count + 3 {
            lines.append([Span(ListWords.periodNote[language], .dim)])
        }
        var panel = Panel(title: ListWords.periodTitle[language], lines: lines)
        panel.focus = periods.firstIndex(of: marked)
        drawPanel(panel)
    }

    private mutating func drawRule() {
        let columns = min(max(width - 4, 2), 46)
        let lines = TextWidth.wrapped(ListWords.rule[language], to: columns).map { [Span($0)] }
        drawPanel(Panel(title: ListWords.ruleTitle[language], lines: lines))
    }

    private mutating func drawPanel(_ panel: Panel) {
        let rows = panelRows
        let textColumns = max(
            panel.lines.map(\.columns).max() ?? 0,
            TextWidth.columns(panel.title) + 2
        )
        let isFramed = textColumns + 4 <= width && panel.lines.count + 2 <= rows.count
        let inner = isFramed ? textColumns + 2 : width
        let height = min(panel.lines.count + (isFramed ? 2 : 0), rows.count)
        let left = isFramed ? (width - inner - 2) / 2 : 0
        let top = rows.lowerBound + (rows.count - height) / 2
        if isFramed {
            drawBox(title: panel.title, left: left, inner: inner, rows: top..<(top + height))
        }
        let visible = isFramed ? panel.lines[...] : panel.visibleLines(height)
        let start = isFramed ? top + 1 : top
        for (line, row) in zip(visible, start..<max(top + height, start)) {
            var column = left + (isFramed ? 1 : 0)
            frame.fill(row: row, columns: column..<(column + inner))
            if isFramed { column += 1 }
            let end = column + (isFramed ? textColumns : width)
            for span in line {
                column += frame.draw(
                    span.text,
                    row: row,
                    column: column,
                    width: end - column,
                    style: span.style
                )
            }
        }
    }

    private mutating func drawBox(title: String, left: Int, inner: Int, rows: Range<Int>) {
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

/// Lines that lie over the list.
private struct Panel {
    var title: String
    var lines: [[Span]]
    /// The line that must be seen.
    var focus: Int?

    /// As many lines as a low screen has room for; the last tells if there are more.
    func visibleLines(_ count: Int) -> ArraySlice<[Span]> {
        guard count < lines.count, count > 0 else { return lines.prefix(max(count, 0)) }
        if let focus {
            let start = min(max(focus - count / 2, 0), lines.count - count)
            return lines[start..<(start + count)]
        }
        return lines.prefix(count - 1) + [[Span("…")]]
    }
}
