import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Chart buckets become columns on the Seoul calendar")
struct ChartColumnTests {
    @Test(
        "All buckets have equally many columns up to the right edge",
        arguments: 1...240
    )
    func wide(width: Int) {
        let slots = ChartSlots(
            chart: ChartSamples.chart(ChartSamples.few),
            span: ChartSamples.span(60),
            width: width
        )
        let columns = slots.slots.flatMap(\.columns)
        #expect(Set(slots.slots.map(\.columns.count)).count == 1)
        #expect(columns == Array((columns.first ?? 0)..<width))
        #expect(slots.slots.flatMap(\.buckets) == Array(0..<slots.opens.count))
        // The plot loses a tenth of the buckets rather than half of its columns.
        #expect(slots.opens.count >= 54 && slots.opens.last == ChartSamples.day)
        if width >= 54 { #expect(columns.count * 10 >= width * 5) }
        for slot in slots.slots {
            let body = slots.bodyRange(slot)
            #expect(slot.columns.contains(body.lowerBound))
            #expect(body.upperBound <= slot.columns.upperBound)
            #expect(body.contains(slots.middle(slot)))
            // Bodies that are wider than a column leave one free to the next.
            if width >= 120 { #expect(body.count < slot.columns.count) }
        }
        #expect(slots.bodyColumns % 2 == 1)
    }

    @Test("Below two columns per bucket, a blank column means no trades")
    func tight() {
        let chart = ChartSamples.chart(ChartSamples.few)
        for width in 1..<18 {
            let slots = ChartSlots(chart: chart, span: ChartSamples.span(10), width: width)
            let covered = slots.slots.filter { $0.bar != nil }.flatMap { slots.bodyRange($0) }
            #expect(covered == Array((covered.first ?? width)..<width), "\(width)")
            #expect(covered.count >= min((width + 1) / 2, 9), "\(width)")
        }
        let spare = ChartSlots(chart: chart, span: ChartSamples.span(10), width: 20)
        #expect(spare.slots.allSatisfy { spare.bodyRange($0).count == 1 })
    }

    @Test("Buckets that share a column merge into one candle")
    func folded() throws {
        let chart = ChartSamples.chart(ChartSamples.few)
        let slots = ChartSlots(chart: chart, span: ChartSamples.span(10), width: 2)
        let bars = slots.slots.compactMap(\.bar)
        try #require(bars.count == 2)
        #expect(bars[0].open == FixedDecimal(3_400))
        #expect(bars[0].high == FixedDecimal(3_480))
        #expect(bars[0].low == FixedDecimal(3_320))
        #expect(bars[0].close == FixedDecimal(3_410))
        #expect(bars[0].volume == ChartSamples.decimal("500.5"))
        #expect(bars[1].close == FixedDecimal(3_505))
        #expect(slots.slots.map(\.candles) == [0..<5, 5..<10])
    }

    @Test("Candles outside the span are ignored; an unaligned span starts on the grid")
    func span() {
        let chart = ChartSamples.chart(ChartSamples.few)
        let later = ChartSamples.few[2].openTime.advanced(by: .seconds(3_600))
        let span = later..<ChartSamples.few[5].openTime
        let slots = ChartSlots(chart: chart, span: span, width: 30)
        #expect(slots.opens == ChartSamples.few[2..<5].map(\.openTime))
        #expect(slots.slots.map(\.candles) == [2..<3, 3..<4, 4..<5])
    }

    @Test("A span has at most 365 buckets; an unknown interval has none")
    func limits() {
        var chart = ChartSamples.chart([])
        let long = ChartSamples.span(2_000)
        #expect(ChartSlots(chart: chart, span: long, width: 80).opens.count == 365)
        chart.interval = "2h"
        #expect(ChartSlots(chart: chart, span: long, width: 80).slots.isEmpty)
    }

    @Test(
        "The time axis labels regular steps of the calendar",
        arguments: [
            (CandleInterval.minutes5, 72, "19:00 20:00 21:00 22:00 23:00"),
            (.hour1, 48, "12:00 11-19 12:00 11-20"),
            (.day1, 60, "09-28 10-05 10-12 10-19 10-26 11-02 11-09 11-16"),
            (.day1, 365, "2026-01 04-01 07-01 10-01"),
            (.week1, 52, "2026-01 04-06 07-06 10-05"),
            (.month1, 36, "2024-01 2024-07 2025-01 2025-07 2026-01 2026-07"),
        ]
    )
    func times(interval: CandleInterval, buckets: Int, texts: String) {
        let time = ChartSamples.day.advanced(by: interval == .minutes5 ? .seconds(-300) : .zero)
        let span = ChartSamples.span(buckets, through: time, interval)
        let slots = ChartSlots(chart: ChartSamples.chart([], interval), span: span, width: 70)
        let columns = slots.slots.flatMap { slot in
            slot.buckets.map { _ in slots.middle(slot) }
        }
        let axis = TimeAxis(opens: slots.opens, columns: columns, interval: interval, width: 70)
        #expect(axis.labels.map(\.text).joined(separator: " ") == texts)
    }

    @Test("Time labels never touch or leave the plot", arguments: 1...130)
    func room(width: Int) {
        for interval in CandleInterval.allCases {
            let span = ChartSamples.span(120, interval)
            let chart = ChartSamples.chart([], interval)
            let slots = ChartSlots(chart: chart, span: span, width: width)
            let columns = slots.slots.flatMap { slot in
                slot.buckets.map { _ in slots.middle(slot) }
            }
            let axis = TimeAxis(
                opens: slots.opens,
                columns: columns,
                interval: interval,
                width: width
            )
            for (left, right) in zip(axis.labels, axis.labels.dropFirst()) {
                #expect(left.columns.upperBound + 2 <= right.columns.lowerBound)
            }
            for label in axis.labels {
                #expect(label.columns.count == label.text.utf8.count)
                #expect(label.columns.lowerBound >= 0 && label.columns.upperBound <= width)
            }
            if width >= 16 { #expect(!axis.labels.isEmpty, "\(interval)") }
        }
    }

    @Test("A dotted line has no gaps and stays in its layer")
    func dots() {
        var layer = BrailleLayer(columns: 2, rows: 1)
        layer.line(from: (0, 0), to: (3, 3), role: .average1)
        layer.line(from: (-5, 9), to: (9, -5), role: .average2)
        var cells: [String] = []
        layer.forEachCell { row, column, dots, role in
            cells.append("\(row) \(column) \(String(dots, radix: 16)) \(role)")
        }
        #expect(cells == ["0 0 91 average2", "0 1 94 average2"])
    }
}
