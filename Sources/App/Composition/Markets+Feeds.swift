import DataSourceContracts
import DataSourcesBithumb
import Domain
import Repositories
import UseCases

extension Markets {
    /// Makes the feeds of one exchange.
    struct Feeds {
        /// The REST client of all feeds.
        let client: BithumbClient
        /// Connects to the WebSocket stream.
        let streams: BithumbStreamSource
        /// Stores market data; nil without a store.
        let archive: MarketArchive?

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
                    tickers: BithumbTickerSource(client: client),
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
                    books: BithumbOrderBookSource(client: client),
                    trades: BithumbTradeHistorySource(client: client),
                    candles: BithumbCandleSource(client: client),
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
