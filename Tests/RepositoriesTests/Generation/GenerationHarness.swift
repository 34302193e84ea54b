import Concurrency
import DataSourceContracts
import Domain
import Synchronization
import TestSupport

@testable import Repositories

/// An exchange in memory that serves both generations of its API, and a feed over both.
struct GenerationHarness {
    let tasks = SteppedTasks()
    let selector: GenerationSelector
    private let logs: [APIGeneration: AccessLog]
    private let streams: [APIGeneration: ScriptedStreamSource]
    /// The same streams, as probes see them.
    private let probed: [APIGeneration: ScriptedStreamSource]
    private let tickers: InMemoryTickerSource
    private let names: InMemoryMarketReferenceSource
    private let marketTickers: InMemoryMarketTickerSource
    private let feed: SelectedMarketFeed
    private let reader = Reader()

    init() {
        let clock = tasks.clock
        let logs = Dictionary(
            uniqueKeysWithValues: APIGeneration.allCases.map { ($0, AccessLog(clock: clock)) }
        )
        var streams: [APIGeneration: ScriptedStreamSource] = [:]
        for (generation, log) in logs {
            streams[generation] = ScriptedStreamSource(
                log: log,
                clock: clock,
                generation: generation
            )
        }
        let probed = Dictionary(
            uniqueKeysWithValues: APIGeneration.allCases.map {
                let log = AccessLog(clock: clock)
                return ($0, ScriptedStreamSource(log: log, clock: clock, generation: $0))
            }
        )
        let tickers = InMemoryTickerSource(log: AccessLog(clock: clock))
        let names = InMemoryMarketReferenceSource(log: AccessLog(clock: clock))
        let marketTickers = InMemoryMarketTickerSource(log: AccessLog(clock: clock))
        let readers: [APIGeneration: ListingReader] = [
            .v1: .v1(tickers), .v2: .v2(names, marketTickers),
        ]
        let selector = GenerationSelector(Set(APIGeneration.allCases), clock: clock) {
            do throws(DataSourceError) {
                try await readers[$0]?.check()
                await (try probed[$0]?.connect())?.close()
                return nil
            } catch {
                return error
            }
        }
        let now: @Sendable () -> Timestamp = { Timestamp.noon().advanced(by: clock.now.offset) }
        let identity = FeedIdentity(expecting: .live)
        var feeds: [APIGeneration: LiveMarketFeed] = [:]
        for (generation, source) in streams {
            guard let listings = readers[generation] else { continue }
            feeds[generation] = LiveMarketFeed(
                kind: .live,
                identity: identity,
                parts: .init(
                    listings: listings,
                    streams: source,
                    clock: clock,
                    now: now,
                    random: { 0 },
                    onAnswer: { selector.note($1, of: generation, on: $0) }
                )
            )
        }
        (self.logs, self.streams, self.selector) = (logs, streams, selector)
        self.probed = probed
        (self.tickers, self.names, self.marketTickers) = (tickers, names, marketTickers)
        feed = SelectedMarketFeed(feeds, selector: selector, now: now)
        restore(.v1)
        restore(.v2)
    }

    var now: Timestamp { .noon().advanced(by: tasks.clock.now.offset) }
    var board: MarketBoard { reader.board.withLock { $0 } }

    func drive(_ drive: () throws -> Void) async throws {
        let (feed, reader) = (feed, reader)
        try await tasks.running(
            {
                await feed.run { batch in
                    let hasTrades = batch.events.contains {
                        if case .trade = $0 { true } else { false }
                    }
                    _ = await reader.held.first {
                        $0 == .nothing || $0 == .trades && !hasTrades
                    }
                    return reader.board.withLock { board in
                        _ = board.apply(batch)
                        return board.feed
                    }
                }
            },
            drive: drive
        )
    }

    /// The last subscriptions of a generation.
    func subscriptions(of generation: APIGeneration) -> [StreamSubscriptionDTO] {
        let lists = logs[generation]?.requests.compactMap { request in
            if case .subscription(let list) = request { list } else { nil }
        }
        return lists?.last ?? []
    }

    /// The batches that wait on their way to the board.
    enum Held: Sendable {
        case nothing
        case trades
        case everything
    }

    /// Lets what is delivered wait, or go on.
    func hold(_ held: Held) {
        reader.held.update { $0 = held }
        tasks.settle()
    }

    /// Ends API 2.x and restores it, until both generations are in use and 1.x is the primary one.
    func leaveAndReturn() {
        trade(.v2, price: "110")
        end(.v2)
        advance(seconds: 4) { frame(open: "100", close: "100") }
        restore(.v2)
        advance(seconds: 620) { trade(.v1, price: "121") }
    }

