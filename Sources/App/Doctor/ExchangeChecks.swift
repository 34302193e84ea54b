import DataSourceContracts
import DataSourcesHTTP
import DataSourcesBithumb
import Domain
import ViewStates
import Repositories

/// Whether the exchange answers: each address over REST, the stream, and what time it is there.
struct ExchangeChecks: Sendable {
    /// What is asked for where no list of markets can be had: the exchange has always had it.
    private static let likelyMarket = "BTC_KRW"
    /// How long a check waits for the list of markets before it asks for the likely one.
    private static let listPatience: Duration = .seconds(2)
    /// How long a clock's answer may take; the time of a slow one says little.
    private static let clockTimeout: Duration = .seconds(5)
    /// How long the stream may take to accept a subscription and to send something; 10 s were seen.
    private static let streamLimit: Duration = .seconds(20)

    private let exchange: ExchangeEndpoint
    private let transport: CurlHTTPTransport
    private let client: BithumbClient
    private let streams: BithumbStreamSource

    /// Wires what the checks ask with, through the configured proxy and authority.
    ///
    /// - Throws: ``ProgramError`` `configuration` when the private authority's file is of no use.
    init(
        _ exchange: ExchangeEndpoint,
        _ configuration: Configuration
    ) throws(ProgramError) {
        self.exchange = exchange
        transport = try Markets.transport(configuration)
        client = Markets.client(exchange, transport)
        streams = BithumbStreamSource(
            transport: try Markets.streamTransport(configuration),
            url: exchange.wsURL,
            clock: ContinuousClock(),
            timeout: Markets.connectTimeout,
            gathering: Markets.gathering
        )
    }

    /// Serves the transfers of the checks until the task is cancelled.
    func run() async { await transport.run() }

    /// The checks, in the order in which they are told.
    var checks: [DoctorCheck] {
        let client = client
        let tickers = BithumbTickerSource(client: client)
        return [
            check("rest ticker KRW") { () async throws(DataSourceError) in
                "\(try await tickers.tickers(quote: "KRW").tickers.count) markets"
            },
            check("rest ticker BTC") { () async throws(DataSourceError) in
                "\(try await tickers.tickers(quote: "BTC").tickers.count) markets"
            },
            check("rest orderbook") { () async throws(DataSourceError) in
                let symbol = await market()
                let book = try await BithumbOrderBookSource(client: client)
                    .orderBook(symbol: symbol)
                return "\(book.asks.count) asks, \(book.bids.count) bids of \(symbol)"
            },
            check("rest transactions") { () async throws(DataSourceError) in
                let symbol = await market()
                let source = BithumbTradeHistorySource(client: client)
                let history = try await source.trades(symbol: symbol, count: 20)
                return "\(history.trades.count) trades of \(symbol)"
            },
            check("rest candlestick") { () async throws(DataSourceError) in
                let symbol = await market()
                let source = BithumbCandleSource(client: client)
                let candles = try await source.candles(symbol: symbol, interval: "24h")
                return "\(candles.rows.count) days of \(symbol)"
            },
            check("rest assetsstatus") { () async throws(DataSourceError) in
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
            DoctorCheck("websocket", limit: Self.streamLimit) { await stream() },
            DoctorCheck("clock") { await clock() },
        ]
    }

    private func check(
        _ name: String,
        _ ask: @escaping @Sendable () async throws(DataSourceError) -> String
    ) -> DoctorCheck {
        DoctorCheck(name) {
            do throws(DataSourceError) {
                return .ok(try await ask())
            } catch {
                return Self.finding(error)
            }
        }
    }

    /// The first market that the exchange lists.
    private func market() async -> String {
        let tickers = BithumbTickerSource(client: client)
        return await withTaskGroup(of: String?.self) { group in
            group.addTask {
                let listing = try? await tickers.tickers(quote: "KRW")
                return listing?.tickers.first.map { $0.symbol + "_KRW" }
            }
            group.addTask {
                try? await ContinuousClock().sleep(for: Self.listPatience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next().flatMap { $0 } ?? Self.likelyMarket
        }
    }

    /// Subscribes one market and waits for the first frame of it.
    private func stream() async -> DoctorFinding {
        let symbol = await market()
        do throws(DataSourceError) {
            let stream = try await streams.connect()
            let finding = await frames(of: stream, symbol)
            await stream.close()
            return finding
        } catch {
            return Self.finding(error)
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
                    case .ticker: return .ok("a frame of \(symbol)")
                    case .status(let word) where word.status != "0000":
                        throw DataSourceError(
                            .refused(status: word.status, message: word.message),
                            "the stream"
                        )
                    case .status, .transactions, .depth, .orderBook, .unknown, .skipped: continue
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
            let sent = SystemSources.now()
            let answer = try await transport.send(request)
            return ClockSkew.finding(
                date: answer.headers["date"],
                sent: sent,
                received: SystemSources.now()
            )
        } catch {
            return .fail(
                error.detail,
                "do what the lines of rest say: the time comes by the same way"
            )
        }
    }

    /// What a failure means, and what to do about it.
    static func finding(_ error: DataSourceError) -> DoctorFinding {
        let remedy =
            switch error.code {
            case .unreachable:
                "look at the network and at \(Setting.restURL.environmentName), "
                    + "\(Setting.wsURL.environmentName) and \(Setting.proxy.environmentName)"
            case .proxy:
                "name another proxy with \(Setting.proxy.environmentName), or none; it must let "
                    + "CONNECT through"
            case .untrusted:
                "if a proxy of your own makes certificates, name its authority's PEM file with "
                    + Setting.caFile.environmentName
            case .timedOut, .disconnected: "try again; look at the way to the exchange"
            case .httpStatus(let status) where status >= 500:
                "the exchange is in trouble: wait; its notices tell of maintenance"
            case .httpStatus: "look whether the address is the exchange's own"
            case .refused: "the exchange says why; wait, or ask it"
            case .rateLimited: "others behind this address ask too much: wait a minute"
            case .malformed:
                "look whether something on the way answers in its place, such as a sign-in page"
            case .ended, .cancelled: "run hoga doctor again"
            }
        return .fail(Self.words(error), remedy)
    }

    private static func words(_ error: DataSourceError) -> String {
        switch error.code {
        case .refused(let status, let message): "\(error.detail): refused, \(status) \(message)"
        case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus,
            .rateLimited, .malformed, .ended, .cancelled:
            error.detail
        }
    }
}
