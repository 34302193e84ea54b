import Concurrency
import DataSourceContracts
import DataSourcesHTTP
import DataSourcesBithumb
import Domain
import ViewStates
import Repositories

/// The checks of the exchange: each REST address, the WebSocket stream and the clock.
struct ExchangeChecks: Sendable {
    /// The market to request if no list of markets is available.
    private static let likelyMarket = "BTC_KRW"
    /// The same as API 2.x spells it.
    private static let likelyCode = "KRW-BTC"
    /// The time limit for the list of markets.
    private static let listPatience: Duration = .seconds(2)
    /// The time limit of the clock check; a slow answer has no useful time.
    private static let clockTimeout: Duration = .seconds(5)
    /// The time limit of the first stream message; 10 s were seen.
    private static let streamLimit: Duration = .seconds(20)

    private let exchange: ExchangeEndpoint
    private let transport: CurlHTTPTransport
    private let client: BithumbClient
    private let streams: [APIGeneration: BithumbStreamSource]

    /// Wires transports with the configured proxy and certificate authority.
    ///
    /// - Throws: ``ProgramError`` `configuration` for an unusable authority file.
    init(
        _ exchange: ExchangeEndpoint,
        _ configuration: Configuration
    ) throws(ProgramError) {
        self.exchange = exchange
        transport = try Markets.transport(configuration)
        client = Markets.client(exchange, transport)
        let webSockets = try Markets.streamTransport(configuration)
        var streams: [APIGeneration: BithumbStreamSource] = [:]
        for generation in exchange.api {
            streams[generation] = Markets.streams(exchange, generation, webSockets)
        }
        self.streams = streams
    }

    /// Runs the transport until the task is cancelled.
    func run() async { await transport.run() }

    /// The checks, in the order of the report.
    var checks: [DoctorCheck] {
        var checks = referenceChecks
        if exchange.api.contains(.v1) { checks = checksOfV1 + checks }
        if exchange.api.contains(.v2) { checks += checksOfV2 }
        if exchange.api.count > 1 {
            checks.append(DoctorCheck("api", limit: Self.streamLimit) { await use() })
        }
        return checks + [DoctorCheck("clock") { await clock() }]
    }

    /// The checks of API 1.x, but for those of what every choice of the API reads.
    private var checksOfV1: [DoctorCheck] {
        let client = client
        let tickers = BithumbTickerSource(client: client)
        return [
            check("rest ticker KRW", of: spare(.v1)) { () async throws(DataSourceError) in
                "\(try await tickers.tickers(quote: "KRW").tickers.count) markets"
            },
            check("rest ticker BTC", of: spare(.v1)) { () async throws(DataSourceError) in
                "\(try await tickers.tickers(quote: "BTC").tickers.count) markets"
            },
            check("rest orderbook", of: spare(.v1)) { () async throws(DataSourceError) in
                let symbol = await market()
                let book = try await BithumbOrderBookSource(client: client)
                    .orderBook(symbol: symbol)
                return "\(book.asks.count) asks, \(book.bids.count) bids of \(symbol)"
            },
            check("rest transactions", of: spare(.v1)) { () async throws(DataSourceError) in
                let symbol = await market()
                let source = BithumbTradeHistorySource(client: client)
                let history = try await source.trades(symbol: symbol, page: .newest, count: 20)
                return "\(history.trades.count) trades of \(symbol)"
            },
            check("rest candlestick", of: spare(.v1)) { () async throws(DataSourceError) in
                let symbol = await market()
                let source = BithumbCandleSource(client: client)
                let candles = try await source.candles(symbol: symbol, interval: "24h")
                return "\(candles.rows.count) days of \(symbol)"
            },
            DoctorCheck("websocket", limit: Self.streamLimit) { await stream(.v1) },
        ]
    }

