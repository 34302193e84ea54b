import Domain
import TestSupport
import Testing

@Suite("Minute candle builder uses only trades and their time")
struct MinuteCandleBuilderTests {
    private static let gone = FeedEvent.reconnecting(
        attempt: 1,
        nextRetryAt: .noon(),
        failure: FeedFailure(code: .disconnected, detail: "", isRetryable: true)
    )

    /// A builder subscribed since half a minute before noon.
    private func builder(_ markets: [MarketID] = ["BTC_KRW", "ETH_KRW"]) -> MinuteCandleBuilder {
        var builder = MinuteCandleBuilder()
        builder.hear(
            .listing(Listing(at: .noon(-31), markets.map { ListingEntry($0) })),
            .feed(.subscribed),
            .trade(Trade("BTC_KRW", price: "1", at: .noon(-30)))
        )
        return builder
    }

    private static func trade(
        _ price: FixedDecimal,
        _ quantity: FixedDecimal = "1",
        at seconds: Int,
        of market: MarketID = "BTC_KRW"
    ) -> MarketEvent {
        .trade(
            Trade(
                market: market,
                price: price,
                quantity: quantity,
                side: .sell,
                executedAt: .noon(seconds)
            )
        )
    }

    @Test("first and last price follow time, then arrival, and the volume is the sum")
    func numbers() throws {
        var builder = builder()
        builder.hear(
            Self.trade("7", "0.5", at: 20),
            Self.trade("3", "0.25", at: 5),
            Self.trade("4", "1", at: 5),
            Self.trade("9", "1", at: 59),
            Self.trade("8", "1", at: 59),
            Self.trade("1", at: 62)
        )
        let taken = try builder.written(1)
        let row = try #require(taken.rows.first)
        #expect(taken.rows.count == 1)
        #expect(row.candle.openTime == .noon())
        #expect(row.candle.open == "3")
        #expect(row.candle.high == "9")
        #expect(row.candle.low == "3")
        #expect(row.candle.close == "8")
        #expect(row.candle.volume == "3.75")
        #expect(row.lastTradeAt == .noon(59))
        #expect(taken.covered == [.noon()..<(.noon(60))])
        #expect(!builder.hasUnwritten)
    }

    @Test("a market whose entry cannot be read has candles like the others")
    func unreadable() throws {
        var builder = MinuteCandleBuilder()
        var listing = Listing(at: .noon(-31), [ListingEntry("BTC_KRW")])
        listing.unreadable = ["ETH_KRW"]
        builder.hear(
            .listing(listing),
            .feed(.subscribed),
            .trade(Trade("BTC_KRW", price: "1", at: .noon(-30))),
            Self.trade("7", at: 20, of: "ETH_KRW"),
            Self.trade("1", at: 62)
        )
        let taken = try builder.written(1)
        #expect(taken.rows.map(\.market) == ["ETH_KRW"])
        #expect(builder.partialMarkets.isEmpty)
    }

    @Test("two equal trades are two, because the stream repeats none")
    func twins() throws {
        var builder = builder()
        builder.hear(
            Self.trade("3", "2", at: 5),
            Self.trade("3", "2", at: 5),
            Self.trade("1", at: 62)
        )
        let taken = try builder.written(1)
        #expect(taken.rows.first?.candle.volume == "4")
    }

    @Test("a minute ends two seconds after its end, by the newest trade", arguments: [61, 62])
    func closing(at second: Int) {
        var builder = builder()
        builder.hear(Self.trade("3", at: 5), Self.trade("3", at: second))
        #expect(builder.hasUnwritten == (second == 62))
        #expect(builder.closedUntil == (second == 62 ? .noon(60) : .noon()))
    }

    @Test("a minute without trades is covered and has no candle")
    func quietMinute() throws {
        var builder = builder()
        builder.hear(Self.trade("3", at: 5), Self.trade("3", at: 182))
        let taken = try builder.written(9)
        #expect(taken.rows.map(\.candle.openTime) == [.noon()])
        #expect(taken.covered == [.noon()..<(.noon(180))])
    }

    @Test("a late trade makes its candle unwritten again")
    func lateTrade() throws {
        var builder = builder()
        builder.hear(
            Self.trade("3", at: 5),
            Self.trade("3", at: 6, of: "ETH_KRW"),
            Self.trade("3", at: 62)
        )
        let first = try builder.written(9)
        #expect(first.rows.count == 2)
        builder.hear(Self.trade("5", at: 59))
        let again = try builder.written(9)
        #expect(again.rows.map(\.market) == ["BTC_KRW"])
        #expect(again.rows.first?.candle.close == "5")
        #expect(again.rows.first?.candle.volume == "2")
        #expect(again.covered.isEmpty)
    }

