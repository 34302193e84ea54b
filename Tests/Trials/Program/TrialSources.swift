import DataSourceContracts
import DataSourcesBithumb
import Domain
import Repositories
import TestSupport
import UseCases

/// The sources and feeds of one instance, over both generations of the exchange's API, wired as the
/// program wires them, but for transports, clock and randomness.
struct TrialSources {
    /// The feed of all markets.
    let market: SelectedMarketFeed
    /// Past trades and candles over REST.
    let candles: SelectedDetailSources
    private let parts: Parts
    private let client: BithumbClient
    private let books: SelectedBooks
    private let closes: SelectedCloses
    private let identity: FeedIdentity

    /// The time limits and the batch interval of the program.
    private static let timeout: Duration = .seconds(5)
    private static let batchInterval: Duration = .milliseconds(20)

    /// The dependencies of the sources.
    struct Parts {
        let network: TrialNetwork
        let clock: ManualClock
        let now: @Sendable () -> Timestamp
        /// Takes the dates of responses.
        let onDate: @Sendable (Int64, Duration) -> Void
        let random: @Sendable () -> UInt64
        /// Whether the streams of API 2.x are compressed.
        let isCompressed: Bool
    }

    init(_ parts: Parts) {
        self.parts = parts
        let (clock, now) = (parts.clock, parts.now)
        let client = BithumbClient(
            transport: parts.network,
            baseURL: TrialNetwork.host,
            rateLimiter: RequestRateLimiter(clock: clock),
            timeout: Self.timeout,
            onDate: parts.onDate
        )
        let streams = Self.streams(parts)
        let selector = GenerationSelector([.v1, .v2], clock: clock) { generation in
            do throws(DataSourceError) {
                try await Self.listings(generation, client).check()
                await (try streams[generation]?.connect())?.close()
                return nil
            } catch {
                return error
            }
        }
        let identity = FeedIdentity(expecting: .simulated)
        let feeds = streams.map { generation, source in
            let feed = LiveMarketFeed(
                kind: .live,
                expecting: .simulated,
                identity: identity,
                parts: .init(
                    listings: Self.listings(generation, client),
                    streams: source,
                    clock: clock,
                    now: now,
                    random: parts.random,
                    onAnswer: { selector.note($1, of: generation, on: $0) }
                )
            )
            return (generation, feed)
        }
        market = SelectedMarketFeed(
            Dictionary(uniqueKeysWithValues: feeds),
            selector: selector,
            now: now
        )
        let data = BithumbMarketDataSource(client: client)
        candles = SelectedDetailSources(
            trades: [.v1: BithumbTradeHistorySource(client: client), .v2: data],
            candles: [.v1: BithumbCandleSource(client: client), .v2: data],
            selector: selector
        )
        closes = SelectedCloses(
            [.v1: .v1(BithumbCandleSource(client: client)), .v2: .v2(data)],
            selector: selector
        )
        books = SelectedBooks(
            streams: streams,
            books: [.v1: BithumbOrderBookSource(client: client), .v2: data],
            selector: selector
        )
        self.client = client
        self.identity = identity
    }

    /// The feed of single markets.
    func details(_ interests: TrialInterests, _ archive: MarketArchive) -> LiveDetailFeed {
        let market = market
        return LiveDetailFeed(
            parts: .init(
                interests: interests.details,
                books: books,
                trades: candles,
                candles: candles,
                clock: parts.clock,
                now: parts.now,
                exchangeClockLead: { market.exchangeClockLead },
                random: parts.random,
                archive: archive
            )
        )
    }

    /// The feed of names, warnings, deposits and withdrawals.
    func reference(_ interests: TrialInterests, _ archive: MarketArchive) -> LiveReferenceFeed {
        LiveReferenceFeed(
            parts: .init(
                markets: BithumbReferenceSource(client: client),
                assets: BithumbAssetStatusSource(client: client),
                interests: interests.assets,
                archive: archive,
                names: interests.names,
                identity: identity,
                clock: parts.clock,
                now: parts.now,
                random: parts.random
            )
        )
    }

    /// The feed of the bases of changes.
    func periods(_ interests: TrialInterests) -> LivePeriodFeed {
        let (market, closes) = (market, closes)
        return LivePeriodFeed(
            parts: .init(
                closes: { closes.reader },
                interests: interests.periods,
                identity: identity,
                clock: parts.clock,
                now: parts.now,
                exchangeClockLead: { market.exchangeClockLead },
                random: parts.random
            )
        )
    }

    private static func streams(_ parts: Parts) -> [APIGeneration: BithumbStreamSource] {
        let paths: [APIGeneration: String] = [.v1: "/pub/ws", .v2: "/websocket/v1"]
        return paths.mapValues { path in
            BithumbStreamSource(
                transport: parts.network,
                generation: path == "/pub/ws" ? .v1 : .v2,
                url: "wss://exchange.test" + path,
                clock: parts.clock,
                timeout: timeout,
                batchInterval: batchInterval,
                offersCompression: parts.isCompressed && path != "/pub/ws"
            )
        }
    }

    private static func listings(
        _ generation: APIGeneration,
        _ client: BithumbClient
    ) -> ListingReader {
        switch generation {
        case .v1: .v1(BithumbTickerSource(client: client))
        case .v2:
            .v2(BithumbReferenceSource(client: client), BithumbMarketDataSource(client: client))
        }
    }
}
