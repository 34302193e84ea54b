import DataSourceContracts
import Domain
import Repositories
import UseCases

/// The store of alert rules and alerts, as one process uses it.
struct AlertStore: Sendable {
    /// The store.
    let source: any AlertStoreSource
    /// The unique name of this process among those that use the store.
    let holder: String

    /// The election of the process that evaluates the rules of a file.
    ///
    /// In a deployment the writer of candles does.
    func election(_ identity: FeedIdentity, _ log: any Log) -> LeaderElection {
        LeaderElection(
            .init(
                store: source,
                holder: holder,
                identity: identity,
                clock: ContinuousClock(),
                onEvent: { event in
                    switch event {
                    case .leading: log.write(.info, "alerts leading")
                    case .following: log.write(.info, "alerts following")
                    }
                },
                onFailure: { StoreLog.write($0, of: "alerts", to: log) }
            )
        )
    }

    /// The evaluation of the rules.
    func evaluation(
        _ election: LeaderElection,
        expecting feed: FeedKind,
        _ interests: AlertInterests,
        _ log: any Log
    ) -> AlertEvaluation {
        AlertEvaluation(
            repository: StoredAlertRepository(
                source: source,
                election: election,
                now: SystemSources.now
            ),
            feed: feed,
            interests: interests,
            clock: ContinuousClock(),
            onFailure: { StoreLog.write($0, of: "alerts", to: log) }
        )
    }
}
