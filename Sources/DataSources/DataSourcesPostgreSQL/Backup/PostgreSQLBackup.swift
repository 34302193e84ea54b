public import DataSourceContracts
import Glibc

/// Writes a backup of the schema `hoga` with `pg_dump`, and checks it by restoring it.
///
/// The dump has the schema `hoga` only: no large objects, no extensions, and no other program's
/// tables. A dump is of one moment; its tables are compared with those of that moment after it was
/// restored into a database of its own on the same server.
public struct PostgreSQLBackup: Sendable {
    /// A written and checked backup.
    public struct Summary: Sendable, Hashable {
        /// The size of the file in bytes.
        public let byteCount: Int64
        /// The number of compared tables, partitions included.
        public let tableCount: Int
        /// The number of rows of all tables.
        public let rowCount: Int64
    }

    /// The database that a dump is restored into; it exists during the check only.
    static let scratchName = "hoga_backup_check"
    /// The longest time of one step that the server works on.
    private static let patience = Duration.seconds(24 * 3_600)

    private let pool: PostgreSQLPool

    /// Makes a backup of a database.
    ///
    /// - Parameter pool: connects as the owner of the schema, who may create databases.
    public init(pool: PostgreSQLPool) { self.pool = pool }

    /// Writes a backup to a new file that only this user can read.
    ///
    /// - Parameter path: the file; an existing one is never replaced.
    /// - Returns: what was written.
    /// - Throws: ``StoreError``: `unavailable` for an existing file, for a role without the rights,
    ///   and for a dump that differs from the database. Nothing is left behind then; only the
    ///   check's database remains if the connection breaks while the server creates it.
    public func write(to path: String) async throws(StoreError) -> Summary {
        try await PostgreSQLUserAccounts(pool: pool).verifyOwner()
        _ = try await PostgreSQLSchema(pool: pool).verify()
        try await verifyRights()
        try Self.requireAbsence(of: path)
        let partial = path + ".partial"
        try Self.create(partial)
        defer { unsafe unlink(partial) }
        let before = try await writeDump(to: partial)
        let after = try await restored(from: partial)
        guard before == after else {
            throw StoreError(
                .unavailable,
                "\(pool.address): the restored dump differs from the database: "
                    + "\(Self.difference(before, after)): report this as an error of hoga"
            )
        }
        // Unlike a renaming, a link never replaces a file.
        guard unsafe link(partial, path) == 0 else {
            try Self.requireAbsence(of: path)
            throw StoreError(.unavailable, "\(path): cannot be created (error \(errno))")
        }
        let counts = before.split(separator: "\n").compactMap { line in
            line.split(separator: " ").last.flatMap { Int64($0) }
        }
        return Summary(
            byteCount: Self.byteCount(of: path),
            tableCount: counts.count,
            rowCount: counts.reduce(0, +)
        )
    }

    // MARK: Steps

    private func verifyRights() async throws(StoreError) {
        let statement = PostgreSQLStatement(
            """
            SELECT rolsuper OR rolcreatedb, rolname::text
            FROM pg_catalog.pg_roles WHERE rolname = current_user
            """
        )
        let rows = try await pool.perform([statement], as: .reading)[0]
        guard let row = rows.first, try !row.bool(0) else { return }
        throw StoreError(
            .unavailable,
            "\(pool.address): a backup is checked by restoring it into a database of its own, "
                + "which this role cannot create: have an administrator run "
                + "ALTER ROLE \(try row.text(1)) CREATEDB"
        )
    }

