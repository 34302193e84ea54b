import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Candles join and stay apart")
struct ChartCandleTests {
    private static let blocks: Set<Character> = ["█", "▀", "▄"]

    /// Whether the characters of a middle column fill their upper and their lower step.
    private static let steps: [Character: (Bool, Bool)] = [
        "█": (true, true), "▀": (true, false), "▄": (false, true), "┃": (true, true),
        "╹": (true, false), "╻": (false, true), "╽": (true, true), "╿": (true, true),
        "│": (true, true), "╵": (true, false), "╷": (false, true), "─": (true, true),
        "║": (true, true), "╫": (true, true), "╨": (true, true), "╥": (true, true),
        "┴": (true, true), "┬": (true, true), "┼": (true, true),
    ]

    private static func frame(
        _ candles: [ChartViewState.Candle],
        buckets: Int,
        _ columns: Int
    ) -> (Frame, ChartCanvas) {
        var options = ChartSamples.plainOptions
        options.span = ChartSamples.span(buckets)
        return frame(candles, options, columns)
    }

    private static func frame(
        _ candles: [ChartViewState.Candle],
        _ options: ChartPaneOptions,
        _ columns: Int
    ) -> (Frame, ChartCanvas) {
        let context = ChartContext(
            options: options,
            quote: .krw,
            theme: Theme(colors: .trueColor),
            language: .korean,
            health: ChartSamples.ready
        )
        var frame = Frame(size: TerminalSize(columns: columns, rows: 24))
        let canvas = ChartCanvas(
            chart: ChartSamples.chart(candles),
            context: context,
            area: FrameArea(frame.size)
        )
        canvas.draw(in: &frame)
        return (frame, canvas)
    }

    @Test(
        "A wick joins its body at each zoom: no step between high and low is blank",
        arguments: [20, 27, 40, 60, 90, 120, 200, 365]
    )
    func joins(buckets: Int) {
        let candles = ChartSamples.walk(buckets, from: 90_000, step: 2_000, seed: UInt64(buckets))
        for columns in [40, 80, 119, 200] {
            let (frame, canvas) = Self.frame(candles, buckets: buckets, columns)
            guard let axis = canvas.axis else { continue }
            let lines = frame.lines.map(Array.init)
            for slot in canvas.slots.slots {
                guard let bar = slot.bar else { continue }
                let shape = CandleShape(bar, scale: axis.axis.scale, rows: canvas.prices.height)
                let column = canvas.prices.columns.lowerBound + canvas.slots.middle(slot)
                // The outline of a rising candle is joined at its sides.
                let isOutline = bar.direction == .up && canvas.slots.bodyColumns > 1
                let inside = isOutline ? shape.bodyRows.dropFirst().dropLast() : []
                for step in shape.wicks {
                    let line = lines[canvas.prices.rows.lowerBound + step / 2]
                    let isInside = inside.contains(step / 2)
                    let glyph = line[isInside ? column - canvas.slots.bodyColumns / 2 : column]
                    let filled = Self.steps[glyph]
                    let isFilled = step % 2 == 0 ? filled?.0 : filled?.1
                    #expect(isFilled == true, "\(glyph) in column \(column)")
                }
            }
        }
    }

    @Test(
        "Bodies of one direction are apart and equally wide at each zoom",
        arguments: [20, 27, 40, 60, 90, 120, 200, 365]
    )
    func apart(buckets: Int) {
        let candles = (0..<buckets).map { index in
            ChartSamples.candle(
                CandleInterval.day1.advanced(ChartSamples.day, by: index + 1 - buckets),
                "300",
                "300",
                "100",
                "100"
            )
        }
        for columns in [40, 80, 119, 200] {
            let (frame, canvas) = Self.frame(candles, buckets: buckets, columns)
            let row = canvas.prices.rows.lowerBound + canvas.prices.height / 2
            let line = frame.lines[row].prefix(canvas.prices.width)
            let bodies = line.split { !Self.blocks.contains($0) }
            let widths = Set(bodies.map(\.count))
            if canvas.slots.bodyColumns == 1 {
                #expect(bodies.isEmpty)
                #expect(line.count { $0 == "┃" } == canvas.slots.slots.count)
            } else {
                #expect(widths == [canvas.slots.bodyColumns])
                #expect(bodies.count == canvas.slots.slots.count)
            }
        }
    }

    @Test(
        "Volume is no wall at any zoom: bars of neighbors are apart",
        arguments: [20, 27, 40, 60, 90, 120, 200, 365],
        [ChartPaneOptions.Style.candles, .line]
    )
    func volume(buckets: Int, style: ChartPaneOptions.Style) {
        let candles = ChartSamples.walk(buckets, from: 90_000, step: 2_000, seed: 3)
        for columns in [40, 80, 119, 200] {
            var options = ChartSamples.plainOptions
            options.span = ChartSamples.span(buckets)
            options.showsVolume = true
            options.style = style
            let (frame, canvas) = Self.frame(candles, options, columns)
            #expect(!canvas.bars.rows.isEmpty)
            let lines = frame.lines.map(Array.init)
            for row in canvas.bars.rows {
                let line = lines[row][..<canvas.bars.width]
                let solid = line.split { !ChartGlyphs.eighths.map(Character.init).contains($0) }
                #expect(Set(solid.map(\.count)).isSubset(of: [canvas.slots.bodyColumns]))
                #expect(canvas.slots.isTight ? solid.isEmpty : true)
            }
        }
    }

    @Test("Buckets that share columns are the same number in each, so that volumes compare")
    func evenFolds() {
        for buckets in [45, 60, 90, 120, 212, 318, 365] {
            let chart = ChartSamples.chart([])
            let slots = ChartSlots(chart: chart, span: ChartSamples.span(buckets), width: 40)
            let counts = Set(slots.slots.map(\.buckets.count))
            #expect(counts.count == 1 && slots.slots.count <= 40)
            // All but a tenth are shown, or but those that would fill a column in part.
            #expect(slots.opens.count * 10 >= buckets * 9 - 10 * (counts.first ?? 0))
            #expect(slots.slots.last?.columns.upperBound == 40)
        }
    }
}
