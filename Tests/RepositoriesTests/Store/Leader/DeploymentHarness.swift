import Concurrency
import DataSourceContracts
import Domain
import Synchronization
import TestSupport

@testable import Repositories

/// Several instances on one shared store, in virtual time.
///
/// A test kills, stops and disconnects them and drops their trades.
final class DeploymentHarness: Sendable {
    static let start = Timestamp.noon(13)

    let tasks = SteppedTasks()
    let store: InMemorySharedStore
    let exchange: TradingExchange
    let audit = WriteAudit()
    let instances: [Instance]

    init(_ count: Int, seed: UInt64, kind: FeedKind? = .live) {
        let clock = tasks.clock
        let now: @Sendable () -> Timestamp = { Self.start.advanced(by: clock.now.offset) }
        store = InMemorySharedStore { now().microseconds }
        exchange = TradingExchange(seed: seed, now: now)
        instances = (0..<count).map { [store, exchange, audit] place in
            Instance(
                name: "instance-\(place)",
                link: UnreliableStore(store, audit: audit, clock: clock),
                exchange: exchange,
                kind: kind,
                clock: clock,
                now: now
            )
        }
    }

    var now: Timestamp { Self.start.advanced(by: tasks.clock.now.offset) }

    func drive(_ drive: () throws -> Void) async throws {
        let instances = instances
        try await tasks.running(
            {
                await withTaskGroup { group in
                    for instance in instances { group.addTask { await instance.run() } }
                    await group.waitForAll()
                }
            },
            drive: drive
        )
    }

    /// Advances time and trades.
    ///
    /// - Parameters:
    ///   - duration: how long.
    ///   - isStalled: whether the streams bring none of the trades.
    func advance(by duration: Duration, isStalled: Bool = false) {
        let step = Duration.milliseconds(500)
        for _ in 0..<Int(duration / step) {
            tasks.advance(by: step)
            let trades = exchange.trade()
            if !isStalled { for instance in instances { instance.hear(trades, at: now) } }
            tasks.settle()
        }
    }

    /// The instance that holds the lease by the store's clock.
    var leader: Instance? {
        store.leaseInForce(feed: "live").flatMap { lease in
            instances.first { lease.holder.hasPrefix($0.name + "/") }
        }
    }

    /// The stored one minute candles of a market.
    func stored(_ market: MarketID) async throws -> [Int64: StoredCandlesDTO.Row] {
        let series = CandleSeriesDTO(feed: "live", market: market.name, interval: "1m")
        let rows = try await store.candles(of: series, newest: 100_000).rows
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.openTime, $0) })
    }

    /// The covered spans.
    func covered() async throws -> [StoredCandlesDTO.Span] {
        try await store.fenced(by: LeaseDTO(feed: "live", holder: "", epoch: 0)).coveredMinutes(
            feed: "live"
        )
    }
}

/// A sequence of processes in one place.
final class Instance: Sendable {
    private struct State {
        var life: CandleWriter
        var lives = 1
        var isAlive = true
        var isStopped = false
        var unheard: [MarketEventBatch] = []
    }

    let name: String
    let link: UnreliableStore
    private let make: @Sendable (Int) -> CandleWriter
    private let exchange: TradingExchange
    private let state: Mutex<State>
    private let lives = AsyncValue(1)

    init(
        name: String,
        link: UnreliableStore,
        exchange: TradingExchange,
        kind: FeedKind?,
        clock: ManualClock,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.name = name
        self.link = link
        self.exchange = exchange
        make = { number in
            let identity = FeedIdentity(expecting: .live)
            if let kind { identity.note(kind) }
            return CandleWriter(
                .init(
                    store: link,
                    holder: "\(name)/\(number)",
                    candles: exchange,
                    identity: identity,
                    clock: clock,
                    now: now,
                    exchangeClockLead: { .zero },
                    onEvent: { _ in },
                    onFailure: { _ in }
                )
            )
        }
        state = Mutex(State(life: make(1)))
        greet(state.withLock { $0.life }, at: now())
    }

    var writer: CandleWriter { state.withLock { $0.life } }
    var isWell: Bool { state.withLock { $0.isAlive && !$0.isStopped } && link.isOpen }

    /// Runs until the task is cancelled, with a new process after each kill.
    func run() async {
        while !Task.isCancelled {
            let number = lives.value
            if number % 2 == 1 {
                let life = writer
                await withTaskGroup { group in
                    group.addTask { await life.run() }
                    group.addTask { _ = await self.lives.first { $0 != number } }
                    await group.next()
                    group.cancelAll()
                }
            } else {
                _ = await lives.first { $0 != number }
            }
        }
    }

    func kill() {
        state.withLock { $0.isAlive = false }
        link.lose()
        lives.update { $0 += 1 }
    }

    func revive(at now: Timestamp) {
        let life = state.withLock { state in
            state.lives += 1
            state.life = make(state.lives)
            state.isAlive = true
            return state.life
        }
        link.open()
        greet(life, at: now)
        lives.update { $0 += 1 }
    }

