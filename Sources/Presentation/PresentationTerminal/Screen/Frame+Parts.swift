extension Frame {
    /// Draws everything in a rectangle weakly: it is of an earlier moment.
    mutating func weaken(_ area: FrameArea) {
        let area = area.clamped(to: FrameArea(size))
        for row in area.rows {
            for column in area.columns {
                let index = row * size.columns + column
                cells[index].style = cells[index].style.adding(.dim)
            }
        }
    }

    /// Copies another picture into a place of this one, with its cursor and what its parts are
    /// about.
    ///
    /// What lies outside is cut off, and a wide character of which half would be cut off turns
    /// blank.
    mutating func put(_ part: Frame, row first: Int, column: Int) {
        let columns = (column..<(column + part.size.columns)).clamped(to: 0..<size.columns)
        for row in 0..<part.size.rows where (0..<size.rows).contains(first + row) {
            // Of characters that lie across its edges this picture keeps no half.
            for edge in [columns.lowerBound, columns.upperBound - 1] where !columns.isEmpty {
                fill(row: first + row, columns: edge..<(edge + 1))
            }
            let start = (first + row) * size.columns
            for target in columns {
                let cell = part.cells[row * part.size.columns + target - column]
                let isCut =
                    (cell.columns == 2 && target + 1 == columns.upperBound)
                    || (cell.isRightHalf && target == columns.lowerBound)
                cells[start + target] =
                    isCut ? Cell(base: 0x20, columns: 1, style: cell.style) : cell
            }
        }
        for mark in part.targets {
            let area = mark.area
            self.mark(
                mark.target,
                rows: (area.rows.lowerBound + first)..<(area.rows.upperBound + first),
                columns: (area.columns.lowerBound + column)..<(area.columns.upperBound + column)
            )
        }
        guard let place = part.cursor, columns.contains(column + place.column),
            (0..<size.rows).contains(first + place.row)
        else { return }
        cursor = Position(row: first + place.row, column: column + place.column)
    }
}
