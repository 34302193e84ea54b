import Domain
import UseCases
import ViewStates
import PresentationHTTP

/// `hoga serve`: documents for programs, until the process is told to end.
struct ServeCommand: Sendable {
    let program: Program

    func run() async throws(ProgramError) {
        // First of all: whoever is told to end while it begins ends in order, too.
        let termination = Termination()
        let keeping = try program.anonymousStoreSession()
        try await keeping.using { () async throws(ProgramError) in
            try await keeping.check()
            try await run(keeping, termination)
        }
    }

    private func run(
        _ keeping: StoreSession,
        _ termination: Termination
    ) async throws(ProgramError) {
        let configuration = program.configuration
        let exchange = await keeping.expecting(
            try ExchangeEndpoint.make(
                configuration.exchange,
                configuration,
                standardSpeed: .times(1)
            )
        )
        let markets = try Markets(
            exchange,
            configuration: configuration,
            log: program.log,
            store: keeping.place.market,
            sharing: keeping.place.sharing(as: SystemSources.instanceName()),
            onStoreFailure: keeping.commands.report
        )
        let room = ConnectionLimit(configuration)
        let rules = room.rules
        let watch = ServiceTelemetry(rules.accessLog, log: program.log)
        let streams = Self.streams(of: markets, rules)
        let personal = keeping.place.personalService(markets, streams, program.log)
        let snapshots = SnapshotService(
            documents: markets.documents,
            latest: markets.latest,
            interests: markets.interests,
            assetInterests: markets.assetInterests,
            streams: streams,
            personal: personal,
            about: About.document(configuration, epoch: markets.epoch, limits: rules.limits),
            rules: rules,
            observers: watch.observers,
            now: SystemSources.now,
            uptime: SystemSources.uptime(of: ContinuousClock()),
            makeRequestID: SystemSources.requestID
        )
        let admin = AdminService(
            latest: markets.latest,
            store: { keeping.readiness(markets) },
            metrics: watch.metrics(markets, keeping, streams),
            now: SystemSources.now,
            makeRequestID: SystemSources.requestID
        )
        let listeners = try Listeners(configuration, rules, snapshots, admin)
        program.log.write(
            .info,
            "serving \(listeners.text) feed=\(exchange.kind.rawValue)"
        )
        room.tell(program.log)
        let services: [@Sendable () async -> Void] = [
            exchange.run, markets.run, keeping.run, streams.run, watch.run,
            snapshots.run,
            { await personal?.run() },
            { await HeapTrimmer().run(clock: ContinuousClock()) },
        ]
        await Lifecycle.run(services: services) {
            await termination.wait()
            program.log.write(.info, "ending: finishing requests in flight")
            admin.leave()
            streams.leave()
            await listeners.stop()
            keeping.hurry()
        }
        // The log is on standard error: it says what was not kept.
        await keeping.end(markets)
        program.log.write(.info, "ended")
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
            topicsMax: rules.topicsMax,
            clock: ContinuousClock(),
            random: { .random(in: $0) }
        )
    }
}
