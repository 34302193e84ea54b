import Domain
import TestSupport
import Testing

@Suite("Minute candle builder takes a silence of the busiest market for a loss")
struct MinuteCandleBuilderSilenceTests {
    /// A builder on a stream of bitcoin, the busiest market, and ether since half a minute before
    /// noon.
    private func builder() -> MinuteCandleBuilder {
        var builder = MinuteCandleBuilder()
        let entries = [
            ListingEntry("BTC_KRW", price: "1", tradeValue24h: "10"),
            ListingEntry("ETH_KRW", price: "1", tradeValue24h: "5"),
        ]
        builder.hear([
            .listing(Listing(at: .noon(-31), entries)), .feed(.subscribed),
            Self.trade("BTC_KRW", at: -30_000), .feed(.live),
        ])
        builder.hear(Self.bitcoin(from: -30, to: 0))
        return builder
    }

    private static func trade(_ market: MarketID, at milliseconds: Int) -> MarketEvent {
        .trade(Trade(market, price: "3", at: .noon(plus: .milliseconds(milliseconds))))
    }

    /// Trades of bitcoin whose pauses are no silence.
    private static func bitcoin(from start: Int, to end: Int) -> [MarketEvent] {
        stride(from: start, through: end, by: 2).map { trade("BTC_KRW", at: $0 * 1_000) }
    }

    @Test("minutes are complete while the busiest market pauses for less than five seconds")
    func pauses() {
        var builder = builder()
        builder.hear(
            [4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64].map {
                Self.trade("BTC_KRW", at: $0 * 1_000 + 999)
            }
        )
        let taken = builder.dequeueUnwritten(rowsMax: 9)
        #expect(taken?.covered == [.noon()..<(.noon(60))])
    }

    @Test("the minutes of a reported silence are discarded, with the one of its end")
    func reported() throws {
        var builder = builder()
        builder.hear(Self.bitcoin(from: 0, to: 58))
        builder.hear([
            Self.trade("ETH_KRW", at: 61_000), Self.trade("ETH_KRW", at: 62_500), .feed(.stale),
            Self.trade("ETH_KRW", at: 63_000),
        ])
        // The first minute may lack trades of its last two seconds.
        #expect(!builder.hasUnwritten)
        builder.hear(Self.bitcoin(from: 64, to: 182))
        let taken = try builder.written()
        #expect(taken.covered == [.noon(120)..<(.noon(180))])
        #expect(taken.rows.map(\.candle.openTime) == [.noon(120)])
    }

    @Test("a hole in the times of the busiest market is a silence that nobody noticed")
    func hole() throws {
        var builder = builder()
        builder.hear(Self.bitcoin(from: 0, to: 30) + Self.bitcoin(from: 36, to: 122))
        let taken = try builder.written()
        #expect(taken.covered == [.noon(60)..<(.noon(120))])
    }

    @Test(
        "old frames that a sleeping machine finds in its buffers do not end the silence",
        arguments: [0, 4, 12]
    )
    func sleep(bufferedSeconds: Int) throws {
        var builder = builder()
        builder.hear(Self.bitcoin(from: 0, to: 30) + [.feed(.stale)])
        builder.hear(Self.bitcoin(from: 30, to: 30 + bufferedSeconds))
        builder.hear(Self.bitcoin(from: 210, to: 302))
        let taken = try builder.written()
        #expect(taken.covered == [.noon(240)..<(.noon(300))])
    }

    @Test("delayed frames without a hole end the silence once they have passed it")
    func delay() throws {
        var builder = builder()
        builder.hear(Self.bitcoin(from: 0, to: 30) + [.feed(.stale)])
        builder.hear(Self.bitcoin(from: 32, to: 122))
        let taken = try builder.written()
        #expect(taken.covered == [.noon(60)..<(.noon(120))])
    }

    @Test("a silence before the first trade changes nothing")
    func early() {
        var builder = MinuteCandleBuilder()
        builder.hear([
            .listing(Listing(at: .noon(), [ListingEntry("BTC_KRW")])), .feed(.subscribed),
            .feed(.stale), Self.trade("BTC_KRW", at: 1_000),
        ])
        #expect(builder.closedUntil == .noon(60))
    }
}

extension MinuteCandleBuilder {
    fileprivate mutating func written() throws -> MinuteCandleBatch {
        let taken = dequeueUnwritten(rowsMax: 9)
        return try #require(taken)
    }

    fileprivate mutating func hear(_ events: [MarketEvent]) {
        apply(MarketEventBatch(events: events, receivedAt: .noon()))
    }
}
