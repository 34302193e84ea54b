import Testing

@testable import PresentationTerminal

/// Compares a frame with literal lines; trailing spaces and blank lines may be omitted.
func expectLines(
    _ frame: Frame,
    _ literal: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    func trimmed(_ line: Substring) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return String(line)
    }
    let expected = literal.split(separator: "\n", omittingEmptySubsequences: false).map(trimmed)
    let lines = frame.lines.map { trimmed($0[...]) }
    #expect(lines.count == frame.size.rows, sourceLocation: sourceLocation)
    for row in 0..<max(lines.count, expected.count) {
        let line = row < lines.count ? lines[row] : "(no line)"
        let wanted = row < expected.count ? expected[row] : ""
        #expect(line == wanted, "line \(row)", sourceLocation: sourceLocation)
    }
    for line in frame.lines {
        #expect(TextWidth.columns(line) == frame.size.columns, sourceLocation: sourceLocation)
    }
}

/// Compares a rectangle with literal lines; blanks at the ends of lines need not be written.
func expectPart(
    _ frame: Frame,
    rows: Range<Int>,
    columns: Range<Int>,
    _ literal: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let expected = literal.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(expected.count == rows.count, sourceLocation: sourceLocation)
    for (row, wanted) in zip(rows, expected) {
        var part = ""
        var column = 0
        for character in frame.lines[row] {
            let width = TextWidth.columns(String(character))
            if columns.contains(column), column + width <= columns.upperBound {
                part.append(character)
            }
            column += width
        }
        while part.last == " " { part.removeLast() }
        #expect(part == wanted, "line \(row)", sourceLocation: sourceLocation)
    }
    for line in frame.lines {
        #expect(TextWidth.columns(line) == frame.size.columns, sourceLocation: sourceLocation)
    }
}

extension Frame {
    /// The style of the first cell of a text in a row; nil if the row does not hold it.
    func style(of text: String, row: Int) -> CellStyle? {
        guard let range = lines[row].firstRange(of: text) else { return nil }
        let column = TextWidth.columns(String(lines[row][..<range.lowerBound]))
        return style(row: row, column: column)
    }

    /// The number of the first line that holds a text.
    func row(of text: String) -> Int? {
        lines.firstIndex { $0.contains(text) }
    }
}
