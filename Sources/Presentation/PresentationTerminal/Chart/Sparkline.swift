public import Domain

/// Draws prices as one row of eighth blocks.
public enum Sparkline: Sendable {
    /// The height of prices that are all equal, in eighths.
    private static let evenEighths = 4

    /// Draws one column per price; if there are more prices than columns, each column shows the
    /// newest known one of its group, and the first column the first price.
    ///
    /// Higher prices than the first known one are drawn at least an eighth higher and lower prices
    /// at least an eighth lower, so height shows the direction without color. Unknown prices leave
    /// their columns empty.
    ///
    /// - Returns: the number of columns used; 0 without a known price.
    @discardableResult
    public static func draw(
        _ prices: [FixedDecimal?],
        row: Int,
        columns: Range<Int>,
        style: CellStyle = .plain,
        into frame: inout Frame
    ) -> Int {
        let room = columns.clamped(to: 0..<frame.size.columns)
        let known = prices.compactMap(\.self)
        guard let first = known.first, let low = known.min(), let high = known.max(),
            !room.isEmpty, (0..<frame.size.rows).contains(row)
        else { return 0 }
        let count = min(prices.count, room.count)
        let scale = ValueScale(bottom: low, top: high)
        let steps = ChartGlyphs.eighths.count
        func height(_ price: FixedDecimal) -> Int {
            // The lowest price has a height too, or its time would look like one without a price.
            low == high ? evenEighths : 1 + scale.height(of: price, steps: steps - 1)
        }
        let base = min(max(height(first), first > low ? 2 : 1), first < high ? steps - 1 : steps)
        for place in 0..<count {
            let group = prices[place * prices.count / count..<(place + 1) * prices.count / count]
            let shown = place == 0 ? group.first { $0 != nil } : group.last { $0 != nil }
            guard let price = shown ?? nil else { continue }
            let eighths =
                price == first
                ? base
                : (price > first ? max(height(price), base + 1) : min(height(price), base - 1))
            let role: CellStyle.Role = price == first ? .plain : (price > first ? .up : .down)
            frame.put(
                ChartGlyphs.eighths[eighths - 1],
                row: row,
                column: room.lowerBound + place,
                style: style.with(role)
            )
        }
        return count
    }
}