    /// Dumps the schema as of one moment.
    ///
    /// - Returns: the row count of each table at that moment.
    private func writeDump(to path: String) async throws(StoreError) -> String {
        let program = ClientProgram(variables: pool.address.variables())
        return try await pool.transaction { transaction async throws(StoreError) in
            let answers = try await transaction.perform([
                UserAccountStatements.asOfOneMoment(),
                // Keeps partitions from being dropped before they are counted.
                PostgreSQLStatement("SELECT open_time FROM hoga.candles LIMIT 0"),
                PostgreSQLStatement(
                    """
                    SELECT pg_catalog.pg_export_snapshot(),
                        set_config('idle_in_transaction_session_timeout', '0', true)
                    """
                ),
            ])
            guard let row = answers[2].first else {
                throw StoreError(.incompatible, "\(pool.address): the server exports no snapshot")
            }
            let snapshot = try row.text(0)
            _ = try await program.run([
                "pg_dump", "--no-password", "--format=custom", "--schema=hoga",
                "--snapshot=\(snapshot)", "--file=\(path)",
            ])
            return try await program.run(
                Self.psql + [
                    "--command=BEGIN ISOLATION LEVEL REPEATABLE READ",
                    "--command=SET TRANSACTION SNAPSHOT '\(snapshot)'",
                    "--command=\(Self.counts)",
                ]
            )
        }
    }

    /// Restores a dump into a database of its own and drops that.
    ///
    /// - Returns: the row count of each table.
    private func restored(from path: String) async throws(StoreError) -> String {
        do throws(StoreError) {
            try await run("CREATE DATABASE \(Self.scratchName) TEMPLATE template0 ENCODING 'UTF8'")
        } catch {
            guard error.detail.contains("(SQLSTATE 42P04)") else { throw error }
            throw StoreError(
                .busy,
                "\(pool.address): the database \(Self.scratchName) exists: wait for the other "
                    + "backup, or if none runs, run DROP DATABASE \(Self.scratchName)"
            )
        }
        do throws(StoreError) {
            let counts = try await restore(path)
            try await dropScratch()
            return counts
        } catch {
            try? await dropScratch()
            throw error
        }
    }

    /// Drops the database of the check.
    func dropScratch() async throws(StoreError) {
        let statement = "DROP DATABASE IF EXISTS \(Self.scratchName)"
        do throws(StoreError) {
            try await run(statement + " WITH (FORCE)")
        } catch {
            // FORCE fails at an autovacuum worker, which the owner may not end. Without FORCE the
            // server ends the worker, and waits 5 s for other sessions.
            guard error.detail.contains("(SQLSTATE 42501)") else { throw error }
            try await run(statement)
        }
    }

    private func restore(_ path: String) async throws(StoreError) -> String {
        // Users' data must not be open to others for the time of the check.
        try await run("REVOKE ALL ON DATABASE \(Self.scratchName) FROM PUBLIC")
        let program = ClientProgram(variables: pool.address.variables(database: Self.scratchName))
        _ = try await program.run([
            "pg_restore", "--no-password", "--exit-on-error", "--single-transaction",
            "--dbname=\(Self.scratchName)", path,
        ])
        return try await program.run(Self.psql + ["--command=\(Self.counts)"])
    }

    private func run(_ statement: String) async throws(StoreError) {
        try await pool.execute(outsideTransaction: statement, within: Self.patience)
    }

    private static let psql = [
        "psql", "--no-password", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
        "--set=ON_ERROR_STOP=1",
    ]

    /// The row count of each table, one a line.
    private static let counts = """
        SELECT relname || ' ' || substring(
            query_to_xml(
                format('SELECT count(*) AS n FROM hoga.%I', relname), false, true, ''
            )::text FROM '<n>([0-9]+)</n>'
        )
        FROM pg_catalog.pg_class
        WHERE relnamespace = 'hoga'::regnamespace AND relkind = 'r' ORDER BY relname
        """

    private static func difference(_ before: String, _ after: String) -> String {
        let lines = [before, after].map { Set($0.split(separator: "\n")) }
        let different = lines[0].symmetricDifference(lines[1])
        return different.sorted().prefix(3).joined(separator: ", ")
    }

    // MARK: The file

    private static func requireAbsence(of path: String) throws(StoreError) {
        guard unsafe access(path, F_OK) == 0 else { return }
        throw StoreError(.unavailable, "\(path): the file exists: choose another path")
    }

    private static func create(_ path: String) throws(StoreError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError(
                .unavailable,
                errno == EEXIST
                    ? "\(path): another backup writes it, or was killed: remove it then"
                    : "\(path): cannot be created (error \(errno)): choose another path"
            )
        }
        close(descriptor)
    }

    private static func byteCount(of path: String) -> Int64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
