import Concurrency
import Domain
import FoundationEssentials
import HTTPServer
import PresentationHTTP

/// The public and admin listeners of a service; they serve from their creation on.
struct Listeners: Sendable {
    private let configuration: Configuration
    private let publicServer: HTTPServer
    private let adminServer: HTTPServer

    /// Binds both listeners.
    ///
    /// - Throws: ``ProgramError`` `unavailable` if an address cannot be bound.
    init(
        _ configuration: Configuration,
        _ rules: ServiceConfiguration,
        _ unsent: UnsentBytes,
        _ snapshots: SnapshotService,
        _ admin: AdminService
    ) throws(ProgramError) {
        self.configuration = configuration
        func server(
            _ address: ListenAddress,
            _ answer: @escaping @Sendable (HTTPServerRequest) -> HTTPServerReply
        ) throws(ProgramError) -> HTTPServer {
            do throws(HTTPServerError) {
                return try HTTPServer(
                    Self.bounds(address, configuration, rules),
                    unsent: unsent,
                    // A consumer compares the times of documents with it.
                    second: { Int(SystemSources.now().second) },
                    rejection: { snapshots.rejection($0, of: $1) },
                    handler: answer
                )
            } catch {
                throw ProgramError(.unavailable, "\(error)")
            }
        }
        publicServer = try server(configuration.listen) { snapshots.answer($0) }
        adminServer = try server(configuration.adminListen) { admin.answer($0) }
    }

    /// The addresses of both, for the log.
    var text: String {
        "http://\(configuration.listen.host):\(publicServer.port) "
            + "admin http://\(configuration.adminListen.host):\(adminServer.port)"
    }

    /// Waits for requests in flight on a separate thread, then closes all connections.
    func stop() async {
        await BlockingExecutor(label: "hoga.shutdown").run {
            publicServer.stop()
            adminServer.stop()
        }
    }

    private static func bounds(
        _ address: ListenAddress,
        _ configuration: Configuration,
        _ rules: ServiceConfiguration
    ) -> HTTPServer.Configuration {
        HTTPServer.Configuration(
            host: address.host,
            port: address.port,
            threads: configuration.serverThreads ?? ProcessInfo.processInfo.activeProcessorCount,
            connectionsMax: rules.connectionsMax,
            connectionsPerClientMax: rules.connectionsPerClientMax,
            idleTimeoutSeconds: ServiceConfiguration.idleSecondsMax,
            sentBytesPerSecondMin: ServiceConfiguration.sentBytesPerSecondMin,
            requestSecondsMax: ServiceConfiguration.requestSecondsMax,
            headerBytesMax: ServiceConfiguration.headerBytesMax,
            bodyBytesMax: ServiceConfiguration.bodyBytesMax,
            stopSecondsMax: ServiceConfiguration.stopSecondsMax
        )
    }
}