    /// Lets seconds pass, with something that happens in each.
    func advance(seconds: Int, _ happens: () -> Void) {
        for _ in 0..<seconds {
            happens()
            tasks.advance(by: .seconds(1))
        }
    }

    /// A trade that was executed some time before its message arrives.
    func trade(_ generation: APIGeneration, price: WireDecimal, late: Duration = .zero) {
        let at = now.advanced(by: .zero - late).microseconds
        let message: StreamMessageDTO =
            switch generation {
            case .v1: .transactions([TransactionDTO("BTC_KRW", price: price, atMicroseconds: at)])
            case .v2:
                .trade(
                    MarketTradeDTO(
                        market: "KRW-BTC",
                        atMilliseconds: at / 1_000,
                        takerBought: true,
                        price: price,
                        quantity: "1",
                        sequentialID: nil
                    )
                )
            }
        streams[generation]?.streams.last?.send(message)
        tasks.settle()
    }

    /// A frame of API 2.x that tells the state at the subscription.
    func state(price: WireDecimal) {
        var ticker = MarketTickerDTO(
            market: "KRW-BTC",
            tradedAtMilliseconds: now.microseconds / 1_000,
            tradePrice: price
        )
        ticker.isSnapshot = true
        streams[.v2]?.streams.last?.send(.marketTicker(ticker))
        tasks.settle()
    }

    /// The tickers of API 2.x are not there any more; its names are, and its stream.
    func endTickers() {
        marketTickers.fail(DataSourceError(.httpStatus(404), "HTTP status 404"))
        feed.reload()
        tasks.settle()
    }

    /// How the exchange may end a generation, or a computer lose its way to it.
    static let ends = [
        DataSourceError(.httpStatus(404), "HTTP status 404"),
        DataSourceError(.unknownHost, "the name does not resolve"),
    ]

    /// The stream of a generation is not there any more; REST goes on.
    func endStream(of generation: APIGeneration, as error: DataSourceError = ends[0]) {
        refuseStreams(of: generation, with: error)
        streams[generation]?.streams.last?.fail(DataSourceError(.disconnected, "gone"))
        tasks.settle()
    }

    /// A frame of one hour from API 1.x.
    func frame(open: WireDecimal, close: WireDecimal) {
        let ticker = StreamTickerDTO(
            symbol: "BTC_KRW",
            tickType: "1H",
            atMicroseconds: now.microseconds,
            openPrice: open,
            closePrice: close,
            lowPrice: open,
            highPrice: close,
            value: "1",
            volume: "1",
            sellVolume: "1",
            buyVolume: "1",
            prevClosePrice: open,
            chgRate: "0",
            chgAmt: "0",
            volumePower: "1"
        )
        streams[.v1]?.streams.last?.send(.ticker(ticker))
        tasks.settle()
    }

    /// A generation is not there any more: the same answer everywhere, and its stream ends.
    func end(_ generation: APIGeneration, as gone: DataSourceError = ends[0]) {
        refuseStreams(of: generation, with: gone)
        switch generation {
        case .v1: for quote in ["KRW", "BTC"] { tickers.fail(gone, quote: quote) }
        case .v2: names.failNames(gone)
        }
        streams[generation]?.streams.last?.fail(DataSourceError(.disconnected, "gone"))
        tasks.settle()
    }

    private func refuseStreams(of generation: APIGeneration, with error: DataSourceError?) {
        streams[generation]?.refuse(with: error)
        probed[generation]?.refuse(with: error)
    }

    /// A generation serves one won market.
    func restore(_ generation: APIGeneration) {
        refuseStreams(of: generation, with: nil)
        switch generation {
        case .v1:
            for quote in ["KRW", "BTC"] {
                let coins = [TickerDTO(quote == "KRW" ? "BTC" : "ETH", price: "100", value24h: "9")]
                tickers.put(TickerAllDTO(tickers: coins), quote: quote)
            }
        case .v2:
            names.put(
                MarketNamesDTO(
                    markets: [
                        MarketNameDTO(market: "KRW-BTC", korean: "", english: "", isWarned: nil)
                    ]
                )
            )
            var ticker = MarketTickerDTO(
                market: "KRW-BTC",
                tradedAtMilliseconds: Timestamp.noon().microseconds / 1_000,
                tradePrice: "100"
            )
            ticker.accTradePrice24H = "9"
            marketTickers.put(MarketTickersDTO(tickers: [ticker]))
        }
    }
}

private final class Reader: Sendable {
    let board = Mutex(MarketBoard(kind: .live))
    let held = AsyncValue(GenerationHarness.Held.nothing)
}
