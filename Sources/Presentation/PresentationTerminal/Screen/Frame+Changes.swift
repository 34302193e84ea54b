extension Frame {
    /// A stretch of cells in one row.
    public struct Run: Sendable, Hashable {
        /// From the top.
        public let row: Int
        /// The columns; a wide character lies within them whole.
        public let columns: Range<Int>
    }

    /// The stretches that differ from an earlier picture, by row and column.
    ///
    /// Without an earlier picture, or with one of another size, it is every row.
    public func runs(since previous: Frame?) -> [Run] {
        guard let previous, previous.size == size else {
            return (0..<size.rows).map { Run(row: $0, columns: 0..<size.columns) }
        }
        var runs: [Run] = []
        for row in 0..<size.rows {
            let start = row * size.columns
            var column = 0
            while column < size.columns {
                guard cells[start + column] != previous.cells[start + column] else {
                    column += 1
                    continue
                }
                let first = cells[start + column].isRightHalf ? column - 1 : column
                while column < size.columns,
                    cells[start + column] != previous.cells[start + column]
                        || cells[start + column].isRightHalf
                {
                    column += 1
                }
                runs.append(Run(row: row, columns: first..<column))
            }
        }
        return runs
    }
}
