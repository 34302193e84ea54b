import BuildInfo
import DataSourceContracts
import DataSourcesSQLite
import Domain
import ViewStates
import WebPage

/// Version, limits and library versions of this program.
enum About {
    /// The presenter of the running program.
    static var presenter: AboutPresenter {
        AboutPresenter(
            version: BuildInfo.version,
            commit: BuildInfo.commit,
            installation: Installation.current.rawValue,
            limits: [
                "candles": MarketDetailQuery.candlesMax,
                "depth": MarketDetailQuery.depthMax,
                "favorites": UserRecord.favoritesMax,
                "holdings": Holding.holdingsMax,
                "rows": MarketListQuery.limitMax,
                "trades": MarketDetailQuery.tradesMax,
            ],
            libraryVersions: [
                .sqlite: SQLiteLibrary.version, .lightweightCharts: WebPage.chartVersion,
            ]
        )
    }

    /// The document `about`, constant in one process.
    ///
    /// - Parameters:
    ///   - configuration: names the source of market data.
    ///   - language: the language of notice and licenses.
    ///   - epoch: the first part of the process's revisions; other documents count from 1.
    ///   - limits: the limits of a service, beside the common ones.
    /// - Returns: the document `about`.
    static func document(
        _ configuration: Configuration,
        _ language: Language,
        epoch: String,
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
            revision: "\(epoch)-0",
            asOf: SystemSources.now(),
            source: SourceViewState(kind, configuration.api.contains(.v2) ? .v2 : .v1),
            state: state
        )
    }
}