    /// The checks of API 2.x, but for those of what every choice of the API reads.
    private var checksOfV2: [DoctorCheck] {
        let source = BithumbMarketDataSource(client: client)
        let code = Self.likelyCode
        return [
            check("rest 2.x ticker", of: spare(.v2)) { () async throws(DataSourceError) in
                "\(try await source.tickers(markets: [code]).tickers.count) market"
            },
            check("rest 2.x orderbook", of: spare(.v2)) { () async throws(DataSourceError) in
                "\(try await source.orderBooks(markets: [code]).books.count) book"
            },
            check("rest 2.x trades", of: spare(.v2)) { () async throws(DataSourceError) in
                let trades = try await source.trades(market: code, count: 20).trades
                return "\(trades.count) trades of \(code)"
            },
            check("rest 2.x candles", of: spare(.v2)) { () async throws(DataSourceError) in
                let candles = try await source.candles(market: code, unit: .days, count: 20)
                return "\(candles.rows.count) days of \(code)"
            },
            DoctorCheck("websocket 2.x", limit: Self.streamLimit) { await stream(.v2) },
        ]
    }

    /// The checks of what is read whatever API was chosen.
    private var referenceChecks: [DoctorCheck] {
        let client = client
        return [
            check("rest assetsstatus", of: .v1) { () async throws(DataSourceError) in
                let source = BithumbAssetStatusSource(client: client)
                return "\(try await source.assetStatuses().assets.count) coins"
            },
            check("rest market names") { () async throws(DataSourceError) in
                let source = BithumbReferenceSource(client: client)
                return "\(try await source.markets().markets.count) markets"
            },
            check("rest warnings") { () async throws(DataSourceError) in
                let source = BithumbReferenceSource(client: client)
                return "\(try await source.alerts().alerts.count) warnings"
            },
        ]
    }

    /// A check of one request.
    ///
    /// - Parameters:
    ///   - name: the name of the check.
    ///   - generation: the API without which hoga goes on if it is gone; nil for none.
    ///   - ask: makes the request and describes the answer.
    /// - Returns: the check.
    private func check(
        _ name: String,
        of generation: APIGeneration? = nil,
        _ ask: @escaping @Sendable () async throws(DataSourceError) -> String
    ) -> DoctorCheck {
        DoctorCheck(name) {
            do throws(DataSourceError) {
                return .ok(try await ask())
            } catch {
                return await finding(error, of: generation)
            }
        }
    }

    /// Which generations of the API can be used.
    private func use() async -> DoctorFinding {
        async let first = ExchangeSources.failure(of: .v1, client, streams[.v1])
        async let second = ExchangeSources.failure(of: .v2, client, streams[.v2])
        return switch (await first, await second) {
        case (nil, nil): .ok("1.x and 2.x answer: prices come from 2.x")
        case (let error?, nil):
            .warn(
                "1.x does not answer (\(Self.text(of: error))): all data come from 2.x, and"
                    + " deposits and withdrawals are unknown",
                "nothing; hoga asks 1.x again every ten minutes"
            )
        case (nil, let error?):
            .warn(
                "2.x does not answer (\(Self.text(of: error))): all data come from 1.x",
                "nothing; hoga asks 2.x again every ten minutes"
            )
        case (let error?, _?): Self.finding(error)
        }
    }

    /// The generation if another one is read beside it, else nil.
    private func spare(_ generation: APIGeneration) -> APIGeneration? {
        exchange.api.count > 1 ? generation : nil
    }

    /// The first market that the exchange lists.
    private func market() async -> String {
        let tickers = BithumbTickerSource(client: client)
        let symbol = await withTimeout(Self.listPatience, clock: ContinuousClock()) {
            let listing = try? await tickers.tickers(quote: "KRW")
            return listing?.tickers.first.map { $0.symbol + "_KRW" }
        }
        return (symbol ?? nil) ?? Self.likelyMarket
    }

    /// Subscribes to one market and waits for its first message.
    private func stream(_ generation: APIGeneration) async -> DoctorFinding {
        guard let source = streams[generation] else {
            preconditionFailure("Only what is read is checked.")
        }
        let symbol = generation == .v1 ? await market() : Self.likelyMarket
        do throws(DataSourceError) {
            let stream = try await source.connect()
            let finding = await frames(of: stream, symbol)
            await stream.close()
            return finding
        } catch {
            return await finding(error, of: spare(generation))
        }
    }