    @Test("a lost connection discards unfinished minutes up to the end of the next trade's minute")
    func loss() throws {
        var builder = builder()
        builder.hear(
            Self.trade("3", at: 5),
            Self.trade("3", at: 121),
            .feed(Self.gone),
            .feed(.subscribed),
            .feed(.live),
            Self.trade("4", at: 150),
            Self.trade("4", at: 181),
            Self.trade("4", at: 242)
        )
        let taken = try builder.written(9)
        // Two seconds after its end, the minute from 60 on may still lack trades.
        #expect(taken.covered == [.noon()..<(.noon(60)), .noon(180)..<(.noon(240))])
        #expect(taken.rows.map(\.candle.openTime) == [.noon(), .noon(180)])
    }

    @Test("a connection without trades covers nothing")
    func silence() {
        var builder = builder()
        builder.hear(.feed(Self.gone), .feed(.subscribed), .feed(.live), .feed(.stale))
        #expect(builder.closedUntil == nil)
        builder.hear(Self.trade("4", at: -40))
        // The trade is older than the loss, so it was sent before.
        #expect(builder.closedUntil == nil)
        builder.hear(Self.trade("4", at: 10))
        #expect(builder.closedUntil == .noon(60))
        #expect(!builder.hasUnwritten)
    }

    @Test("a requeued batch is returned again with newer rows")
    func requeue() throws {
        var builder = builder()
        builder.hear(Self.trade("3", at: 5), Self.trade("3", at: 62))
        let taken = try builder.written(9)
        builder.hear(Self.trade("5", at: 58), Self.trade("5", at: 122))
        builder.requeue(taken)
        let again = try builder.written(9)
        #expect(again.covered == [.noon()..<(.noon(120))])
        #expect(again.rows.map(\.candle.close) == ["5", "3"])
    }

    @Test(
        "a market listed while the stream runs is partial until REST covered it",
        arguments: [true, false]
    )
    func newMarket(toldAll: Bool) throws {
        var builder = builder(["BTC_KRW"])
        let listing = Listing(at: .noon(70), [ListingEntry("BTC_KRW"), ListingEntry("NEW_KRW")])
        builder.hear(
            Self.trade("1", at: 1),
            .listing(listing),
            Self.trade("5", at: 80, of: "NEW_KRW"),
            Self.trade("6", at: 125, of: "NEW_KRW"),
            Self.trade("1", at: 182)
        )
        let partial = try #require(builder.partialMarkets.first)
        #expect(partial == PartialMarketData(market: "NEW_KRW", span: .noon()..<(.noon(120))))
        let taken = try builder.written(9)
        #expect(taken.rows.filter { $0.market == "NEW_KRW" }.map(\.candle.openTime) == [.noon(120)])
        // If this process ended before the REST request, others must find the minutes missing.
        #expect(taken.covered == [.noon(120)..<(.noon(180))])
        #expect(!builder.hasUnwritten)
        if toldAll { builder.settle(partial) } else { builder.giveUp(partial) }
        #expect(builder.partialMarkets.isEmpty)
        #expect(builder.hasUnwritten == toldAll)
        let later = builder.dequeueUnwritten(rowsMax: 9)
        #expect(later?.covered == (toldAll ? [.noon()..<(.noon(120))] : nil))
        #expect(later?.rows ?? [] == [])
        builder.markAllUnwritten()
        let all = try builder.written(9).covered
        #expect(all == [.noon(toldAll ? 0 : 120)..<(.noon(180))])
    }

    @Test("invalid trades and trades of unlisted markets are ignored")
    func strangers() throws {
        var builder = builder()
        builder.hear(
            Self.trade("5", at: 1, of: "NEW_KRW"),
            Self.trade("0", at: 2),
            Self.trade("1", "-1", at: 3),
            Self.trade("1", at: 62)
        )
        let taken = try builder.written(9)
        #expect(taken.rows.isEmpty)
    }

    @Test("another feed starts over on the running stream")
    func anotherFeed() throws {
        var builder = builder()
        builder.hear(
            Self.trade("3", at: 5),
            Self.trade("3", at: 62),
            .feed(.identified(.simulated))
        )
        #expect(!builder.hasUnwritten)
        builder.hear(
            .listing(Listing(at: .noon(65), [ListingEntry("BTC_KRW")])),
            Self.trade("3", at: 70),
            Self.trade("3", at: 130),
            Self.trade("3", at: 190)
        )
        let taken = try builder.written(9)
        #expect(taken.covered == [.noon(120)..<(.noon(180))])
    }
}

extension MinuteCandleBuilder {
    /// Returns the next batch, which must exist.
    fileprivate mutating func written(_ rowsMax: Int) throws -> MinuteCandleBatch {
        let taken = dequeueUnwritten(rowsMax: rowsMax)
        return try #require(taken)
    }

    /// Applies events that arrived together.
    fileprivate mutating func hear(_ events: MarketEvent...) {
        apply(MarketEventBatch(events: events, receivedAt: .noon()))
    }
}
