import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Candles join and stay apart")
struct ChartCandleTests {
    private static let blocks: Set<Character> = ["█", "▀", "▄"]

    /// What the characters of a middle column fill of their upper and lower step.
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
    )
        -> (Frame, ChartCanvas)
    {
        var options = ChartSamples.plainOptions
        options.span = ChartSamples.span(buckets)
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
                for step in shape.wicks {
                    let glyph = lines[canvas.prices.rows.lowerBound + step / 2][column]
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

    @Test("The volume of adjacent columns is no wall")
    func volume() {
        let candles = ChartSamples.walk(200, from: 90_000, step: 2_000, seed: 3)
        for style in [ChartPaneOptions.Style.candles, .line] {
            var options = ChartPaneOptions(span: ChartSamples.span(100))
            options.averages = []
            options.style = style
            let frame = ChartSamples.frame(
                ChartSamples.chart(candles),
                options,
                columns: 110,
                rows: 30
            )
            let divider = frame.lines.firstIndex { $0.hasPrefix("거래량") } ?? 0
            #expect(divider > 0)
            let bars = frame.lines[(divider + 1)...].joined()
            #expect(bars.contains("⡇") && !bars.contains("█"))
        }
    }
}
