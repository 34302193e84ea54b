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

/// Where the columns of a table stand: as wide as their figures, as many as have room.
struct TableColumns {
    private static let gapMax = 4

    /// The columns by their place in what was asked for; nil where one was left out.
    let columns: [Range<Int>?]
    /// How many of them, from the left, hold words: those begin where figures end.
    private let wordCount: Int

    /// Places columns from the left.
    ///
    /// - Parameters:
    ///   - widths: of the words and figures.
    ///   - wordCount: how many columns, from the left, hold words.
    ///   - leavingOut: places of the columns that can be missed, the least important first.
    ///   - room: where they go.
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
