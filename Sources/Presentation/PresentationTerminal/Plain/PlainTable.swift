/// Rows of text in aligned columns, for pipes and files.
enum PlainTable {
    /// The lines of a table, without blanks at their ends.
    ///
    /// Hangul counts as two columns, as everywhere.
    ///
    /// - Parameters:
    ///   - cells: the rows from the top, each with as many fields as the first.
    ///   - leading: the columns that begin at their left; all others end at their right.
    ///   - endings: what stands behind the columns of each row; empty for none anywhere.
    /// - Returns: a line for each row.
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
