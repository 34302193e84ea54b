import Glibc
import Synchronization

/// A cluster of its own for a test that stops, kills or promotes it, made by
/// `scripts/postgresql-cluster`.
///
/// The cluster is removed with this object and at the end of the test process.
public final class TestCluster: Sendable {
    /// An operation on a cluster.
    public enum Operation: String, Sendable {
        /// Starts it again, on the same port.
        case start
        /// Stops it and closes every connection.
        case stop
        /// Kills all its processes, as a power cut would.
        case kill
        /// Suspends all its processes.
        case pause
        /// Continues its suspended processes.
        case resume
        /// Turns a standby into a primary.
        case promote
    }

    /// The port of the cluster on 127.0.0.1.
    public let port: UInt16
    private let folder: String
    /// Removes the cluster when this process has ended.
    private let keeper: Mutex<ChildProcess?>

    /// The URL of the database `postgres` for its superuser.
    public var url: String { "postgresql://postgres@127.0.0.1:\(port)/postgres" }

    private init(folder: String, port: UInt16, keeper: sending ChildProcess) {
        self.folder = folder
        self.port = port
        self.keeper = Mutex(keeper)
    }

    deinit {
        _ = try? ChildProcess.output([Self.script, "remove", folder])
    }

    /// Creates and starts a cluster.
    ///
    /// - Parameter settings: `NAME=VALUE` for its configuration.
    /// - Returns: a running cluster.
    /// - Throws: ``ChildProcess/Failure``.
    public static func make(settings: [String] = []) async throws -> TestCluster {
        try await make { ["make", $0] + settings }
    }

    /// Creates and starts a standby that follows this cluster.
    ///
    /// - Returns: a running standby.
    /// - Throws: ``ChildProcess/Failure``.
    public func standby() async throws -> TestCluster {
        let original = folder
        return try await Self.make { ["standby", $0, original] }
    }

    private static func make(
        _ words: @escaping @Sendable (_ folder: String) -> [String]
    ) async throws -> TestCluster {
        try await onBlockingThread {
            let folder = try ChildProcess.output(["mktemp", "-d", "/tmp/hoga-cluster-XXXXXX"])
            let keeper = try ChildProcess([
                "sh", "-c", "cat > /dev/null; exec \"$0\" remove \"$1\"", script, folder,
            ])
            let port = try ChildProcess.output([script] + words(folder))
            guard let number = UInt16(port) else {
                throw ChildProcess.Failure(text: "postgresql-cluster printed no port")
            }
            return TestCluster(folder: folder, port: number, keeper: keeper)
        }
    }

    /// Performs an operation and waits for its end.
    public func perform(_ operation: Operation) async throws {
        try await onBlockingThread { [folder] in
            _ = try ChildProcess.output([Self.script, operation.rawValue, folder])
        }
    }

    private static let script: String = {
        let folders = #filePath.split(separator: "/").dropLast(4)
        return "/" + folders.joined(separator: "/") + "/scripts/postgresql-cluster"
    }()
}
