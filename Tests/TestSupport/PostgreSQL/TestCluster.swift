import Glibc
import Synchronization

/// A cluster of its own for a test that stops, kills or promotes it; see
/// `scripts/postgresql-cluster`, which does the work.
///
/// It goes when this is let go, and when the test process ends.
public final class TestCluster: Sendable {
    /// What can be done to a cluster.
    public enum Deed: String, Sendable {
        /// It starts again, on the port it had.
        case start
        /// It ends, and every connection at once.
        case stop
        /// All its processes end as a power cut would end them.
        case kill
        /// All its processes stop where they are.
        case pause
        /// They go on.
        case resume
        /// A standby becomes a primary.
        case promote
    }

    /// The port of the cluster on 127.0.0.1.
    public let port: UInt16
    private let folder: String
    /// Removes the cluster when this process has gone.
    private let keeper: Mutex<ChildProcess?>

    /// Where its superuser reaches the database `postgres`.
    public var url: String { "postgresql://postgres@127.0.0.1:\(port)/postgres" }

    private init(folder: String, port: UInt16, keeper: sending ChildProcess) {
        self.folder = folder
        self.port = port
        self.keeper = Mutex(keeper)
    }

    deinit {
        _ = try? ChildProcess.output([Self.script, "remove", folder])
    }

    /// Makes a cluster and starts it.
    ///
    /// - Parameter settings: `NAME=VALUE` for its configuration.
    /// - Returns: a cluster that runs.
    /// - Throws: ``ChildProcess/Failure``.
    public static func make(settings: [String] = []) async throws -> TestCluster {
        try await make { ["make", $0] + settings }
    }

    /// Makes a copy that follows this one, and starts it.
    ///
    /// - Returns: a standby that runs.
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
                throw ChildProcess.Failure(text: "postgresql-cluster told no port")
            }
            return TestCluster(folder: folder, port: number, keeper: keeper)
        }
    }

    /// Does something to the cluster and waits until it is done.
    public func perform(_ deed: Deed) async throws {
        try await onBlockingThread { [folder] in
            _ = try ChildProcess.output([Self.script, deed.rawValue, folder])
        }
    }

    private static let script: String = {
        let folders = #filePath.split(separator: "/").dropLast(4)
        return "/" + folders.joined(separator: "/") + "/scripts/postgresql-cluster"
    }()
}
