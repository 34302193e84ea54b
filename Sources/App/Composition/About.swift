import BuildInfo
import DataSourcesSQLite
import Domain
import Presentation

/// What this program knows of itself.
enum About {
    /// Makes the page of the running program.
    static var presenter: AboutPresenter {
        AboutPresenter(
            version: BuildInfo.version,
            commit: BuildInfo.commit,
            limits: [
                "candles": MarketDetailQuery.candlesMax,
                "depth": MarketDetailQuery.depthMax,
                "favorites": PersonalRecord.favoritesMax,
                "holdings": Holding.holdingsMax,
                "rows": MarketListQuery.limitMax,
                "trades": MarketDetailQuery.tradesMax,
            ],
            libraryVersions: [.sqlite: SQLiteLibrary.version]
        )
    }

    /// The document `about`, which is always the same in one process.
    static func document(_ language: Language, _ configuration: Configuration) -> AboutDocument {
        let kind: FeedKind =
            switch configuration.exchange {
            case .bithumb: .live
            case .simulated: .simulated
            case .replay: .replay
            }
        return AboutDocument(
            revision: "\(SystemSources.epoch())-1",
            asOf: SystemSources.now(),
            source: SourceViewState(kind),
            state: presenter.present(language)
        )
    }
}
