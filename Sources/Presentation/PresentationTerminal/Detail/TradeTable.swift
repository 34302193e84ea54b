/// Which row of a table's area holds what.
struct TradeTableLayout {
    /// On a lower area the names of the columns are left out.
    private static let headingRowsMin = 4

    /// The names of the columns.
    let heading: Int?
    /// The trades or days.
    let rows: Range<Int>

    init(_ area: FrameArea) {
        let hasHeading = area.rows.count >= Self.headingRowsMin
        heading = hasHeading ? area.rows.lowerBound : nil
        rows = (area.rows.lowerBound + (hasHeading ? 1 : 0))..<area.rows.upperBound
    }
}

/// Places the columns of a table: as wide as their content, as many as fit.
struct TableColumns {
    private static let gapMax = 4

    /// The columns in input order; nil for omitted ones.
    let columns: [Range<Int>?]
    /// The number of leading text columns, which are left-aligned.
    private let wordCount: Int

    /// Places columns from the left.
    ///
    /// - Parameters:
    ///   - widths: the content widths.
    ///   - wordCount: the number of leading text columns.
    ///   - leavingOut: columns that may be omitted, the least important first.
    ///   - room: the available columns.
    init(widths: [Int], wordCount: Int, leavingOut: [Int], room: Range<Int>) {
        self.wordCount = wordCount
        var shown = Set(widths.indices)
        func used() -> Int { shown.reduce(0) { $0 + widths[$1] } }
        for place in leavingOut where used() + shown.count - 1 > room.count {
            shown.remove(place)
        }
        let gaps = max(shown.count - 1, 1)
        let gap = min(max((room.count - used()) / gaps, 1), Self.gapMax)
        var columns: [Range<Int>?] = Array(repeating: nil, count: widths.count)
        var start = room.lowerBound
        for place in widths.indices where shown.contains(place) {
            columns[place] = (start..<(start + widths[place])).clamped(to: room)
            start += widths[place] + gap
        }
        self.columns = columns
    }

    /// Draws one cell for each column.
    func draw(_ cells: [Span], row: Int, in frame: inout Frame) {
        for (place, (cell, columns)) in zip(cells, columns).enumerated() {
            guard let columns else { continue }
            frame.draw(
                cell.text,
                row: row,
                column: columns.lowerBound,
                width: columns.count,
                alignment: place < wordCount ? .leading : .trailing,
                style: cell.style
            )
        }
    }
}
