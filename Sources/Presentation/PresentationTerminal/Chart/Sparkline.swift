import Domain
public import ViewStates

/// Draws prices of many days as one row of eighth blocks.
public enum Sparkline: Sendable {
    /// The height of prices that are all equal, in eighths.
    private static let evenEighths = 4

    /// Draws one column per price; if there are more prices than columns, each column shows the
    /// newest of its group.
    ///
    /// The first column is the first price. Higher prices are drawn at least an eighth higher and
    /// lower prices at least an eighth lower, so height shows the direction without color.
    ///
    /// - Returns: the number of columns drawn; 0 without prices.
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
        let steps = ChartGlyphs.eighths.count
        func height(_ price: FixedDecimal) -> Int {
            // The lowest price has a height too, or its day would look like one without a price.
            low == high ? evenEighths : 1 + scale.height(of: price, steps: steps - 1)
        }
        let base = min(max(height(first), first > low ? 2 : 1), first < high ? steps - 1 : steps)
        for place in 0..<count {
            let newest = (place + 1) * line.opens.count / count - 1
            let price = line.opens[place == 0 ? 0 : newest]
            let eighths =
                price == first
                ? base
                : (price > first ? max(height(price), base + 1) : min(height(price), base - 1))
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
