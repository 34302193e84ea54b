import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The chooser of averages and panes")
struct IndicatorMenuTests {
    private typealias Samples = DetailScreenSamples

    private static func marked(_ state: ScreenState) -> IndicatorRow? {
        if case .indicators(let row) = state.list.overlay { row } else { nil }
    }

    private static func opened() -> ScreenState {
        var state = Samples.screen(.chart)
        state.apply(.chooseIndicators)
        return state
    }

    private static func type(_ text: String, _ state: inout ScreenState) {
        _ = ScreenReducer.reduce(&state, .form(.type(text)))
        _ = ScreenReducer.reduce(&state, .form(.submit))
    }

    @Test("the chooser opens at the first average, moves within its rows and closes")
    func moving() {
        var state = Self.opened()
        #expect(Self.marked(state) == .average(5))
        #expect(KeyContext(state) == .indicators)
        _ = ScreenReducer.reduce(&state, .list(.move(-1)))
        #expect(Self.marked(state) == .average(5))
        _ = ScreenReducer.reduce(&state, .list(.move(2)))
        #expect(Self.marked(state) == .average(20))
        _ = ScreenReducer.reduce(&state, .list(.move(.max)))
        #expect(Self.marked(state) == .volume)
        _ = ScreenReducer.reduce(&state, .list(.dismiss))
        #expect(KeyContext(state) == .chart)
    }

    @Test("Enter toggles averages and panes and leaves the chooser open")
    func toggling() {
        var state = Self.opened()
        _ = ScreenReducer.reduce(&state, .list(.confirm))
        #expect(state.detail?.chart.averages == [10, 20, 60, 120])
        _ = ScreenReducer.reduce(&state, .list(.confirm))
        #expect(state.detail?.chart.averages == [5, 10, 20, 60, 120])
        _ = ScreenReducer.reduce(&state, .list(.moveToLast))
        _ = ScreenReducer.reduce(&state, .list(.confirm))
        #expect(state.detail?.chart.showsVolume == false)
        _ = ScreenReducer.reduce(&state, .list(.move(-1)))
        _ = ScreenReducer.reduce(&state, .list(.confirm))
        #expect(state.detail?.chart.studies == [.convergence])
        #expect(Self.marked(state) == .study(.convergence))
    }

    @Test("a typed average is added, drawn, queried and removed again")
    func adding() throws {
        var state = Self.opened()
        let average = MovingAverage(.exponential, window: 50)
        state.apply(.toggleIndicator(.add))
        #expect(KeyContext(state) == .form)
        Self.type("ema 50", &state)
        #expect(state.form == nil && Self.marked(state) == .average(average))
        #expect(Samples.query(state)?.indicators.averages == [average])
        _ = ScreenReducer.reduce(&state, .list(.confirm))
        #expect(Samples.query(state)?.indicators.isEmpty == true)
        #expect(state.detail?.chart.indicatorRows.contains(.average(average)) == false)
        #expect(Self.marked(state) == .add)
    }

    @Test("text that is no average keeps the form open with the reason")
    func refusal() {
        var state = Self.opened()
        state.apply(.toggleIndicator(.add))
        Self.type("EMA 5000", &state)
        #expect(state.form?.refusal?.refusal == InputError(.noAverage(2...400)))
    }

    @Test("the next market has the same indicators; the record keeps the usual averages only")
    func keeping() throws {
        var state = Self.opened()
        state.apply(.toggleIndicator(.average(5)), .toggleIndicator(.study(.bands)))
        state.apply(.toggleIndicator(.average(MovingAverage(.exponential, window: 9))))
        _ = ScreenReducer.reduce(&state, .list(.dismiss))
        #expect(state.settings(over: UserSettings()).averages == [10, 20, 60, 120])
        let eth = try #require(MarketID(symbol: "ETH", quote: .krw))
        _ = ScreenReducer.reduce(&state, .open(eth))
        #expect(state.detail?.chart.studies == [.bands])
        #expect(state.detail?.chart.averages.count == 5)
    }

    @Test("the chooser shows what is drawn")
    func picture() throws {
        var state = Self.opened()
        state.apply(.toggleIndicator(.average(60)), .toggleIndicator(.study(.strength)))
        let chart = try #require(state.detail?.chart)
        let panel = Panel.indicators(.study(.strength), of: chart, language: .korean)
        let lines = panel.lines.map { $0.map(\.text).joined() }
        #expect(
            lines == [
                "  ✓ 이동평균 5       ", "  ✓ 이동평균 10      ", "  ✓ 이동평균 20      ",
                "    이동평균 60      ", "  ✓ 이동평균 120     ", "  + 이동평균 추가…   ",
                "    볼린저밴드 20, 2 ", "› ✓ RSI 14           ", "    MACD 12, 26, 9   ",
                "  ✓ 거래량           ",
            ]
        )
        #expect(panel.focus == 7)
    }

    @Test("a second market is asked for, followed while shown and removed by the same key")
    func comparison() throws {
        let eth = try #require(MarketID(symbol: "ETH", quote: .krw))
        var state = Samples.screen(.chart)
        state.apply(.toggleComparison)
        #expect(state.form?.purpose == .comparison && KeyContext(state) == .form)
        _ = ScreenReducer.reduce(&state, .form(.type("eth")))
        let asset = try #require(Asset(symbol: "ETH"))
        #expect(ScreenReducer.reduce(&state, .form(.submit)) == [.compare(with: asset)])
        #expect(state.form == nil)
        let effects = ScreenReducer.reduce(&state, .detail(.compare(eth)))
        let interest = DetailInterest(market: eth, facet: .candles(.day1))
        #expect(effects == [.hold(state.interests)])
        #expect(state.interests.details.contains(interest))
        #expect(Samples.query(state)?.comparison == eth)
        _ = ScreenReducer.reduce(&state, .detail(.toggleComparison))
        #expect(!state.interests.details.contains { $0.market == eth })
    }

    @Test("a market is not compared with itself")
    func itself() throws {
        var state = Samples.screen(.chart)
        let market = try #require(state.detail?.market)
        _ = ScreenReducer.reduce(&state, .detail(.compare(market)))
        #expect(state.notice == .comparedWithItself && state.detail?.chart.comparison == nil)
    }
}
