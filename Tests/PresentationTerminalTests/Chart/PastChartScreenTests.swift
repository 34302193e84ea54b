import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("A chart that is moved into the past")
struct PastChartScreenTests {
    private typealias Samples = DetailScreenSamples

    private static func blocks(_ state: ScreenState) -> Set<CandleBlock> {
        let facets = (state.detail?.interests ?? []).map(\.facet)
        return Set(
            facets.compactMap { facet in
                if case .pastCandles(let block) = facet { block } else { nil }
            }
        )
    }

    @Test("asks for the blocks of its window, and for none at the newest candle")
    func interests() throws {
        var state = Samples.screen(.chart)
        #expect(Self.blocks(state).isEmpty)
        state.apply(.pageInTime(-1))
        let span = try #require(state.detail?.chartSpan(now: Samples.now))
        let blocks = Self.blocks(state)
        let start = CandleInterval.day1.advanced(span.lowerBound, by: -119)
        #expect(blocks == Set(CandleBlock.blocks(of: .day1, in: start..<span.upperBound)))
        #expect(!blocks.isEmpty)
        state.apply(.moveToNewest)
        #expect(Self.blocks(state).isEmpty)
        // A screen of months or weeks shows more than the series has.
        for interval in [CandleInterval.week1, .month1] {
            state.apply(.longerInterval)
            #expect(state.detail?.chart.interval == interval && !Self.blocks(state).isEmpty)
        }
    }

    private static func lines(
        _ candles: [ChartViewState.Candle],
        _ change: (inout HealthViewState) -> Void,
        _ language: Language
    ) -> String {
        var chart = ChartSamples.chart(candles)
        change(&chart.health)
        let frame = ChartSamples.frame(
            chart,
            ChartSamples.plainOptions,
            columns: 80,
            rows: 12,
            language: language
        )
        return frame.lines.joined(separator: "\n")
    }

    @Test("counts the candles that have arrived, and says if none can")
    func progress() {
        let error = ErrorViewState(
            code: "unserved",
            message: "",
            retryable: true,
            nextRetryAt: nil
        )
        for candles in [[], ChartSamples.few] {
            let counted: (inout HealthViewState) -> Void = { ($0.known, $0.of) = (120, 485) }
            #expect(Self.lines(candles, counted, .korean).contains("과거 캔들 불러오는 중 120/485"))
            #expect(Self.lines(candles, counted, .english).contains("Loading past candles 120/485"))
            let failed: (inout HealthViewState) -> Void = {
                counted(&$0)
                $0.error = error
            }
            #expect(Self.lines(candles, failed, .korean).contains("과거 캔들을 불러올 수 없습니다"))
            let whole: (inout HealthViewState) -> Void = { ($0.known, $0.of) = (485, 485) }
            #expect(!Self.lines(candles, whole, .korean).contains("과거 캔들"))
        }
    }

    @Test("candles of trades alone say that they are a part until their page arrives")
    func partial() {
        let part: (inout HealthViewState) -> Void = { $0.complete = false }
        #expect(Self.lines(ChartSamples.few, part, .korean).contains("일부 – 불러오는 중"))
        #expect(Self.lines(ChartSamples.few, part, .english).contains("partial, loading"))
        let whole: (inout HealthViewState) -> Void = { _ in }
        #expect(!Self.lines(ChartSamples.few, whole, .korean).contains("일부"))
        // Lost trades have a mark of their own, and a broken stream its words.
        let broken: (inout HealthViewState) -> Void = {
            part(&$0)
            $0.phase = .stale
        }
        #expect(!Self.lines(ChartSamples.few, broken, .korean).contains("일부"))
    }
}
