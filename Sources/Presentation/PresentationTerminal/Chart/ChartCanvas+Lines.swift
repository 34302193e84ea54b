import Domain
import ViewStates

extension ChartCanvas {
    /// Draws the closing prices as a line over the averages.
    ///
    /// The line continues across buckets without trades, where the price did not move, and breaks
    /// where trades were lost.
    func drawLines(_ axis: ChartAxisColumn, in frame: inout Frame) {
        let scale = axis.axis.scale
        drawAverages(priceLines, scale: scale, in: prices, &frame)
        drawAverageLabels(scale, in: &frame)
        var layer = BrailleLayer(columns: prices.width, rows: prices.height)
        var pen = LinePen(role: .plain)
        for slot in slots.slots {
            if slot.isMissing, slot.bar == nil { pen.lift() }
            guard let bar = slot.bar else { continue }
            let y = scale.place(of: bar.close, steps: layer.height)
            pen.move(to: (slots.middle(slot) * 2, y), in: &layer)
        }
        prices.put(layer, emphasis: context.emphasis.union(.bold), in: &frame)
    }

    /// Lines through averages, the longest window at the back.
    func drawAverages(
        _ lines: [(role: CellStyle.Role, values: [FixedDecimal?])],
        scale: ValueScale,
        in plot: Plot,
        _ frame: inout Frame
    ) {
        if lines.isEmpty { return }
        var layer = BrailleLayer(columns: plot.width, rows: plot.height)
        for line in lines.reversed() {
            var pen = LinePen(role: line.role)
            for slot in slots.slots {
                if slot.isMissing, slot.bar == nil { pen.lift() }
                guard let candle = slot.lastCandle, line.values.indices.contains(candle),
                    let value = line.values[candle]
                else { continue }
                let y = scale.place(of: value, steps: layer.height)
                pen.move(to: (slots.middle(slot) * 2, y), in: &layer)
            }
        }
        plot.put(layer, emphasis: context.emphasis, in: &frame)
    }

    /// Labels each average with its window at the end of its line, for themes that cannot
    /// distinguish them by color.
    func drawAverageLabels(_ scale: ValueScale, in frame: inout Frame) {
        guard averageLabels.count > 1,
            let last = slots.slots.last(where: { !$0.candles.isEmpty })?.lastCandle
        else { return }
        var taken: Set<Int> = []
        for average in averages {
            guard average.closes.indices.contains(last), let value = average.closes[last],
                scale.contains(value)
            else { continue }
            let wanted = scale.position(of: value, steps: prices.height)
            // If two lines end in one row, the second label moves to the nearest free row.
            let rows = (0..<prices.height).filter { !taken.contains($0) }
            guard let row = rows.min(by: { abs($0 - wanted) < abs($1 - wanted) }) else { return }
            taken.insert(row)
            frame.draw(
                average.label,
                row: prices.rows.lowerBound + row,
                column: averageLabels.lowerBound + 1,
                width: averageLabels.count - 1,
                style: context.style(average.role)
            )
        }
    }
}

/// Draws a line from point to point, until it is lifted.
struct LinePen {
    private let role: CellStyle.Role
    private var last: (x: Int, y: Int)?

    init(role: CellStyle.Role) {
        self.role = role
    }

    /// The next point begins a new line.
    mutating func lift() { last = nil }

    mutating func move(to point: (x: Int, y: Int), in layer: inout BrailleLayer) {
        layer.line(from: last ?? point, to: point, role: role)
        last = point
    }
}
