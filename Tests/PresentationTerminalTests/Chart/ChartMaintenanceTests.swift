import ViewStates
import TestSupport
import Testing

@testable import Domain
@testable import PresentationTerminal

@Suite("Maintenance of the exchange in a chart")
struct ChartMaintenanceTests {
    /// Two hours of minutes without some of them.
    private static func chart(
        _ interval: CandleInterval = .minute1,
        without hole: Range<Int>,
        every step: Int = 1,
        reason: GapViewState.Reason = .noTrade
    ) -> ChartViewState {
        let last = interval.bucketStart(of: ChartSamples.day)
        let candles = ChartSamples.walk(120, from: 3_400, step: 10, seed: 1, interval)
            .enumerated().filter { !hole.contains($0.offset) && $0.offset % step == 0 }
        let gap = GapViewState(
            from: interval.advanced(last, by: hole.lowerBound - 119),
            to: interval.advanced(last, by: hole.upperBound - 119),
            reason: reason
        )
        return ChartSamples.chart(candles.map(\.element), interval, gaps: [gap])
    }

    @Test("a long hole in the short candles of a busy market is maintenance")
    func hole() throws {
        let chart = Self.chart(without: 40..<80)
        let gap = try #require(chart.gaps.first)
        #expect(chart.maintenance == [gap.from..<gap.to])
        #expect(Self.chart(.minutes10, without: 40..<44).maintenance.count == 1)
    }

    @Test("short holes, lost data, quiet markets and long candles are none")
    func others() {
        #expect(Self.chart(without: 40..<69).maintenance.isEmpty)
        #expect(Self.chart(without: 40..<80, reason: .missing).maintenance.isEmpty)
        #expect(Self.chart(without: 40..<80, every: 2).maintenance.isEmpty)
        #expect(Self.chart(.hour1, without: 40..<80).maintenance.isEmpty)
        // A market that has not traded since is quiet, not closed.
        #expect(Self.chart(without: 80..<120).maintenance.isEmpty)
    }

    @Test(
        "the cross-hair names it",
        arguments: [(Language.korean, "거래소 점검"), (.english, "maintenance")]
    )
    func named(language: Language, word: String) throws {
        let chart = Self.chart(without: 40..<80)
        let span = ChartSamples.span(120, through: ChartSamples.day, .minute1)
        var options = ChartPaneOptions(span: span)
        let last = CandleInterval.minute1.bucketStart(of: ChartSamples.day)
        for (back, isNamed) in [(60, true), (41, true), (20, false)] {
            options.crosshair = CandleInterval.minute1.advanced(last, by: -back)
            let frame = ChartSamples.frame(
                chart,
                options,
                columns: 140,
                rows: 10,
                language: language
            )
            #expect(try #require(frame.lines.first).contains(word) == isNamed, "\(back)")
        }
    }
}
