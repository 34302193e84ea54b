import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import UseCases

@testable import Repositories

/// A live feed of details between an exchange in memory and a board, driven step by step.
struct DetailFeedHarness {
    let tasks = SteppedTasks()
    let interests = DetailInterests()
    let log: AccessLog
    let streams: ScriptedStreamSource
    let books: InMemoryOrderBookSource
    let trades: InMemoryTradeHistorySource
    let candles: InMemoryCandleSource
    let store = InMemoryStore()
    let archive: MarketArchive
    let feed: LiveDetailFeed
    private let reader: Reader
    private let start: Timestamp
    private let clockLead: Lead

    /// A harness whose exchange lists BTC, ETH and XRP in won.
    ///
    /// - Parameters:
    ///   - generation: the API of the exchange's stream.
    ///   - start: what wall clocks show when the feed starts.
    ///   - lead: how far the exchange's clock is ahead; nil for a recording.
    ///   - random: spreads waits; zero makes them as short as they may be.
    init(
        _ generation: APIGeneration = .v1,
        start: Timestamp = .noon(),
        lead: Duration? = .zero,
        random: @escaping @Sendable () -> UInt64 = { 0 }
    ) {
        let clock = tasks.clock
        log = AccessLog(clock: clock)
        streams = ScriptedStreamSource(log: log, clock: clock, generation: generation)
        books = InMemoryOrderBookSource(log: log)
        trades = InMemoryTradeHistorySource(log: log)
        candles = InMemoryCandleSource(log: log)
        reader = Reader(clock: clock)
        self.start = start
        let clockLead = Lead(lead)
        self.clockLead = clockLead
        archive = MarketArchive(
            expecting: .live,
            parts: .init(
                store: store,
                latest: SnapshotPublisher(
                    BoardSnapshot(board: MarketBoard(kind: .live), sequence: 0, capturedAt: start)
                ),
                clock: clock,
                now: { start.advanced(by: clock.now.offset) },
                onFailure: { _ in }
            )
        )
        archive.identify(.live)
        feed = LiveDetailFeed(
            parts: .init(
                interests: interests,
                books: SelectedBooks(
                    streams: [generation: streams],
                    books: [generation: books],
                    selector: GenerationSelector([generation], clock: clock) { _ in nil }
                ),
                trades: trades,
                candles: candles,
                clock: clock,
                now: { start.advanced(by: clock.now.offset) },
                exchangeClockLead: { clockLead.value },
                random: random,
                archive: archive
            )
        )
        for symbol in ["BTC_KRW", "ETH_KRW", "XRP_KRW"] { put(book: symbol) }
    }

    func drive(_ drive: () throws -> Void) async throws {
        let (feed, reader) = (feed, reader)
        try await tasks.running(
            { await feed.run { batch in reader.take(batch) } },
            drive: drive
        )
    }

    // MARK: The exchange

    /// Sets how far the exchange's clock seems to be ahead.
    func setLead(_ lead: Duration) { clockLead.set(lead) }

    /// Sets the exchange's book.
    func put(book symbol: String, bid: WireDecimal = "99", ask: WireDecimal = "101") {
        books.put(
            OrderBookDTO(
                symbol: symbol,
                atMicroseconds: now.microseconds,
                asks: [BookLevelDTO(price: ask, quantity: "1")],
                bids: [BookLevelDTO(price: bid, quantity: "1")]
            )
        )
    }

    /// Sets the exchange's candles of an interval to one candle of the current time.
    func put(candles symbol: String, _ interval: String) {
        candles.put(
            CandlesDTO(rows: [
                CandleDTO(
                    atMilliseconds: now.microseconds / 1_000,
                    open: "1",
                    close: "2",
                    high: "3",
                    low: "1",
                    volume: "4"
                )
            ]),
            symbol: symbol,
            interval: interval
        )
    }

    /// Sets them to one row that cannot be read.
    func putUnreadable(candles symbol: String, _ interval: String) {
        candles.put(
            CandlesDTO(rows: [], skippedCount: 1),
            symbol: symbol,
            interval: interval
        )
    }

    /// Sends a snapshot on a connection, by default the newest one.
    func snapshot(_ symbol: String = "BTC_KRW", on index: Int? = nil) {
        send(
            .orderBook(
                OrderBookDTO(
                    symbol: symbol,
                    atMicroseconds: now.microseconds,
                    asks: [BookLevelDTO(price: "101", quantity: "2")],
                    bids: [BookLevelDTO(price: "99", quantity: "2")]
                )
            ),
            on: index
        )
    }

    /// Sends one change of a book on a connection, by default the newest one.
    func change(_ symbol: String = "BTC_KRW", on index: Int? = nil) {
        send(.depth(.bid(symbol, at: now)), on: index)
    }

    /// Acknowledges all requests.
    func acknowledge(_ count: Int = 2, on index: Int? = nil) {
        for _ in 0..<count { say("0000", "Filter Registered Successfully", on: index) }
    }

    /// Sends a status of the server.
    func say(_ status: String, _ message: String, on index: Int? = nil) {
        send(.status(StreamStatusDTO(status: status, message: message)), on: index)
    }

