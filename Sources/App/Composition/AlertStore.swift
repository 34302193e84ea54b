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

    /// The evaluation of the rules.
    ///
    /// - Parameters:
    ///   - feed: the expected kind of feed.
    ///   - identity: tells which feed it is.
    ///   - interests: what rules keep followed.
    ///   - candles: the election of a deployment, whose leader writes candles too; nil for that of
    ///     a file, which is of alerts alone.
    ///   - log: receives changes of the leader and of the store's state.
    /// - Returns: the evaluation with its election, not running yet.
    func service(
        of feed: FeedKind,
        _ identity: FeedIdentity,
        _ interests: AlertInterests,
        beside candles: LeaderElection?,
        _ log: any Log
    ) -> AlertService {
        let election = candles ?? election(identity, log)
        return AlertService(
            evaluation: AlertEvaluation(
                repository: StoredAlertRepository(
                    source: source,
                    election: election,
                    leadsForRulesAlone: candles == nil,
                    now: SystemSources.now
                ),
                feed: feed,
                interests: interests,
                clock: ContinuousClock(),
                onFailure: { StoreLog.write($0, of: "alerts", to: log) }
            ),
            election: candles == nil ? election : nil
        )
    }

    private func election(_ identity: FeedIdentity, _ log: any Log) -> LeaderElection {
        LeaderElection(
            .init(
                store: source,
                holder: holder,
                identity: identity,
                clock: ContinuousClock(),
                leadsRecordings: true,
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
}

extension AlertStore {
    /// The rules of a file; nil for a shared store, whose service evaluates them.
    init?(ofFile place: any ProgramStore) {
        guard !place.isShared, let source = place.alerts else { return nil }
        self.init(source: source, holder: SystemSources.instanceName())
    }
}

/// A running evaluation of alert rules.
struct AlertService: Sendable {
    /// The evaluation.
    let evaluation: AlertEvaluation
    /// The election of the process that stores the alerts of a file; nil in a deployment.
    let election: LeaderElection?

    /// Evaluates until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            if let election { group.addTask { await election.run() } }
            group.addTask { await evaluation.run() }
            await group.waitForAll()
        }
    }

    /// Stores what waits, and lets another process go on, at the end of the program.
    func flush() async {
        await evaluation.flush()
        await election?.resign()
    }
}
