import Domain
public import Presentation

/// Draws prices of many days as one row of eighth blocks.
public enum Sparkline: Sendable {
    /// The height of prices that are all equal, in eighths.
    private static let evenEighths = 4

    /// Draws as many columns as there are prices; where there are more prices than columns, several
    /// share one, and the newest of them is drawn.
    ///
    /// A column is coloured as its price stands against the first one.
    ///
    /// - Returns: how many columns were drawn: 0 without prices.
    @discardableResult
    public static func draw(
        _ line: SparklineViewState,
        row: Int,
        columns: Range<Int>,
        emphasis: CellStyle.Emphasis = [],
        into frame: inout Frame
    ) -> Int {
        let room = columns.clamped(to: 0..<frame.size.columns)
        guard let first = line.opens.first, let low = line.opens.min(), let high = line.opens.max(),
            !room.isEmpty, (0..<frame.size.rows).contains(row)
        else { return 0 }
        let count = min(line.opens.count, room.count)
        let scale = ValueScale(bottom: low, top: high)
        for place in 0..<count {
            let price = line.opens[(place + 1) * line.opens.count / count - 1]
            let steps = ChartGlyphs.eighths.count
            // The lowest price has a height too, or its day would look like one without a price.
            let eighths =
                low == high
                ? evenEighths : 1 + scale.height(of: price, steps: steps - 1)
            let role: CellStyle.Role = price == first ? .plain : (price > first ? .up : .down)
            frame.put(
                ChartGlyphs.eighths[eighths - 1],
                row: row,
                column: room.lowerBound + place,
                style: CellStyle(role, emphasis: emphasis)
            )
        }
        return count
    }
}