    /// Sends a message on a connection, by default the newest one.
    func send(_ message: StreamMessageDTO, on index: Int? = nil) {
        let all = streams.streams
        (index.map { all[$0] } ?? all.last)?.send(message)
        tasks.settle()
    }

    /// Ends a connection from the exchange's side.
    func hangUp(_ code: DataSourceError.Code = .disconnected, on index: Int? = nil) {
        let all = streams.streams
        let stream = index.map { all[$0] } ?? all.last
        stream?.fail(DataSourceError(code, "the test hung up"))
        tasks.settle()
    }

    // MARK: The readers

    /// Begins to look.
    func look(_ market: MarketID, _ facets: DetailFacet...) -> DetailLease? {
        let lease = interests.enter(
            Set(facets.map { DetailInterest(market: market, facet: $0) })
        )
        tasks.settle()
        return lease
    }

    /// Ends looking.
    func leave(_ lease: DetailLease?) {
        lease?.release()
        tasks.settle()
    }

    /// Overrides the details that the board lacks; nil ends the override.
    func lack(_ readings: Set<DetailInterest>?) { reader.lack(readings) }

    // MARK: Results

    /// The current wall-clock time.
    var now: Timestamp { start.advanced(by: tasks.clock.now.offset) }
    /// The time since the start.
    var elapsed: Duration { tasks.clock.now.offset }
    /// The current board.
    var board: MarketBoard { reader.board }
    /// Every event so far, with the test clock's time.
    var events: [(at: Duration, event: DetailEvent)] { reader.events }
    /// The feed events so far.
    var detailEvents: [DetailFeedEvent] {
        events.compactMap { if case .feed(let event) = $0.event { event } else { nil } }
    }
    /// The whole books that were delivered.
    var deliveredBooks: [OrderBookSnapshot] {
        events.compactMap { if case .orderBook(let book) = $0.event { book } else { nil } }
    }
    /// The number and times of batches without an event.
    var questions: [Duration] { reader.questions }
    /// When connections were tried.
    var connectionTimes: [Duration] { log.times { $0 == .connection } }
    /// When connections were closed.
    var closeTimes: [Duration] { log.times { $0 == .close } }
    /// The markets that were subscribed, request by request, for each type.
    var subscriptions: [[String: [String]]] {
        log.requests.compactMap { request in
            guard case .subscription(let list) = request else { return nil }
            return Dictionary(list.map { ($0.type, $0.symbols) }) { $1 }
        }
    }
    /// When a market's book was read over REST.
    func bookTimes(_ symbol: String = "BTC_KRW") -> [Duration] {
        log.times { $0 == .orderBook(symbol: symbol) }
    }
    /// When candles were read, of whatever market.
    var candleTimes: [Duration] {
        log.times { if case .candles = $0 { true } else { false } }
    }
    /// When candles of a market were read.
    func candleTimes(_ symbol: String, _ interval: String) -> [Duration] {
        log.times { $0 == .candles(symbol: symbol, interval: interval) }
    }
}

extension OrderBookDepthDTO {
    /// One bid that rests at 98 now.
    static func bid(_ symbol: String, at: Timestamp) -> OrderBookDepthDTO {
        OrderBookDepthDTO(
            symbol: symbol,
            atMicroseconds: at.microseconds,
            changes: [Change(isAsk: false, price: "98", quantity: "1")]
        )
    }
}

extension Array where Element == Duration {
    /// The most of them that lie within one second.
    var mostInOneSecond: Int {
        let times = sorted()
        return times.map { first in
            times.count { $0 >= first && $0 < first + .seconds(1) }
        }.max() ?? 0
    }
}

private final class Lead: Sendable {
    private let lead: Mutex<Duration?>
    init(_ lead: Duration?) { self.lead = Mutex(lead) }
    var value: Duration? { lead.withLock(\.self) }
    func set(_ value: Duration) { lead.withLock { $0 = value } }
}

private final class Reader: Sendable {
    private struct State {
        var board = MarketBoard(kind: .live)
        var events: [(at: Duration, event: DetailEvent)] = []
        var questions: [Duration] = []
        var lacking: Set<DetailInterest>?
    }

    private let clock: ManualClock
    private let state: Mutex<State>

    init(clock: ManualClock) {
        self.clock = clock
        var state = State()
        let symbols: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW"]
        let listing = Listing(at: .noon(), symbols.map { ListingEntry($0, price: "100") })
        state.board.apply(.listing(listing), at: .noon())
        self.state = Mutex(state)
    }

    var board: MarketBoard { state.withLock { $0.board } }
    var events: [(at: Duration, event: DetailEvent)] { state.withLock { $0.events } }
    var questions: [Duration] { state.withLock { $0.questions } }

    func lack(_ readings: Set<DetailInterest>?) { state.withLock { $0.lacking = readings } }

    func take(_ batch: DetailEventBatch) -> DetailNeeds {
        let at = clock.now.offset
        return state.withLock { state in
            _ = state.board.apply(batch)
            state.events += batch.events.map { (at, $0) }
            if batch.events.isEmpty, batch.frameCount == 0 { state.questions.append(at) }
            return state.lacking.map { DetailNeeds(readings: $0) } ?? state.board.detailNeeds
        }
    }
}
