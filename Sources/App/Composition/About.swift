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
    ///
    /// - Parameters:
    ///   - language: of its texts.
    ///   - configuration: says where data come from.
    ///   - limits: those of a service, beside those that hold everywhere.
    /// - Returns: the document, with a revision of its own.
    static func document(
        _ language: Language,
        _ configuration: Configuration,
        limits: [String: Int] = [:]
    ) -> AboutDocument {
        let kind: FeedKind =
            switch configuration.exchange {
            case .bithumb: .live
            case .simulated: .simulated
            case .replay: .replay
            }
        var state = presenter.present(language)
        state.limits.merge(limits) { _, limit in limit }
        return AboutDocument(
            revision: "\(SystemSources.epoch())-1",
            asOf: SystemSources.now(),
            source: SourceViewState(kind),
            state: state
        )
    }
}
