/// Lines that lie over a screen, framed where there is room for a frame.
struct Panel {
    var title: String
    var lines: [[Span]]
    /// The line that must be seen.
    var focus: Int?
    /// How many lines are passed over where not all have room.
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
    }

    /// As many lines as a low screen has room for; the last tells if there are more.
    private func visibleLines(_ count: Int) -> ArraySlice<[Span]> {
        guard count < lines.count, count > 0 else { return lines.prefix(max(count, 0)) }
        if let focus {
            let start = min(max(focus - count / 2, 0), lines.count - count)
            return lines[start..<(start + count)]
        }
        let start = min(max(offset, 0), lines.count - count)
        var seen = Array(lines[start..<(start + count)])
        // What is cut off is told at the edge where it is.
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
