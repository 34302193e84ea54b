import Domain
import HTTPServer
import Presentation
import PresentationHTTP

/// `hoga serve`: documents for programs, until the process is told to end.
struct ServeCommand: Sendable {
    let program: Program

    func run() async throws(ProgramError) {
        let keeping = try program.keepingForAll()
        try await keeping.using { () async throws(ProgramError) in
            try await keeping.check()
            try await run(keeping)
        }
    }

    private func run(_ keeping: Keeping) async throws(ProgramError) {
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
        let snapshots = SnapshotService(
            documents: markets.documents,
            latest: markets.latest,
            interests: markets.interests,
            assetInterests: markets.assetInterests,
            now: SystemSources.now,
            makeRequestID: SystemSources.requestID
        )
        let admin = AdminService(
            latest: markets.latest,
            store: { keeping.readiness(markets) },
            now: SystemSources.now,
            makeRequestID: SystemSources.requestID
        )
        let publicServer = try Self.server(configuration.listen) { snapshots.answer($0) }
        let adminServer = try Self.server(configuration.adminListen) { admin.answer($0) }
        program.log.write(
            .info,
            "serving http://\(configuration.listen.host):\(publicServer.port) "
                + "admin http://\(configuration.adminListen.host):\(adminServer.port) "
                + "feed=\(exchange.kind.rawValue)"
        )
        let services: [@Sendable () async -> Void] = [exchange.run, markets.run, keeping.run]
        await Lifecycle.run(services: services) {
            await Lifecycle.termination()
            program.log.write(.info, "ending: finishing requests in flight")
            admin.leave()
            publicServer.stop()
            adminServer.stop()
            keeping.hurry()
        }
        // The log is on standard error: it says what was not kept.
        await keeping.end(markets)
        program.log.write(.info, "ended")
    }

    /// A listener with the contract's limits.
    private static func server(
        _ address: ListenAddress,
        handler: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
    ) throws(ProgramError) -> HTTPServer {
        let configuration = HTTPServer.Configuration(
            host: address.host,
            port: address.port,
            threads: 2,
            connectionsMax: 20_000,
            connectionsPerClientMax: 64,
            idleTimeoutSeconds: 60,
            requestSecondsMax: 10,
            headerBytesMax: 8_192,
            bodyBytesMax: 65_536,
            stopSecondsMax: 10
        )
        do throws(HTTPServerError) {
            return try HTTPServer(configuration, handler: handler)
        } catch {
            throw ProgramError(.unavailable, "\(error)")
        }
    }
}
