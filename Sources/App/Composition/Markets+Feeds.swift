import DataSourceContracts
import DataSourcesBithumb
import Domain
import Repositories
import UseCases

extension Markets {
    /// Makes the feeds of one exchange.
    struct Feeds {
        /// The API that is read.
        private let generation: APIGeneration
        /// The REST client of all feeds.
        private let client: BithumbClient
        /// Connects to the WebSocket stream.
        private let streams: BithumbStreamSource
        /// Stores market data; nil without a store.
        private let archive: MarketArchive?

        init(
            _ generation: APIGeneration,
            client: BithumbClient,
            streams: BithumbStreamSource,
            archive: MarketArchive?
        ) {
            self.generation = generation
            self.client = client
            self.streams = streams
            self.archive = archive
        }

        /// The listings of an API generation.
        static func listings(
            _ generation: APIGeneration,
            _ client: BithumbClient
        ) -> ListingReader {
            switch generation {
            case .v1: .v1(BithumbTickerSource(client: client))
            case .v2:
                .v2(BithumbReferenceSource(client: client), BithumbMarketDataSource(client: client))
            }
        }

        /// The candles of an API generation.
        static func candles(
            _ generation: APIGeneration,
            _ client: BithumbClient
        ) -> any CandleSource {
            switch generation {
            case .v1: BithumbCandleSource(client: client)
            case .v2: BithumbMarketDataSource(client: client)
            }
        }

        /// The order books of an API generation.
        private var books: any OrderBookSource {
            switch generation {
            case .v1: BithumbOrderBookSource(client: client)
            case .v2: BithumbMarketDataSource(client: client)
            }
        }

        /// The past trades of an API generation.
        private var trades: any TradeHistorySource {
            switch generation {
            case .v1: BithumbTradeHistorySource(client: client)
            case .v2: BithumbMarketDataSource(client: client)
            }
        }

        /// The feed of all markets.
        static func market(
            _ exchange: ExchangeEndpoint,
            _ client: BithumbClient,
            _ streams: BithumbStreamSource
        ) -> LiveMarketFeed {
            LiveMarketFeed(
                kind: exchange.kind,
                expecting: exchange.expectedKind,
                parts: .init(
                    listings: listings(exchange.api, client),
                    streams: streams,
                    clock: ContinuousClock(),
                    now: SystemSources.now,
                    random: SystemSources.random
                )
            )
        }

        /// The feed of single markets.
        func details(
            _ interests: DetailInterests,
            beside live: LiveMarketFeed
        ) -> LiveDetailFeed {
            LiveDetailFeed(
                parts: .init(
                    interests: interests,
                    streams: streams,
                    books: books,
                    trades: trades,
                    candles: Self.candles(generation, client),
                    clock: ContinuousClock(),
                    now: SystemSources.now,
                    exchangeClockLead: { live.exchangeClockLead },
                    random: SystemSources.random,
                    archive: archive
                )
            )
        }

        /// The feed of names, warnings, deposits and withdrawals.
        func reference(
            _ interests: AssetInterests,
            _ names: CoinNames,
            beside live: LiveMarketFeed
        ) -> LiveReferenceFeed {
            LiveReferenceFeed(
                parts: .init(
                    markets: BithumbReferenceSource(client: client),
                    assets: BithumbAssetStatusSource(client: client),
                    interests: interests,
                    archive: archive,
                    names: names,
                    identity: live.identity,
                    clock: ContinuousClock(),
                    now: SystemSources.now,
                    random: SystemSources.random
                )
            )
        }
    }
}