    /// Suspends the process: its calls reach the store when it continues, however late.
    func stop() {
        state.withLock { $0.isStopped = true }
        link.hold()
    }

    func goOn() {
        let batches = state.withLock { state in
            defer { state.unheard = [] }
            state.isStopped = false
            return state.unheard
        }
        link.open()
        for batch in batches { writer.receive(batch) }
    }

    func hear(_ trades: [Trade], at now: Timestamp) {
        put(MarketEventBatch(events: trades.map(MarketEvent.trade), receivedAt: now))
    }

    /// Disconnects from the exchange; ``hear(_:at:)`` has no effect until ``resubscribe(at:)``.
    func loseExchange(at now: Timestamp) {
        let failure = FeedFailure(code: .disconnected, detail: "", isRetryable: true)
        let event = FeedEvent.reconnecting(attempt: 1, nextRetryAt: now, failure: failure)
        put(MarketEventBatch(events: [.feed(event)], receivedAt: now))
    }

    /// Reports that the connection lives and brings nothing.
    func reportSilence(at now: Timestamp) {
        put(MarketEventBatch(events: [.feed(.stale)], receivedAt: now))
    }

    func resubscribe(at now: Timestamp) {
        put(MarketEventBatch(events: [.feed(.subscribed), .feed(.live)], receivedAt: now))
    }

    private func put(_ batch: MarketEventBatch) {
        let life = state.withLock { state -> CandleWriter? in
            guard state.isAlive else { return nil }
            if state.isStopped { state.unheard.append(batch) }
            return state.isStopped ? nil : state.life
        }
        life?.receive(batch)
    }

    private func greet(_ life: CandleWriter, at now: Timestamp) {
        let entries = TradingExchange.markets.map { ListingEntry($0) }
        life.receive(
            MarketEventBatch(
                events: [
                    .listing(Listing(at: now, entries)), .feed(.subscribed), .feed(.live),
                ],
                receivedAt: now
            )
        )
    }
}

/// An exchange that trades at random, and serves its candles over REST.
final class TradingExchange: CandleSource {
    static let markets: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW"]

    private struct State {
        var generator: SeededGenerator
        var trades: [MarketID: [Trade]] = [:]
        var number: Int64 = 0
        var refusal: DataSourceError?
        var readings: [Timestamp] = []
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Timestamp

    init(seed: UInt64, now: @escaping @Sendable () -> Timestamp) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
        self.now = now
    }

    /// Times of candle requests.
    var readings: [Timestamp] { state.withLock { $0.readings } }

    func fail(_ error: DataSourceError?) { state.withLock { $0.refusal = error } }

    /// Trades up to three times at this moment.
    func trade() -> [Trade] {
        let now = now()
        return state.withLock { state in
            let trades = (0..<Int.random(in: 0...3, using: &state.generator)).map { _ in
                state.number += 1
                return Trade(
                    market: Self.markets.randomElement(using: &state.generator) ?? "BTC_KRW",
                    price: FixedDecimal(1_000 + state.number * 7_919 % 1_000),
                    quantity: FixedDecimal(Int64.random(in: 1...9, using: &state.generator)),
                    side: .buy,
                    executedAt: now
                )
            }
            for trade in trades { state.trades[trade.market, default: []].append(trade) }
            return trades
        }
    }

    /// The candles of a market, from all its trades.
    func rows(of market: MarketID) -> [CandleDTO] {
        let trades = state.withLock { $0.trades[market] ?? [] }
        let minutes = Dictionary(grouping: trades) { $0.executedAt.second / 60 }
        return minutes.sorted { $0.key < $1.key }.compactMap { minute, trades in
            let prices = trades.map { Self.wire($0.price) }
            guard let open = prices.first, let close = prices.last,
                let high = prices.max(by: { $0.mantissa < $1.mantissa }),
                let low = prices.min(by: { $0.mantissa < $1.mantissa })
            else { return nil }
            let volume = trades.reduce(Int128(0)) { $0 + Self.wire($1.quantity).mantissa }
            return CandleDTO(
                atMilliseconds: minute * 60_000,
                open: open,
                close: close,
                high: high,
                low: low,
                volume: WireDecimal(mantissa: volume, scale: 0)
            )
        }
    }

    func candles(
        symbol: String,
        interval: String,
        reach: CandleReach
    ) async throws(DataSourceError) -> CandlesDTO {
        let now = now()
        let refusal = state.withLock { state in
            state.readings.append(now)
            return state.refusal
        }
        if let refusal { throw refusal }
        return CandlesDTO(rows: MarketID(name: symbol).map { rows(of: $0) } ?? [])
    }

    private static func wire(_ number: FixedDecimal) -> WireDecimal {
        WireDecimal(mantissa: number.units / 1_000_000_000_000_000_000, scale: 0)
    }
}
