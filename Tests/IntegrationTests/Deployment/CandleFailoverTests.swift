import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import Repositories

/// The exchange's time goes as fast as the test feeds trades; leases last as long as they do.
@Suite(
    "Failover of the candle writer",
    .enabled(if: TestDatabase.isAvailable),
    .tags(.threads),
    .timeLimit(.minutes(4))
)
struct CandleFailoverTests {
    @Test("another instance takes over from a frozen, disconnected or killed writer")
    func takingOver() async throws {
        try await Deployment.run { deployment in
            let exchange = ConstantExchange()
            let places = try (0..<3).map { number in
                try LeaderCandidate("place-\(number)", deployment, exchange)
            }
            defer { for place in places { place.relay.stop() } }
            try await withThrowingTaskGroup { group in
                for place in places { group.addTask { await place.run() } }
                try await trouble(places, exchange)
                group.cancelAll()
            }
            try await expectAll(deployment, exchange)
        }
    }

    private func trouble(_ places: [LeaderCandidate], _ exchange: ConstantExchange) async throws {
        for place in places { place.hear(exchange.greeting()) }
        for trouble in 0..<3 {
            let (leader, epoch) = try await writer(places, after: 0, exchange)
            leader.relay.conduct(trouble == 1 ? .refusing : .frozen)
            if trouble == 1 { leader.relay.cut() }
            // A minute ends that only the others can write; the old one tries, and cannot.
            for _ in 0..<2 {
                let trades = exchange.trade()
                for place in places { place.hear(trades) }
            }
            let (next, _) = try await writer(places, after: epoch, exchange)
            #expect(next !== leader)
            if trouble < 2 {
                // The withheld data arrives late.
                leader.relay.conduct(.passing)
                try await eventually("it follows") { leader.writer.election.isLedByAnother }
            }
        }
    }

    /// Waits until an instance leads in a later epoch and has written all closed candles.
    ///
    /// - Returns: who, and in which epoch.
    private func writer(
        _ places: [LeaderCandidate],
        after epoch: Int64,
        _ exchange: ConstantExchange
    ) async throws -> (LeaderCandidate, epoch: Int64) {
        let found = Mutex<(LeaderCandidate, epoch: Int64)?>(nil)
        for _ in 0..<2 {
            let trades = exchange.trade()
            for place in places { place.hear(trades) }
        }
        try await eventually("another writes") {
            for place in places {
                let status = place.writer.status
                guard let led = status.epoch, led > epoch, status.lag != nil,
                    status.bufferedRows == 0
                else { continue }
                found.withLock { $0 = (place, led) }
                return true
            }
            return false
        }
        return try #require(found.withLock { $0 })
    }

    private func expectAll(_ deployment: Deployment, _ exchange: ConstantExchange) async throws {
        let stored = try await deployment.database.execute(
            """
            SELECT market, extract(epoch FROM open_time)::bigint / 60, open, high, low, close,
                volume
            FROM hoga.candles WHERE "interval" = '1m' ORDER BY 1, 2
            """
        )
        let rows = Set(stored.split(separator: "\n").map(String.init))
        #expect(rows.count == stored.split(separator: "\n").count)
        #expect(rows == exchange.lines)
    }
}

/// Waits for a condition.
private func eventually(_ expected: Comment, _ isMet: @Sendable () -> Bool) async throws {
    do {
        try await eventually { isMet() ? () : nil }
    } catch {
        Issue.record(error, expected)
        throw error
    }
}

/// One instance: what gathers and writes candles, on a wire of its own to the database.
private final class LeaderCandidate: Sendable {
    let relay: FaultyRelay
    let writer: CandleWriter
    private let shared: DatabaseStore

    init(_ name: String, _ deployment: Deployment, _ exchange: ConstantExchange) throws {
        relay = FaultyRelay(to: deployment.database.port)
        let url =
            "postgresql://hoga_app_login@127.0.0.1:\(relay.port)/\(deployment.database.name)"
        shared = try DatabaseStore(DatabaseChoice(url: url, sessionURL: nil, connectionsMax: 2))
        let identity = FeedIdentity(expecting: .simulated)
        identity.note(.simulated)
        writer = CandleWriter(
            .init(
                store: shared.store,
                holder: name,
                candles: exchange,
                identity: identity,
                clock: ContinuousClock(),
                now: { exchange.now },
                exchangeClockLead: { .zero },
                onEvent: { _ in },
                onFailure: { _ in }
            )
        )
    }

    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.shared.run() }
            group.addTask { await self.writer.run() }
            await group.waitForAll()
        }
    }

    func hear(_ events: [MarketEvent]) {
        writer.receive(MarketEventBatch(events: events, receivedAt: .noon()))
    }
}

/// An exchange where each step is a minute with a trade in two markets, and REST has no rows.
private final class ConstantExchange: CandleSource {
    private static let markets: [MarketID] = ["BTC_KRW", "ETH_KRW"]

    private struct State {
        var now = Timestamp.noon(-30)
        var minute = 0
        var lines: Set<String> = []
    }

    private let state = Mutex(State())

    var now: Timestamp { state.withLock { $0.now } }

    /// The candles of the ended minutes whose trades were all sent, as lines of the database.
    var lines: Set<String> { state.withLock { $0.lines } }

    func greeting() -> [MarketEvent] {
        let listing = Listing(at: now, Self.markets.map { ListingEntry($0) })
        let trade = Trade("BTC_KRW", price: "1", at: now)
        return [.listing(listing), .feed(.subscribed), .feed(.live), .trade(trade)]
    }

    /// Trades at the beginning of a minute, which ends the one before.
    func trade() -> [MarketEvent] {
        state.withLock { state in
            let start = Timestamp.noon(state.minute * 60)
            let number = state.minute
            if number > 0 {
                let minute = start.second / 60 - 1
                for market in Self.markets {
                    let price = 1_000 + number - 1
                    state.lines.insert(
                        "\(market.name)|\(minute)|\(price)|\(price + 5)|\(price)|\(price + 5)|2"
                    )
                }
            }
            state.minute += 1
            state.now = start.advanced(by: .seconds(3))
            return Self.markets.flatMap { market in
                [0, 5].map { rise in
                    let price = FixedDecimal(Int64(1_000 + number + rise))
                    return .trade(Trade(market, price: price, at: state.now))
                }
            }
        }
    }

    func candles(
        symbol: String,
        interval: String,
        reach: CandleReach
    ) async throws(DataSourceError) -> CandlesDTO {
        throw DataSourceError(.timedOut, "no REST in this test")
    }
}
