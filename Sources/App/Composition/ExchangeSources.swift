import DataSourceContracts
import DataSourcesBithumb
import Domain
import Repositories

/// The sources of market data of one exchange, over the generations of its API that are read.
struct ExchangeSources {
    /// The feed of all markets.
    let market: SelectedMarketFeed
    /// The order books.
    let books: SelectedBooks
    /// Past trades and candles over REST.
    let details: SelectedDetailSources
    /// The closes that changes over periods begin with.
    let closes: SelectedCloses

    /// Wires the sources of every generation that is read.
    init(
        _ exchange: ExchangeEndpoint,
        _ client: BithumbClient,
        _ transport: any WebSocketTransport
    ) {
        let streams: [APIGeneration: any MarketStreamSource] = Dictionary(
            uniqueKeysWithValues: exchange.api.map { generation in
                (generation, Markets.streams(exchange, generation, transport))
            }
        )
        let selector = GenerationSelector(exchange.api, clock: ContinuousClock()) { generation in
            await Self.failure(of: generation, client, streams[generation])
        }
        let identity = FeedIdentity(expecting: exchange.expectedKind)
        var feeds: [APIGeneration: LiveMarketFeed] = [:]
        for (generation, source) in streams {
            feeds[generation] = LiveMarketFeed(
                kind: exchange.kind,
                expecting: exchange.expectedKind,
                identity: identity,
                parts: .init(
                    listings: Self.listings(generation, client),
                    streams: source,
                    clock: ContinuousClock(),
                    now: SystemSources.now,
                    random: SystemSources.random,
                    onAnswer: { selector.note($1, of: generation, on: $0) }
                )
            )
        }
        market = SelectedMarketFeed(feeds, selector: selector, now: SystemSources.now)
        let marketData = BithumbMarketDataSource(client: client)
        books = SelectedBooks(
            streams: streams,
            books: [.v1: BithumbOrderBookSource(client: client), .v2: marketData],
            selector: selector
        )
        closes = SelectedCloses(
            [.v1: .v1(BithumbCandleSource(client: client)), .v2: .v2(marketData)],
            selector: selector
        )
        details = SelectedDetailSources(
            trades: [.v1: BithumbTradeHistorySource(client: client), .v2: marketData],
            candles: [.v1: BithumbCandleSource(client: client), .v2: marketData],
            selector: selector
        )
    }

    /// The listings of an API generation.
    static func listings(_ generation: APIGeneration, _ client: BithumbClient) -> ListingReader {
        switch generation {
        case .v1: .v1(BithumbTickerSource(client: client))
        case .v2:
            .v2(BithumbReferenceSource(client: client), BithumbMarketDataSource(client: client))
        }
    }

    /// Why a generation cannot be used; nil if it answers over REST and opens its stream.
    static func failure(
        of generation: APIGeneration,
        _ client: BithumbClient,
        _ streams: (any MarketStreamSource)?
    ) async -> DataSourceError? {
        do throws(DataSourceError) {
            try await listings(generation, client).check()
            await (try streams?.connect())?.close()
            return nil
        } catch {
            return error
        }
    }
}
