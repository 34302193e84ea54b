public import Domain

/// Draws figures of equal times as one row of eighth blocks.
public enum Sparkline: Sendable {
    /// The height of figures that are all equal, in eighths.
    private static let evenEighths = 4

    /// Draws one column per figure, the oldest at the left; if there are more figures than columns,
    /// each column shows the newest known one of its group.
    ///
    /// Unknown figures leave their columns empty.
    ///
    /// With `comparesWithFirst` the first column shows the first known figure. Figures above it are
    /// drawn at least an eighth higher and in the rising color, those below it at least an eighth
    /// lower and in the falling one: height shows the direction without color.
    ///
    /// - Returns: the number of columns used; 0 without a known figure.
    @discardableResult
    public static func draw(
        _ figures: [FixedDecimal?],
        row: Int,
        columns: Range<Int>,
        style: CellStyle = .plain,
        comparesWithFirst: Bool = true,
        into frame: inout Frame
    ) -> Int {
        let room = columns.clamped(to: 0..<frame.size.columns)
        let known = figures.compactMap(\.self)
        guard let first = known.first, let low = known.min(), let high = known.max(),
            !room.isEmpty, (0..<frame.size.rows).contains(row)
        else { return 0 }
        let count = min(figures.count, room.count)
        let scale = ValueScale(bottom: low, top: high)
        let steps = ChartGlyphs.eighths.count
        func height(_ figure: FixedDecimal) -> Int {
            // The lowest figure has a height too, or its time would look like one without a figure.
            low == high ? evenEighths : 1 + scale.height(of: figure, steps: steps - 1)
        }
        let base = min(max(height(first), first > low ? 2 : 1), first < high ? steps - 1 : steps)
        for place in 0..<count {
            let group = figures[place * figures.count / count..<(place + 1) * figures.count / count]
            let isFirst = place == 0 && comparesWithFirst
            let shown = isFirst ? group.first { $0 != nil } : group.last { $0 != nil }
            guard let figure = shown ?? nil else { continue }
            var (eighths, columnStyle) = (height(figure), style)
            if comparesWithFirst {
                if figure == first {
                    eighths = base
                    columnStyle = style.with(.plain)
                } else {
                    let isHigher = figure > first
                    eighths = isHigher ? max(eighths, base + 1) : min(eighths, base - 1)
                    columnStyle = style.with(isHigher ? .up : .down)
                }
            }
            frame.put(
                ChartGlyphs.eighths[eighths - 1],
                row: row,
                column: room.lowerBound + place,
                style: columnStyle
            )
        }
        return count
    }
}
