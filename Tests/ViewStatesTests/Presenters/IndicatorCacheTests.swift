import Domain
import TestSupport
import Testing
import ViewStates

@Suite("The indicators of a chart on the screen")
struct IndicatorCacheTests {
    private static let market = MinuteSamples.market
    private static let ema = MovingAverage(.exponential, window: 2)

    private static func minute(_ number: Int) -> Timestamp { MinuteSamples.minute(number) }

    /// Closes of 700 to 707, one a minute.
    private static func sample() -> SampleBoard { MinuteSamples.board(0..<8) }

    private static func query(_ averages: Set<MovingAverage>) -> MarketDetailQuery {
        var query = MarketDetailQuery(market: market)
        query.interval = .minute1
        query.candles = .span(minute(5)..<minute(8), isNewest: true)
        query.indicators = IndicatorSelection(averages: averages)
        return query
    }

    @Test("candles before the visible ones count, and values lie beside their candles")
    func lead() {
        var sample = Self.sample()
        let snapshot = sample.snapshot()
        let three = MovingAverage(.simple, window: 6)
        let query = Self.query([three])
        let chart = MarketDetailPresenter(names: .sample).chart(snapshot, query)
        #expect(chart.candles.map(\.close) == ["705", "706", "707"])
        let cache = IndicatorCache()
        let indicators = cache.indicators(of: chart, in: snapshot, query)
        #expect(indicators?.averages == [three: ["702.5", "703.5", "704.5"]])
        // The same from the candles of a document that begins later.
        let known = Array(chart.candles)
        let other = cache.indicators(of: chart, among: known, Self.query([Self.ema]))
        #expect(other?.averages[Self.ema]?.first == .some(nil))
        #expect(other?.averages[Self.ema]?.dropFirst().first == "705.5")
    }

    @Test("another selection, market or interval never gets the values of the last one")
    func keys() {
        var sample = Self.sample()
        let snapshot = sample.snapshot()
        let presenter = MarketDetailPresenter(names: .sample)
        let cache = IndicatorCache()
        var query = Self.query([Self.ema])
        let chart = presenter.chart(snapshot, query)
        #expect(cache.indicators(of: chart, in: snapshot, query)?.averages.keys.count == 1)
        query.indicators = IndicatorSelection(studies: [.bands])
        let bands = cache.indicators(of: chart, in: snapshot, query)
        #expect(bands?.averages.isEmpty == true && bands?.bands.count == 3)
        query.market = "BTC_KRW"
        let blank = presenter.chart(snapshot, query)
        #expect(cache.indicators(of: blank, in: snapshot, query)?.bands == [])
        query.indicators = IndicatorSelection()
        #expect(cache.indicators(of: chart, in: snapshot, query) == nil)
    }

    @Test("the second market is asked for its candles of the same interval and time alone")
    func comparison() {
        var query = Self.query([])
        query.comparison = "BTC_KRW"
        let other = query.comparisonQuery
        #expect(other?.market == "BTC_KRW" && other?.interval == .minute1)
        #expect(other?.candles == query.candles)
        let interest = DetailInterest(market: "BTC_KRW", facet: .candles(.minute1))
        #expect(query.interests.filter { $0.market == "BTC_KRW" } == [interest])
        query.comparison = Self.market
        #expect(query.comparisonQuery == nil)
    }
}
