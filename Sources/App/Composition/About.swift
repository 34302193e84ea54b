import BuildInfo
import DataSourcesSQLite
import Domain
import ViewStates

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
                "favorites": UserRecord.favoritesMax,
                "holdings": Holding.holdingsMax,
                "rows": MarketListQuery.limitMax,
                "trades": MarketDetailQuery.tradesMax,
            ],
            libraryVersions: [.sqlite: SQLiteLibrary.version]
        )
    }

    /// The document `about`, which is always the same in one process.
    ///
    /// Its words are Korean, as all words of documents that no `lang` decides.
    ///
    /// - Parameters:
    ///   - configuration: says where data come from.
    ///   - epoch: the first part of the process's revisions, whose other documents count from 1.
    ///   - limits: those of a service, beside those that hold everywhere.
    /// - Returns: the document.
    static func document(
        _ configuration: Configuration,
        epoch: String,
        limits: [String: Int] = [:]
    ) -> AboutDocument {
        let kind: FeedKind =
            switch configuration.exchange {
            case .bithumb: .live
            case .simulated: .simulated
            case .replay: .replay
            }
        var state = presenter.present(.korean)
        state.limits.merge(limits) { _, limit in limit }
        return AboutDocument(
            revision: "\(epoch)-0",
            asOf: SystemSources.now(),
            source: SourceViewState(kind),
            state: state
        )
    }
}
