import DataSourceContracts
import Domain
import Repositories
import UseCases

/// The store of alert rules and alerts, as one process uses it.
struct AlertStore: Sendable {
    /// The store.
    let source: any AlertStoreSource & WebhookStoreSource
    /// The unique name of this process among those that use the store.
    let holder: String
    /// Delivers alerts to webhooks; nil without a key for their secrets.
    let webhooks: Webhooks?

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
        let evaluation = AlertEvaluation(
            repository: StoredAlertRepository(
                source: source,
                webhooks: source,
                election: election,
                leadsForRulesAlone: candles == nil,
                now: SystemSources.now
            ),
            feed: feed,
            interests: interests,
            clock: ContinuousClock(),
            onFailure: { StoreLog.write($0, of: "alerts", to: log) }
        )
        return AlertService(
            evaluation: evaluation,
            election: candles == nil ? election : nil,
            webhooks: webhooks,
            dispatcher: webhooks.map { dispatcher(of: evaluation, $0, log) },
            warnWithoutKey: { await warn(of: evaluation, log) }
        )
    }

    private func dispatcher(
        of evaluation: AlertEvaluation,
        _ webhooks: Webhooks,
        _ log: any Log
    ) -> WebhookDispatcher {
        let dispatcher = WebhookDispatcher(
            WebhookDispatcher.Parts(
                repository: StoredWebhookRepository(source: source),
                sender: webhooks.sender,
                term: { evaluation.term },
                clock: ContinuousClock(),
                now: SystemSources.now,
                random: { .random(in: .min ... .max) },
                onFailure: { StoreLog.write($0, of: "webhooks", to: log) }
            )
        )
        evaluation.onStored { dispatcher.lookUp($0) }
        evaluation.onChanged { dispatcher.lookUp($0) }
        return dispatcher
    }

    /// Logs once that alerts wait for webhooks while this process leads without a key.
    private func warn(of evaluation: AlertEvaluation, _ log: any Log) async {
        while !Task.isCancelled {
            let now = SystemSources.now().microseconds
            if let feed = evaluation.term?.feed.rawValue,
                let waiting = try? await source.webhookDeliveries(of: nil, feed: feed, at: now),
                !waiting.isEmpty
            {
                return log.write(
                    .warning,
                    "alerts of \(waiting.count) webhooks wait: this process delivers, but has no "
                        + "key. Set \(Setting.webhookKey.environmentName)_FILE here too"
                )
            }
            try? await Task.sleep(for: .seconds(60))
        }
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
    ///
    /// - Throws: ``ProgramError`` `configuration` for an unusable certificate authority file.
    init?(
        ofFile place: any ProgramStore,
        _ configuration: Configuration
    ) throws(ProgramError) {
        guard !place.isShared, let source = place.alerts else { return nil }
        self.init(
            source: source,
            holder: SystemSources.instanceName(),
            webhooks: try Webhooks(configuration)
        )
    }
}

/// A running evaluation of alert rules.
struct AlertService: Sendable {
    /// The evaluation.
    let evaluation: AlertEvaluation
    /// The election of the process that stores the alerts of a file; nil in a deployment.
    let election: LeaderElection?
    /// Sends the requests of the dispatcher; nil without a key for the secrets of webhooks.
    let webhooks: Webhooks?
    /// Delivers alerts to webhooks while this process leads.
    let dispatcher: WebhookDispatcher?
    /// Logs that alerts wait for a process with a key, until the task is cancelled.
    let warnWithoutKey: @Sendable () async -> Void

    /// Evaluates until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            if let election { group.addTask { await election.run() } }
            group.addTask { await evaluation.run() }
            if let webhooks { group.addTask { await webhooks.run() } }
            if let dispatcher {
                group.addTask { await dispatcher.run() }
            } else {
                group.addTask { await warnWithoutKey() }
            }
            await group.waitForAll()
        }
    }

    /// Stores what waits, and lets another process go on, at the end of the program.
    func flush() async {
        await evaluation.flush()
        await dispatcher?.flush()
        await election?.resign()
    }
}
