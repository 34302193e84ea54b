import Domain
import HTTPServer
import UseCases
import ViewStates
import PresentationHTTP
import Repositories

extension Command {
    static let serve = Command(
        "serve",
        "Serve market data as JSON over HTTP",
        settings: Setting.source + Setting.storing + Setting.serving,
        action: .run { _, program throws(ProgramError) in
            try await ServeCommand(program: program).run()
        }
    )
}

/// `hoga serve`: the JSON documents over HTTP, until a signal arrives.
struct ServeCommand: Sendable {
    let program: Program

    func run() async throws(ProgramError) {
        // First, so that a signal during the start ends the service in order too.
        let termination = Termination()
        let session = try program.anonymousStoreSession()
        try await session.using { () async throws(ProgramError) in
            try await session.check()
            try await run(session, termination)
        }
    }

    private func run(
        _ session: StoreSession,
        _ termination: Termination
    ) async throws(ProgramError) {
        let configuration = program.configuration
        let exchange = await session.expecting(
            try .make(configuration.exchange, configuration, standardSpeed: .times(1))
        )
        let webhooks = try Webhooks(configuration)
        let markets = try markets(of: exchange, session, webhooks)
        let limit = ConnectionLimit(configuration)
        let rules = limit.rules
        let telemetry = ServiceTelemetry(rules.accessLog, log: program.log)
        let streams = Self.streams(of: markets, rules)
        let personal = userService(session.place, markets, streams, rules, webhooks)
        markets.alerts?.onStored { users in personal?.reload(users) }
        let snapshots = SnapshotService(
            documents: markets.documents,
            latest: markets.latest,
            interests: markets.interests,
            assetInterests: markets.assetInterests,
            streams: streams,
            personal: personal,
            about: {
                About.document(configuration, $0, epoch: markets.epoch, limits: rules.limits)
            },
            configuration: rules,
            observers: telemetry.observers,
            now: SystemSources.now,
            uptime: SystemSources.uptime(of: ContinuousClock()),
            makeRequestID: SystemSources.requestID
        )
        let unsent = UnsentBytes(bytesMax: rules.unsentBytesMax)
        let admin = AdminService(
            latest: markets.latest,
            store: { session.readiness(markets) },
            metrics: telemetry.metrics(markets, session, streams, unsent, personal),
            now: SystemSources.now,
            makeRequestID: SystemSources.requestID
        )
        let listeners = try Listeners(configuration, rules, unsent, snapshots, admin)
        program.log.write(
            .info,
            "serving \(listeners.text) feed=\(exchange.kind.rawValue)"
        )
        limit.report(to: program.log)
        let services: [@Sendable () async -> Void] = [
            exchange.run, markets.run, session.run, streams.run,
            telemetry.run,
            snapshots.run,
            { await personal?.run() },
            { await HeapTrimmer().run(clock: ContinuousClock()) },
        ]
        await Lifecycle.run(services: services) {
            await termination.wait()
            program.log.write(.info, "shutting down: waiting for requests in flight")
            admin.stop()
            streams.stop()
            await listeners.stop()
            session.hurry()
        }
        // Changes that could not be saved are in the log.
        await session.end(markets)
        program.log.write(.info, "ended")
    }

    private func markets(
        of exchange: ExchangeEndpoint,
        _ session: StoreSession,
        _ webhooks: Webhooks?
    ) throws(ProgramError) -> Markets {
        let instance = SystemSources.instanceName()
        return try Markets(
            exchange,
            configuration: program.configuration,
            log: program.log,
            store: session.place.market,
            sharing: session.place.sharing(as: instance),
            alerts: session.place.alerts.map { source in
                AlertStore(source: source, holder: instance, webhooks: webhooks)
            },
            onStoreFailure: session.user.report
        )
    }

    /// The API of the users' data; nil without a store.
    private func userService(
        _ store: any ProgramStore,
        _ markets: Markets,
        _ streams: DocumentStreams,
        _ rules: ServiceConfiguration,
        _ webhooks: Webhooks?
    ) -> UserService? {
        guard let serving = store.serving else { return nil }
        let failures = StoreFailureLog(to: program.log, now: SystemSources.now)
        let tokens = StoredTokenRepository(store: serving.tokens, now: SystemSources.wallTime)
        return UserService(
            UserService.Parts(
                tokens: tokens,
                ownTokens: tokens,
                webhooks: Self.access(to: store, webhooks),
                users: serving.records,
                notifications: serving.notifications,
                isReadOnly: serving.isReadOnly,
                hash: { TokenHash($0.sha256) },
                makeToken: AccessToken.random,
                rows: markets.lists.rows,
                streams: streams,
                assetInterests: markets.assetInterests,
                epoch: markets.epoch,
                userBytesMax: rules.userBytesMax,
                onStoreFailure: { failures.report($0) },
                onChange: { [alerts = markets.alerts] failure in
                    serving.changes?.note(failure)
                    alerts?.hurry()
                },
                onLoss: { [log = program.log] in log.write(.error, Self.lossText(of: $0)) },
                now: SystemSources.now
            ),
            clock: ContinuousClock()
        )
    }

    /// The webhooks of the users; nil if the store keeps none.
    private static func access(
        to store: any ProgramStore,
        _ webhooks: Webhooks?
    ) -> WebhookAccess? {
        guard let source = store.webhooks else { return nil }
        let repository = StoredWebhookRepository(source: source)
        guard let webhooks else {
            return WebhookAccess(repository: repository, makeSecret: nil) { _ in nil }
        }
        return WebhookAccess(
            repository: repository,
            makeSecret: { webhooks.makeSecret(of: $0) },
            refusal: { webhooks.refusal(of: $0) }
        )
    }

    private static func lossText(of user: UserID) -> String {
        "user \(user.number): the store has an older record than before: changes that it accepted "
            + "are lost; was a standby promoted that was behind, or a backup restored?"
    }

    private static func streams(
        of markets: Markets,
        _ rules: ServiceConfiguration
    ) -> DocumentStreams {
        DocumentStreams(
            documents: markets.documents,
            latest: markets.latest,
            interests: markets.interests,
            assetInterests: markets.assetInterests,
            bounds: .init(
                topicsMax: rules.topicsMax,
                bytesMax: rules.streamBytesMax,
                threadsMax: rules.documentThreads
            ),
            clock: ContinuousClock(),
            random: { .random(in: $0) }
        )
    }
}
