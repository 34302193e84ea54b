import Concurrency
import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import UseCases

@testable import Repositories

/// An exchange in memory whose books are served by both generations, and a feed of details.
struct DetailGenerationHarness {
    /// The sources of one generation.
    struct API {
        let streams: ScriptedStreamSource
        let books: InMemoryOrderBookSource
        let trades: InMemoryTradeHistorySource
    }

    let tasks = SteppedTasks()
    let selector: GenerationSelector
    private let apis: [APIGeneration: API]
    private let interests = DetailInterests()
    private let feed: LiveDetailFeed
    private let reader = DetailReader()

    init() {
        let clock = tasks.clock
        let log = AccessLog(clock: clock)
        let apis = Dictionary(
            uniqueKeysWithValues: APIGeneration.allCases.map { generation in
                let streams = ScriptedStreamSource(log: log, clock: clock, generation: generation)
                let (books, trades) = (
                    InMemoryOrderBookSource(log: log), InMemoryTradeHistorySource(log: log)
                )
                trades.put(
                    TradeHistoryDTO(trades: [], isPaged: generation == .v2),
                    symbol: "BTC_KRW"
                )
                return (generation, API(streams: streams, books: books, trades: trades))
            }
        )
        let selector = GenerationSelector(Set(APIGeneration.allCases), clock: clock) { _ in nil }
        let candles = InMemoryCandleSource(log: log)
        let details = SelectedDetailSources(
            trades: apis.mapValues { $0.trades },
            candles: apis.mapValues { _ in candles },
            selector: selector
        )
        (self.apis, self.selector) = (apis, selector)
        feed = LiveDetailFeed(
            parts: .init(
                interests: interests,
                books: SelectedBooks(
                    streams: apis.mapValues { $0.streams },
                    books: apis.mapValues { $0.books },
                    selector: selector
                ),
                trades: details,
                candles: details,
                clock: clock,
                now: { Timestamp.noon().advanced(by: clock.now.offset) },
                exchangeClockLead: { .zero },
                random: { 0 }
            )
        )
        for generation in APIGeneration.allCases {
            for coin in ["BTC", "ETH"] { put(coin, generation) }
        }
    }

    func drive(_ drive: () throws -> Void) async throws {
        let (feed, reader) = (feed, reader)
        try await tasks.running({ await feed.run { reader.apply($0) } }, drive: drive)
    }

    var board: MarketBoard { reader.board.withLock { $0 } }
    /// The book of bitcoin.
    var shown: LocalOrderBook? { board.details["BTC_KRW"]?.book }
    /// The failed requests that were told.
    var failures: [DetailInterest] { reader.failures.withLock { $0 } }

    func books(_ generation: APIGeneration) -> InMemoryOrderBookSource { api(generation).books }
    func trades(_ generation: APIGeneration) -> InMemoryTradeHistorySource {
        api(generation).trades
    }
    func streams(_ generation: APIGeneration) -> [ScriptedStream] {
        api(generation).streams.streams
    }

    func look(_ interest: DetailInterest) -> DetailLease? {
        let lease = interests.enter([interest])
        tasks.settle()
        return lease
    }

    func leave(_ lease: DetailLease?) {
        lease?.release()
        tasks.settle()
    }

    /// Sends a whole book on the newest connection of a generation.
    func frame(_ generation: APIGeneration, _ coin: String = "BTC") {
        streams(generation).last?.send(.orderBook(book(coin, generation)))
        tasks.settle()
    }

    /// The stream of a generation accepts connections, or refuses them.
    func setReachable(_ isReachable: Bool, _ generation: APIGeneration) {
        let failure = DataSourceError(.timedOut, "no greeting")
        api(generation).streams.refuse(with: isReachable ? nil : failure)
    }

    /// Ends the newest connection of a generation.
    func hangUp(_ generation: APIGeneration) {
        streams(generation).last?.fail(DataSourceError(.disconnected, "the test hung up"))
        tasks.settle()
    }

    /// Data of a generation arrive.
    func flow(_ generation: APIGeneration) { selector.noteData(of: generation) }

    /// A generation is left.
    func end(_ generation: APIGeneration, on channel: GenerationChannel) {
        flow(generation.other)
        let gone = DataSourceError(.httpStatus(404), "HTTP status 404")
        for _ in 0..<3 { selector.note(gone, of: generation, on: channel) }
        tasks.settle()
    }

    /// A generation that was left is used again.
    func restore(_ generation: APIGeneration) {
        for _ in 0..<2 { selector.noteProbe(nil, of: generation) }
        flow(generation)
        tasks.settle()
    }

    private func api(_ generation: APIGeneration) -> API {
        guard let api = apis[generation] else { preconditionFailure("Both have sources.") }
        return api
    }

    private func put(_ coin: String, _ generation: APIGeneration) {
        var book = book(coin, generation)
        // Sources are asked by the names of API 1.x.
        let symbol = coin + "_KRW"
        if generation == .v2 { book.symbol = "KRW-" + coin }
        api(generation).books.put(book, symbol: symbol)
    }

    private func book(_ coin: String, _ generation: APIGeneration) -> OrderBookDTO {
        OrderBookDTO(
            symbol: generation == .v1 ? coin + "_KRW" : "KRW-" + coin,
            atMicroseconds: Timestamp.noon().advanced(by: tasks.clock.now.offset).microseconds,
            asks: [BookLevelDTO(price: "101", quantity: "2")],
            bids: [BookLevelDTO(price: "99", quantity: "2")]
        )
    }
}

private final class DetailReader: Sendable {
    let board: Mutex<MarketBoard>
    let failures = Mutex<[DetailInterest]>([])

    init() {
        var board = MarketBoard(kind: .live)
        let markets: [MarketID] = ["BTC_KRW", "ETH_KRW"]
        let listing = Listing(at: .noon(), markets.map { ListingEntry($0, price: "100") })
        board.apply(.listing(listing), at: .noon())
        self.board = Mutex(board)
    }

    func apply(_ batch: DetailEventBatch) -> DetailNeeds {
        for case .feed(.failed(let interest, _, _)) in batch.events {
            failures.withLock { $0.append(interest) }
        }
        return board.withLock { board in
            _ = board.apply(batch)
            return board.detailNeeds
        }
    }
}
