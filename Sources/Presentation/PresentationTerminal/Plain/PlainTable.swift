/// Rows of text in aligned columns, for pipes and files.
enum PlainTable {
    /// Formats a table without trailing spaces.
    ///
    /// Hangul syllables count as two columns.
    ///
    /// - Parameters:
    ///   - cells: the rows, each with as many fields as the first.
    ///   - leading: the left-aligned columns; all others are right-aligned.
    ///   - endings: text after the columns of each row; empty for none.
    /// - Returns: a line per row.
    static func lines(
        _ cells: [[String]],
        leading: ClosedRange<Int>,
        endings: [String] = []
    ) -> [String] {
        let widths = (cells.first ?? []).indices.map { column in
            cells.map { TextWidth.columns($0[column]) }.max() ?? 0
        }
        return cells.enumerated().map { place, fields in
            let line = fields.indices.map { column in
                leading.contains(column)
                    ? TextWidth.leading(fields[column], in: widths[column])
                    : TextWidth.trailing(fields[column], in: widths[column])
            }.joined(separator: "  ")
            let ended = line + (endings.isEmpty ? "" : endings[place])
            return String(ended.reversed().drop { $0 == " " }.reversed())
        }
    }
}
