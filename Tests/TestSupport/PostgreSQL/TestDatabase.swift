import Glibc
import Synchronization

/// A database of its own in the cluster that `scripts/with-postgresql` started.
///
/// It belongs to the role `hoga_owner`, which may log in and make roles; `hoga_app_login` is a
/// member of `hoga_app`, as the program is in a deployment. The roles are shared by all databases
/// of the cluster. Nothing is migrated: that is the caller's business.
public struct TestDatabase: Sendable {
    /// The name of the database.
    public let name: String
    private let cluster: Cluster

    /// Whether there is a cluster; under `make test` there always is.
    ///
    /// Suites that need one say `.enabled(if: TestDatabase.isAvailable)`.
    public static var isAvailable: Bool { Cluster.running != nil }

    /// The folder of PostgreSQL's programs, such as `psql` and `pg_dump`.
    public static var programsFolder: String { Cluster.running?.programsFolder ?? "" }

    /// The role that owns the database and migrates it.
    public var ownerURL: String { url(as: "hoga_owner") }

    /// A role that is a member of `hoga_app` and nothing more.
    public var appURL: String { url(as: "hoga_app_login") }

    /// The superuser, for whom row-level security does not hold.
    public var adminURL: String { url(as: cluster.superuser) }

    /// The port of the cluster on 127.0.0.1.
    public var port: UInt16 { cluster.port }

    /// Where a role reaches the database.
    public func url(as role: String) -> String {
        "postgresql://\(role)@127.0.0.1:\(cluster.port)/\(name)"
    }

    /// Makes a database.
    ///
    /// - Parameter original: a database to which nobody is connected, whose contents the new one
    ///   has; without it the new one is empty.
    /// - Returns: a database that stays until ``drop()``, or until the cluster goes.
    /// - Throws: ``ChildProcess/Failure`` with PostgreSQL's words.
    public static func make(copying original: TestDatabase? = nil) async throws -> TestDatabase {
        guard let cluster = Cluster.running else {
            throw ChildProcess.Failure(
                text: "there is no PostgreSQL: run the tests under scripts/with-postgresql"
            )
        }
        let number = made.add(1, ordering: .relaxed).newValue
        let database = TestDatabase(name: "hoga_\(getpid())_\(number)", cluster: cluster)
        let template = original?.name ?? "template0"
        try await cluster.rolesAreThere()
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

    /// Runs statements with `psql`, in one transaction when there are several.
    ///
    /// - Parameters:
    ///   - statements: SQL, without commands of psql itself.
    ///   - role: who runs them; the superuser when it is left out.
    /// - Returns: the rows as lines, their columns between bars, without an end of line behind.
    /// - Throws: ``ChildProcess/Failure`` with PostgreSQL's words.
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

    /// Nothing when the tests do not run under `scripts/with-postgresql`.
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

    /// Makes the roles once; other processes may do so at the same time.
    func rolesAreThere() async throws {
        try await onBlockingThread { [self] in
            try roles.withLock { areThere in
                guard !areThere else { return }
                try execute(Self.rolesStatement)
                areThere = true
            }
        }
    }

    @discardableResult
    func execute(
        _ statements: String,
        as role: String? = nil,
        on database: String = "postgres"
    ) throws(ChildProcess.Failure) -> String {
        try ChildProcess.output([
            programsFolder + "/psql", "--no-psqlrc", "--quiet", "--no-align", "--tuples-only",
            "--set", "ON_ERROR_STOP=1", "--set", "VERBOSITY=verbose", "--command", statements,
            "postgresql://\(role ?? superuser)@127.0.0.1:\(port)/\(database)",
        ])
    }

    func endConnections(to database: String) throws(ChildProcess.Failure) {
        try execute(
            """
            SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity
            WHERE datname = '\(database)'
            """
        )
    }

    /// A lock first, because `CREATE ROLE` knows no `IF NOT EXISTS`.
    private static let rolesStatement = """
        DO $do$
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtext('hoga test roles'));
            IF to_regrole('hoga_owner') IS NULL THEN
                CREATE ROLE hoga_owner LOGIN CREATEROLE;
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
