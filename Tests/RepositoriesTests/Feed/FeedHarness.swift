import DataSourceContracts
import Domain
import Synchronization
import TestSupport

@testable import Repositories

/// A live feed between an exchange in memory and a board, driven step by step.
struct FeedHarness {
    let tasks = SteppedTasks()
    let log: AccessLog
    let tickers: InMemoryTickerSource
    let names: InMemoryMarketReferenceSource
    let marketTickers: InMemoryMarketTickerSource
    let streams: ScriptedStreamSource
    let feed: LiveMarketFeed
    private let reader: Reader
    private let start: Timestamp
    private let local: LocalClock

    /// A harness whose exchange lists two won markets, BTC the busiest, and one bitcoin market.
    ///
    /// - Parameters:
    ///   - api: the generation of the exchange's API.
    ///   - kind: the expected kind of source.
    ///   - start: what all clocks show when the feed starts.
    ///   - random: spreads waits; zero makes them as short as they may be.
    init(
        api: APIGeneration = .v1,
        kind: FeedKind = .live,
        start: Timestamp = .noon(),
        random: @escaping @Sendable () -> UInt64 = { 0 }
    ) {
        let clock = tasks.clock
        log = AccessLog(clock: clock)
        tickers = InMemoryTickerSource(log: log)
        names = InMemoryMarketReferenceSource(log: log)
        marketTickers = InMemoryMarketTickerSource(log: log)
        streams = ScriptedStreamSource(log: log, clock: clock, generation: api)
        reader = Reader(clock: clock)
        self.start = start
        let local = LocalClock(clock, start: start)
        self.local = local
        feed = LiveMarketFeed(
            kind: kind,
            parts: LiveMarketFeed.Parts(
                listings: api == .v1 ? .v1(tickers) : .v2(names, marketTickers),
                streams: streams,
                clock: clock,
                now: { local.now },
                random: random
            )
        )
        list([
            TickerDTO("BTC", price: "100", value24h: "9000"),
            TickerDTO("XRP", price: "10", value24h: "500"),
        ])
        list([TickerDTO("ETH", price: "0.05")], quote: "BTC")
    }

    func drive(_ drive: () throws -> Void) async throws {
        let (feed, reader) = (feed, reader)
        try await tasks.running(
            { await feed.run { batch in reader.take(batch) } },
            drive: drive
        )
    }

    /// Sets the exchange's listing.
    func list(_ coins: [TickerDTO], quote: String = "KRW", label: String? = nil) {
        let answer = TickerAllDTO(tickers: coins, feedLabel: label)
        tickers.put(answer, quote: quote)
    }

    /// A trade at the present moment, on the newest connection.
    func trade(_ symbol: String = "BTC_KRW", price: WireDecimal = "100") {
        let at = now.microseconds
        streams.streams.last?.send(
            .transactions([TransactionDTO(symbol, price: price, atMicroseconds: at)])
        )
        tasks.settle()
    }

    /// Sends a status on the newest connection.
    func say(_ status: String, _ message: String) {
        streams.streams.last?.send(.status(StreamStatusDTO(status: status, message: message)))
        tasks.settle()
    }

    /// Ends the newest connection from the exchange's side.
    func hangUp(_ code: DataSourceError.Code = .disconnected) {
        streams.streams.last?.fail(DataSourceError(code, "the test hung up"))
        tasks.settle()
    }

    /// Makes the exchange unreachable, or reachable again.
    func setReachable(_ isReachable: Bool) {
        let failure = DataSourceError(.unreachable, "no route")
        streams.refuse(with: isReachable ? nil : failure)
        if isReachable {
            list([TickerDTO("BTC", price: "100", value24h: "9000")])
            list([TickerDTO("ETH", price: "0.05")], quote: "BTC")
        } else {
            tickers.fail(failure, quote: "KRW")
            tickers.fail(failure, quote: "BTC")
        }
    }

    /// Sets the local clock back, but not that of the exchange.
    func setBack(by duration: Duration) { local.setBack(by: duration) }

    /// The current exchange time.
    var now: Timestamp { start.advanced(by: tasks.clock.now.offset) }
    /// The current feed status.
    var status: FeedStatus { reader.board.feed }
    /// The current board.
    var board: MarketBoard { reader.board }
    /// Every event so far, with the test clock's time.
    var events: [(at: Duration, event: MarketEvent)] { reader.events }
    /// The feed events so far.
    var feedEvents: [FeedEvent] {
        events.compactMap { if case .feed(let event) = $0.event { event } else { nil } }
    }
    /// When listings of won markets were asked for.
    var listingTimes: [Duration] { log.times { $0 == .listing(quote: "KRW") } }
    /// When connections were tried.
    var connectionTimes: [Duration] { log.times { $0 == .connection } }
    /// The subscription requests.
    var subscriptions: [[StreamSubscriptionDTO]] {
        log.requests.compactMap { if case .subscription(let list) = $0 { list } else { nil } }
    }
}

/// A local clock that can be set.
private final class LocalClock: Sendable {
    private let clock: ManualClock
    private let start: Mutex<Timestamp>

    init(_ clock: ManualClock, start: Timestamp) {
        self.clock = clock
        self.start = Mutex(start)
    }

    var now: Timestamp { start.withLock { $0 }.advanced(by: clock.now.offset) }

    func setBack(by duration: Duration) {
        start.withLock { $0 = $0.advanced(by: .zero - duration) }
    }
}

private final class Reader: Sendable {
    private struct State {
        var board = MarketBoard(kind: .live)
        var events: [(at: Duration, event: MarketEvent)] = []
    }

    private let clock: ManualClock
    private let state = Mutex(State())

    init(clock: ManualClock) { self.clock = clock }

    var board: MarketBoard { state.withLock { $0.board } }
    var events: [(at: Duration, event: MarketEvent)] { state.withLock { $0.events } }

    func take(_ batch: MarketEventBatch) -> FeedStatus {
        let at = clock.now.offset
        return state.withLock { state in
            _ = state.board.apply(batch)
            state.events += batch.events.map { (at, $0) }
            return state.board.feed
        }
    }
}
