import DataSourceContracts
import DataSourcesBithumb
import Domain
import Repositories
import UseCases

extension Markets {
    /// Makes the feeds of one exchange.
    struct Feeds {
        /// The sources of market data.
        let sources: ExchangeSources
        /// The REST client of all feeds.
        let client: BithumbClient
        /// Stores market data; nil without a store.
        let archive: MarketArchive?

        /// The feed of single markets.
        func details(_ interests: DetailInterests) -> LiveDetailFeed {
            let market = sources.market
            return LiveDetailFeed(
                parts: .init(
                    interests: interests,
                    books: sources.books,
                    trades: sources.details,
                    candles: sources.details,
                    clock: ContinuousClock(),
                    now: SystemSources.now,
                    exchangeClockLead: { market.exchangeClockLead },
                    random: SystemSources.random,
                    archive: archive
                )
            )
        }

        /// The feed of the bases of changes.
        func periods(_ interests: PeriodInterests) -> LivePeriodFeed {
            let (market, closes) = (sources.market, sources.closes)
            return LivePeriodFeed(
                parts: .init(
                    closes: { closes.reader },
                    interests: interests,
                    identity: market.identity,
                    clock: ContinuousClock(),
                    now: SystemSources.now,
                    exchangeClockLead: { market.exchangeClockLead },
                    random: SystemSources.random
                )
            )
        }

        /// The feed of names, warnings, deposits and withdrawals.
        func reference(_ interests: AssetInterests, _ names: CoinNames) -> LiveReferenceFeed {
            LiveReferenceFeed(
                parts: .init(
                    markets: BithumbReferenceSource(client: client),
                    assets: BithumbAssetStatusSource(client: client),
                    interests: interests,
                    archive: archive,
                    names: names,
                    identity: sources.market.identity,
                    clock: ContinuousClock(),
                    now: SystemSources.now,
                    random: SystemSources.random
                )
            )
        }
    }
}
