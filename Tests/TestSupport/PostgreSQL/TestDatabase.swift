import Glibc
import Synchronization

/// A database of its own in the cluster that `scripts/with-postgresql` started.
///
/// Its owner is the role `hoga_owner`, which may log in and create roles and databases;
/// `hoga_app_login` is a member of `hoga_app`, as the program is in a deployment. All databases of
/// the cluster share the roles. The caller migrates the database.
public struct TestDatabase: Sendable {
    /// The name of the database.
    public let name: String
    private let cluster: Cluster

    /// Whether a cluster runs; under `make test` one always does.
    ///
    /// Suites that need one say `.enabled(if: TestDatabase.isAvailable)`.
    public static var isAvailable: Bool { Cluster.running != nil }

    /// The folder of PostgreSQL's programs, such as `psql` and `pg_dump`.
    public static var programsFolder: String { Cluster.running?.programsFolder ?? "" }

    /// The URL for the role that owns and migrates the database.
    public var ownerURL: String { url(as: "hoga_owner") }

    /// The URL for a role that is a member of `hoga_app` and nothing more.
    public var appURL: String { url(as: "hoga_app_login") }

    /// The URL for the superuser, who bypasses row-level security.
    public var adminURL: String { url(as: cluster.superuser) }

    /// The port of the cluster on 127.0.0.1.
    public var port: UInt16 { cluster.port }

    /// The URL for a role.
    public func url(as role: String) -> String {
        "postgresql://\(role)@127.0.0.1:\(cluster.port)/\(name)"
    }

    /// Creates a database.
    ///
    /// - Parameter original: a database without connections to copy; by default the new one is
    ///   empty.
    /// - Returns: a database that stays until ``drop()``, or until the cluster ends.
    /// - Throws: ``ChildProcess/Failure`` with PostgreSQL's message.
    public static func make(copying original: TestDatabase? = nil) async throws -> TestDatabase {
        guard let cluster = Cluster.running else {
            throw ChildProcess.Failure(
                text: "there is no PostgreSQL: run the tests under scripts/with-postgresql"
            )
        }
        let number = made.add(1, ordering: .relaxed).newValue
        let database = TestDatabase(name: "hoga_\(getpid())_\(number)", cluster: cluster)
        let template = original?.name ?? "template0"
        try await cluster.createRoles()
        try await onBlockingThread {
            _ = try cluster.execute(
                "CREATE DATABASE \(database.name) OWNER hoga_owner TEMPLATE \(template)"
            )
        }
        return database
    }

    /// Ends all connections to the database and removes it.
    public func drop() async throws {
        try await onBlockingThread { [cluster, name] in
            try cluster.endConnections(to: name)
            _ = try cluster.execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        }
    }

    /// Ends all connections to the database, as a restart of the server would, and waits until
    /// they are gone.
    public func endConnections() async throws {
        try await onBlockingThread { [cluster, name] in try cluster.endConnections(to: name) }
    }

    /// Runs statements, in one transaction when there are several.
    ///
    /// - Parameters:
    ///   - statements: SQL.
    ///   - role: the role that runs them; the superuser by default.
    /// - Returns: the rows as lines, with bars between columns.
    /// - Throws: ``ChildProcess/Failure`` with PostgreSQL's message.
    @discardableResult
    public func execute(_ statements: String, as role: String? = nil) async throws -> String {
        try await onBlockingThread { [cluster, name] in
            try cluster.execute(statements, as: role, on: name)
        }
    }

    private static let made = Atomic<Int>(0)
}

/// The cluster that the environment names.
private final class Cluster: Sendable {
    let superuser: String
    let port: UInt16
    let programsFolder: String
    private let roles = Mutex(false)
    /// One connection for each concurrent caller; they end with the process.
    private let idleConnections = Mutex<[AdminConnection]>([])

    /// Nil if the tests do not run under `scripts/with-postgresql`.
    static let running: Cluster? = {
        guard let text = unsafe getenv("HOGA_TEST_DATABASE_URL") else { return nil }
        let url = unsafe String(cString: text)
        let folder = unsafe getenv("HOGA_TEST_POSTGRESQL_BIN")
        let parts = url.split(whereSeparator: { "/@:".contains($0) })
        guard parts.count == 5, parts[2] == "127.0.0.1", let port = UInt16(parts[3]) else {
            preconditionFailure("HOGA_TEST_DATABASE_URL is not what scripts/with-postgresql sets.")
        }
        return Cluster(
            superuser: String(parts[1]),
            port: port,
            programsFolder: unsafe folder.map { unsafe String(cString: $0) } ?? "/usr/bin"
        )
    }()

    init(superuser: String, port: UInt16, programsFolder: String) {
        self.superuser = superuser
        self.port = port
        self.programsFolder = programsFolder
    }

    /// Creates the roles once; other processes may do so at the same time.
    func createRoles() async throws {
        try await onBlockingThread { [self] in
            try roles.withLock { areCreated in
                guard !areCreated else { return }
                try execute(Self.rolesStatement)
                areCreated = true
            }
        }
    }

    /// Runs statements of the superuser in the database `postgres`, over a connection of the pool.
    @discardableResult
    func execute(_ statements: String) throws(ChildProcess.Failure) -> String {
        let idle = idleConnections.withLock { $0.popLast() }
        let connection: AdminConnection
        if let idle {
            connection = idle
        } else {
            connection = try AdminConnection(url(of: superuser, on: "postgres"))
        }
        let output = try connection.execute(statements)
        idleConnections.withLock { $0.append(connection) }
        return output
    }

    /// Runs statements in a database; the connection ends before this returns.
    func execute(
        _ statements: String,
        as role: String?,
        on database: String
    ) throws(ChildProcess.Failure) -> String {
        try AdminConnection(url(of: role ?? superuser, on: database)).execute(statements)
    }

    private func url(of role: String, on database: String) -> String {
        "postgresql://\(role)@127.0.0.1:\(port)/\(database)"
    }

    func endConnections(to database: String) throws(ChildProcess.Failure) {
        try execute(
            """
            SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity
            WHERE datname = '\(database)'
            """
        )
    }

    /// Locks first, because `CREATE ROLE` has no `IF NOT EXISTS`.
    private static let rolesStatement = """
        DO $do$
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtext('hoga test roles'));
            IF to_regrole('hoga_owner') IS NULL THEN
                CREATE ROLE hoga_owner LOGIN CREATEROLE CREATEDB;
            END IF;
            IF to_regrole('hoga_app') IS NULL THEN
                CREATE ROLE hoga_app NOLOGIN;
            END IF;
            IF to_regrole('hoga_app_login') IS NULL THEN
                CREATE ROLE hoga_app_login LOGIN IN ROLE hoga_app;
            END IF;
        END
        $do$
        """
}
