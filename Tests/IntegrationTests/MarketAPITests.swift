import DataSourceContracts
import DataSourcesBithumb
import DataSourcesHTTP
import DataSourcesWebSocket
import Domain
import ExchangeSimulator
import Testing

@testable import App

/// hoga's readers of API 2.x against the simulated exchange, over sockets.
@Suite("API 2.x from end to end", .tags(.threads), .timeLimit(.minutes(4)))
struct MarketAPITests {
    static let markets = ["KRW-BTC", "KRW-XRP", "BTC-ETH"]
    static let requestTimeout = Duration.seconds(30)
    static let batchInterval = Duration.milliseconds(10)

    struct Clients {
        let simulator: ExchangeSimulator
        let source: BithumbMarketDataSource
        let streams: CurlWebSocketTransport
    }

    static func run(
        compression: ExchangeSimulator.Compression = .withContext,
        faults: [SimulatorFault] = [],
        _ job: @escaping @Sendable (Clients) async throws -> Void
    ) async throws {
        var configuration = ExchangeSimulator.Configuration(
            host: "127.0.0.1",
            port: 0,
            feed: .markets(won: 12, bitcoin: 3, rate: 500)
        )
        configuration.compression = compression
        let simulator = try ExchangeSimulator(configuration, now: SystemSources.now)
        for fault in faults { simulator.start(fault) }
        let transport = try CurlHTTPTransport(userAgent: "test", authorityFile: nil)
        let client = BithumbClient(
            transport: transport,
            baseURL: simulator.restURL,
            rateLimiter: RequestRateLimiter(clock: ContinuousClock()),
            timeout: requestTimeout
        )
        let clients = Clients(
            simulator: simulator,
            source: BithumbMarketDataSource(client: client),
            streams: try CurlWebSocketTransport(
                userAgent: "test",
                authorityFile: nil,
                randomBytes: SystemSources.randomBytes,
                clock: ContinuousClock()
            )
        )
        let outcome = await Lifecycle.run(
            services: [
                { @Sendable in await simulator.run() }, { @Sendable in await transport.run() },
            ]
        ) { () async -> Swift.Result<Void, any Error> in
            do { return .success(try await job(clients)) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    @Test("every row of tickers, books, trades and candles is read")
    func rest() async throws {
        try await Self.run { clients in
            let tickers = try await clients.source.tickers(markets: Self.markets)
            #expect(tickers.tickers.map(\.market) == Self.markets && tickers.skippedCount == 0)
            for ticker in tickers.tickers {
                let at = Timestamp(milliseconds: ticker.tradedAtMilliseconds)
                // Nine hours would remain if the fault of the exchange was not corrected.
                #expect(abs(SystemSources.now().duration(since: at)) < .seconds(8 * 3_600))
            }
            let books = try await clients.source.orderBooks(markets: Self.markets)
            #expect(books.books.map(\.symbol) == Self.markets && books.skippedCount == 0)
            let trades = try await clients.source.trades(market: "KRW-BTC", count: 500)
            #expect(trades.trades.count == 500 && trades.skippedCount == 0)
            for unit in [.minutes(1), .minutes(240), .days, .weeks, .months]
                as [BithumbMarketDataSource.CandleUnit]
            {
                let page = try await clients.source.candles(
                    market: "BTC-ETH",
                    unit: unit,
                    count: 20
                )
                #expect(page.rows.count > 5 && page.skippedCount == 0, "\(unit)")
                let last = try #require(page.rows.last).atMilliseconds / 1_000
                let older = try await clients.source.candles(
                    market: "BTC-ETH",
                    unit: unit,
                    before: last,
                    count: 1
                )
                #expect(older.rows.allSatisfy { $0.atMilliseconds / 1_000 < last })
            }
        }
    }

    @Test(
        "every frame of the stream is read, compressed or not, and its trades are those of REST",
        arguments: [
            (.withContext, false), (.off, true), (.withoutContext, true), (.withContext, true),
        ] as [(ExchangeSimulator.Compression, Bool)]
    )
    func stream(compression: ExchangeSimulator.Compression, isOffered: Bool) async throws {
        try await Self.run(compression: compression) { clients in
            let connection = try await clients.streams.open(
                url: clients.simulator.marketStreamURL,
                timeout: Self.requestTimeout,
                pingInterval: nil,
                offersCompression: isOffered
            )
            let codes = Self.markets.map { "\"\($0)\"" }.joined(separator: ",")
            let types = ["ticker", "trade", "orderbook"]
                .map { #"{"type":"\#($0)","codes":[\#(codes)]}"# }
            try await connection.send(
                text: #"[{"ticket":"test"},\#(types.joined(separator: ","))]"#
            )
            var decoder = StreamDecoder(.v2)
            var trades: [MarketTradeDTO] = []
            var (tickers, books) = (Set<String>(), Set<String>())
            while trades.count < 100 || tickers.count < 3 || books.count < 3 {
                let batch = try await connection.receive(batchInterval: Self.batchInterval)
                for message in decoder.decode(batch) {
                    switch message {
                    case .marketTicker(let ticker): tickers.insert(ticker.market)
                    case .trade(let trade): trades.append(trade)
                    case .orderBook(let book): books.insert(book.symbol)
                    case .status, .skipped, .unknown, .ticker, .transactions, .depth:
                        Issue.record("\(message)")
                    }
                }
            }
            await connection.close()
            let rest = try await clients.source.trades(market: "KRW-BTC", count: 500).trades
            func isEqual(_ one: MarketTradeDTO, _ other: MarketTradeDTO) -> Bool {
                one.atMilliseconds == other.atMilliseconds && one.price == other.price
                    && one.quantity == other.quantity && one.takerBought == other.takerBought
            }
            for trade in trades where trade.market == "KRW-BTC" {
                #expect(rest.contains { isEqual($0, trade) })
            }
        }
    }
}

private func abs(_ duration: Duration) -> Duration {
    duration < .zero ? .zero - duration : duration
}
