import Concurrency
import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing

@testable import Repositories

@Suite("A feed over both API generations takes each fact from one of them")
struct SelectedMarketFeedTests {
    @Test("prices and trades come from 2.x, and of 1.x the rolling periods alone count")
    func division() async throws {
        let exchange = TwoGenerations()
        try await exchange.drive {
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.api == .v2)
            let types = exchange.subscriptions(of: .v1).map(\.type)
            #expect(types == ["ticker"])
            #expect(
                exchange.subscriptions(of: .v1).first?.tickTypes == ["24H", "12H", "1H", "30M"]
            )
            #expect(exchange.subscriptions(of: .v2).map(\.type) == ["ticker", "transaction"])
            exchange.trade(.v2, price: "110")
            exchange.frame(open: "100", close: "999")
            let market = try #require(exchange.board.market("BTC_KRW"))
            #expect(market.price == "110", "the other generation's price does not count")
            let change = exchange.board.change(of: market, over: .hour1, now: exchange.now)
            #expect(change.amount == "10", "its base does")
            exchange.trade(.v1, price: "555")
            #expect(exchange.board.market("BTC_KRW")?.price == "110")
            #expect(exchange.board.tape(of: "BTC_KRW").count == 1)
        }
    }

    @Test("1.x takes over when 2.x is gone, and gives back when it answers again")
    func takeover() async throws {
        let exchange = TwoGenerations()
        try await exchange.drive {
            exchange.trade(.v2, price: "110")
            exchange.end(.v2)
            // The listing and the stream are asked for again, and say so three times.
            exchange.advance(seconds: 4) { exchange.frame(open: "100", close: "100") }
            #expect(exchange.selector.inUse.value == [.v1])
            #expect(exchange.subscriptions(of: .v1).map(\.type) == ["ticker", "transaction"])
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.api == .v1)
            exchange.trade(.v1, price: "120")
            #expect(exchange.board.market("BTC_KRW")?.price == "120")

            exchange.restore(.v2)
            exchange.advance(seconds: 605) { exchange.trade(.v1, price: "121") }
            #expect(exchange.selector.inUse.value == [.v1], "one good probe is not enough")
            exchange.advance(seconds: 12) { exchange.trade(.v1, price: "122") }
            #expect(exchange.selector.inUse.value == Set(APIGeneration.allCases))
            exchange.trade(.v2, price: "130")
            #expect(exchange.board.market("BTC_KRW")?.price == "130")
            #expect(exchange.board.feed.connection == .live)
            exchange.trade(.v1, price: "131")
            #expect(exchange.board.market("BTC_KRW")?.price == "130")
        }
    }

    @Test("the end of 1.x changes no price; its silence is noticed after 45 s")
    func endOfV1() async throws {
        let exchange = TwoGenerations()
        try await exchange.drive {
            exchange.end(.v1)
            exchange.advance(seconds: 4) { exchange.trade(.v2, price: "110") }
            #expect(exchange.selector.inUse.value == [.v2])
            #expect(exchange.selector.ofBooks == .v2)
            #expect(exchange.board.feed.connection == .live)
            #expect(exchange.board.feed.reconnects == 0)
        }
        let silent = TwoGenerations()
        try await silent.drive {
            silent.trade(.v2, price: "110")
            silent.frame(open: "100", close: "100")
            silent.advance(seconds: 44) { silent.trade(.v2, price: "110") }
            #expect(silent.selector.inUse.value == Set(APIGeneration.allCases))
            silent.advance(seconds: 3) { silent.trade(.v2, price: "110") }
            #expect(silent.selector.inUse.value == [.v2])
            #expect(silent.board.feed.connection == .live)
        }
    }

    @Test("without either generation it is an outage, and the next that answers is used")
    func outage() async throws {
        let exchange = TwoGenerations()
        try await exchange.drive {
            exchange.end(.v2)
            exchange.advance(seconds: 4) { exchange.frame(open: "100", close: "100") }
            exchange.end(.v1)
            exchange.advance(seconds: 20) {}
            #expect(exchange.selector.inUse.value == [.v1])
            guard case .reconnecting = exchange.board.feed.connection else {
                Issue.record("\(exchange.board.feed.connection)")
                return
            }
            exchange.restore(.v2)
            exchange.advance(seconds: 30) {}
            #expect(exchange.selector.inUse.value == [.v2])
            #expect(exchange.board.feed.connection == .live)
        }
    }
}

/// An exchange in memory that serves both generations of its API, and a feed over both.
private struct TwoGenerations {
    let tasks = SteppedTasks()
    let selector: GenerationSelector
    private let logs: [APIGeneration: AccessLog]
    private let streams: [APIGeneration: ScriptedStreamSource]
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
        let tickers = InMemoryTickerSource(log: AccessLog(clock: clock))
        let names = InMemoryMarketReferenceSource(log: AccessLog(clock: clock))
        let marketTickers = InMemoryMarketTickerSource(log: AccessLog(clock: clock))
        let readers: [APIGeneration: ListingReader] = [
            .v1: .v1(tickers), .v2: .v2(names, marketTickers),
        ]
        let selector = GenerationSelector(Set(APIGeneration.allCases), clock: clock) {
            (try? await readers[$0]?.isAnswered()) == true
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
                    onAnswer: { selector.note($0, of: generation) }
                )
            )
        }
        (self.logs, self.streams, self.selector) = (logs, streams, selector)
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
                    reader.board.withLock { board in
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

    /// Lets seconds pass, with something that happens in each.
    func advance(seconds: Int, _ happens: () -> Void) {
        for _ in 0..<seconds {
            happens()
            tasks.advance(by: .seconds(1))
        }
    }

    func trade(_ generation: APIGeneration, price: WireDecimal) {
        let at = now.microseconds
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

    /// A generation is not there any more: 404 everywhere, and its stream ends.
    func end(_ generation: APIGeneration) {
        let gone = DataSourceError(.httpStatus(404), "HTTP status 404")
        streams[generation]?.refuse(with: gone)
        switch generation {
        case .v1: for quote in ["KRW", "BTC"] { tickers.fail(gone, quote: quote) }
        case .v2: names.failNames(gone)
        }
        streams[generation]?.streams.last?.fail(DataSourceError(.disconnected, "gone"))
        tasks.settle()
    }

    /// A generation serves one won market.
    func restore(_ generation: APIGeneration) {
        streams[generation]?.refuse(with: nil)
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
}