    private func frames(
        of stream: any MarketStream,
        _ symbol: String
    ) async -> DoctorFinding {
        do throws(DataSourceError) {
            let subscription = StreamSubscriptionDTO(
                type: "ticker",
                symbols: [symbol],
                tickTypes: ["24H"]
            )
            try await stream.subscribe([subscription])
            while true {
                for message in try await stream.receive().messages {
                    switch message {
                    case .ticker, .marketTicker: return .ok("a message of \(symbol)")
                    case .status(let word) where word.isRefusal:
                        throw DataSourceError(
                            .refused(status: word.status, message: word.message),
                            "the stream"
                        )
                    case .status, .transactions, .trade, .depth, .orderBook, .unknown, .skipped:
                        continue
                    }
                }
            }
        } catch {
            return Self.finding(error)
        }
    }

    private func clock() async -> DoctorFinding {
        let request = HTTPRequest(
            url: exchange.restURL + "/public/ticker/" + Self.likelyMarket,
            timeout: Self.clockTimeout,
            bodyBytesMax: 1 << 20
        )
        do throws(TransportError) {
            let sent = SystemSources.wallTime()
            let answer = try await transport.send(request)
            return ClockSkew.finding(
                date: answer.headers["date"],
                sent: sent,
                received: SystemSources.wallTime()
            )
        } catch {
            return .fail(
                error.detail,
                "fix the REST checks first"
            )
        }
    }

    /// The finding of a failure; for an unknown name the other generation is asked, too.
    private func finding(
        _ error: DataSourceError,
        of generation: APIGeneration?
    ) async -> DoctorFinding {
        guard error.code == .unknownHost, let other = generation?.other,
            exchange.api.contains(other)
        else { return Self.finding(error, of: generation) }
        let failure = await ExchangeSources.failure(of: other, client, streams[other])
        return Self.finding(error, of: generation, isOtherAnswering: failure == nil)
    }

    /// The finding of a failure, with a suggested fix.
    static func finding(
        _ error: DataSourceError,
        of generation: APIGeneration? = nil,
        isOtherAnswering: Bool = false
    ) -> DoctorFinding {
        if let generation,
            GenerationSelector.isEnd(error, of: generation, isOtherAnswering: isOtherAnswering)
        {
            return .warn(
                text(of: error),
                "nothing; the exchange has ended this part of API \(generation.rawValue).x"
            )
        }
        let remedy =
            switch error.code {
            case .unreachable, .unknownHost:
                "check the network, \(Setting.restURL.environmentName), "
                    + "\(Setting.wsURL.environmentName) and \(Setting.proxy.environmentName)"
            case .proxy:
                "set \(Setting.proxy.environmentName) to a proxy that allows CONNECT, or to none"
            case .untrusted:
                "if your proxy signs certificates, set its authority's PEM file in "
                    + Setting.caFile.environmentName
            case .timedOut, .disconnected: "try again; check the network"
            case .httpStatus(let status) where status >= 500:
                "wait; check the exchange's maintenance notices"
            case .httpStatus: "check the address of the exchange"
            case .refused: "wait, or ask the exchange"
            case .rateLimited: "wait a minute; clients behind this address exceed the request limit"
            case .unserved: "read both generations of the API: --api auto"
            case .malformed:
                "check for a proxy or sign-in page that answers instead of the exchange"
            case .ended, .cancelled: "run 'hoga doctor' again"
            }
        return .fail(Self.text(of: error), remedy)
    }

    private static func text(of error: DataSourceError) -> String {
        switch error.code {
        case .refused(let status, let message): "\(error.detail): refused, \(status) \(message)"
        case .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus,
            .rateLimited, .unserved, .malformed, .ended, .cancelled:
            error.detail
        }
    }
}
