import BlockingExecutor
import Domain
import FoundationEssentials
import HTTPServer
import Presentation
import PresentationHTTP

/// `hoga serve`: documents for programs, until the process is told to end.
struct ServeCommand: Sendable {
    let program: Program

    func run() async throws(ProgramError) {
        // First of all: whoever is told to end while it begins ends in order, too.
        let termination = Termination()
        let keeping = try program.keepingForAll()
        try await keeping.using { () async throws(ProgramError) in
            try await keeping.check()
            try await run(keeping, termination)
        }
    }

    private func run(
        _ keeping: Keeping,
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
        let rules = ConnectionRoom.rules(configuration.service, log: program.log)
        let watch = ServiceWatch(rules.accessLog, log: program.log)
        let streams = Self.streams(of: markets, rules)
        let personal = keeping.place.personalService(markets, streams)
        let snapshots = SnapshotService(
            documents: markets.documents,
            latest: markets.latest,
            interests: markets.interests,
            assetInterests: markets.assetInterests,
            streams: streams,
            personal: personal,
            about: { About.document($0, configuration, limits: rules.limits) },
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
        let publicServer = try Self.server(configuration.listen, configuration, rules) {
            snapshots.answer($0)
        }
        let adminServer = try Self.server(configuration.adminListen, configuration, rules) {
            admin.answer($0)
        }
        program.log.write(
            .info,
            "serving http://\(configuration.listen.host):\(publicServer.port) "
                + "admin http://\(configuration.adminListen.host):\(adminServer.port) "
                + "feed=\(exchange.kind.rawValue)"
        )
        let services: [@Sendable () async -> Void] = [
            exchange.run, markets.run, keeping.run, streams.run, watch.run,
            { await personal?.run() },
        ]
        await Lifecycle.run(services: services) {
            await termination.wait()
            program.log.write(.info, "ending: finishing requests in flight")
            admin.leave()
            streams.leave()
            // Waits for requests in flight, on a thread that nothing else needs.
            await QueueExecutor(label: "hoga.ending").run {
                publicServer.stop()
                adminServer.stop()
            }
            keeping.hurry()
        }
        // The log is on standard error: it says what was not kept.
        await keeping.end(markets)
        program.log.write(.info, "ended")
    }

    private static func streams(of markets: Markets, _ rules: ServiceRules) -> DocumentStreams {
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

    /// A listener with the limits in force.
    private static func server(
        _ address: ListenAddress,
        _ configuration: Configuration,
        _ rules: ServiceRules,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) throws(ProgramError) -> HTTPServer {
        let bounds = HTTPServer.Configuration(
            host: address.host,
            port: address.port,
            threads: configuration.serverThreads ?? ProcessInfo.processInfo.activeProcessorCount,
            connectionsMax: rules.connectionsMax,
            connectionsPerClientMax: rules.connectionsPerClientMax,
            idleTimeoutSeconds: ServiceRules.idleSecondsMax,
            requestSecondsMax: ServiceRules.requestSecondsMax,
            headerBytesMax: ServiceRules.headerBytesMax,
            bodyBytesMax: ServiceRules.bodyBytesMax,
            stopSecondsMax: ServiceRules.stopSecondsMax
        )
        do throws(HTTPServerError) {
            return try HTTPServer(bounds, handler: handler)
        } catch {
            throw ProgramError(.unavailable, "\(error)")
        }
    }
}
