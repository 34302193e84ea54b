import Concurrency
public import DataSourceContracts
import DataSourcesSchema
import Migrations

/// Inspects and migrates the schema of a shared store.
///
/// Only ``migrate()`` changes anything, and only the owner's role may call it.
public struct PostgreSQLSchema: Sendable {
    private let pool: PostgreSQLPool
    private let steps: [Migration]
    private let oldest: Int
    private let administrator: String
    private let lockPatience: Duration

    /// Uses the database of a pool.
    ///
    /// - Parameters:
    ///   - pool: connects to the database.
    ///   - administrator: the person who migrates, for the audit trail; nil if not known.
    public init(pool: PostgreSQLPool, administrator: String? = nil) {
        self.init(
            pool: pool,
            steps: Migration.postgreSQL,
            oldest: Migration.requiredPostgreSQL,
            administrator: administrator
        )
    }

    /// Uses other migrations or another lock timeout than the program.
    init(
        pool: PostgreSQLPool,
        steps: some Sequence<Migration>,
        oldest: Int,
        administrator: String? = nil,
        lockPatience: Duration = PostgreSQLSchema.lockPatience
    ) {
        self.administrator = administrator ?? ""
        self.pool = pool
        self.steps = Array(steps)
        self.oldest = oldest
        self.lockPatience = lockPatience
    }

    /// The state of each migration; the database is not changed.
    ///
    /// - Throws: ``StoreError``: `incompatible` if the schema `hoga` belongs to another program.
    public func migrations() async throws(StoreError) -> [StoreMigration] {
        try await look().history.migrations
    }

    /// Checks whether this program can use the database, without changing it.
    ///
    /// The default isolation level must be READ COMMITTED, because statements sent in one piece
    /// cannot set it.
    ///
    /// - Returns: the state of each migration; pending ones are not required.
    /// - Throws: ``StoreError``: `incompatible` with the migration or the setting, and the remedy.
    @discardableResult
    public func verify() async throws(StoreError) -> [StoreMigration] {
        let (history, isolation) = try await look()
        try history.verifyHistory()
        if let lacking = history.pending.first(where: { $0.number <= oldest }) {
            throw history.refusal(
                "migration \(lacking.name) is not applied",
                remedy: "run 'hoga migrate up' with the owner's role"
            )
        }
        // PostgreSQL treats both as the same level.
        guard ["read committed", "read uncommitted"].contains(isolation) else {
            throw history.refusal(
                "default_transaction_isolation of this role or database is not read committed",
                remedy: "have an administrator run ALTER ROLE … SET default_transaction_isolation "
                    + "= 'read committed' for the role of this address"
            )
        }
        // A newer release may need fewer.
        if history.migrations.last?.state == .applied { try await verifyPrivileges() }
        return history.migrations
    }

    /// Applies pending migrations, each in its own transaction unless its file says otherwise, and
    /// grants again the privileges that `hoga_app` needs.
    ///
    /// Of concurrent calls, by any process, one applies a migration and the others wait for it. A
    /// migration waits for a lock as long as ``LockTimeout`` says, because readers queue behind it,
    /// and is tried again for ``lockPatience``.
    ///
    /// - Returns: the migrations applied by this call, in order.
    /// - Throws: ``StoreError``: `incompatible` if this program cannot use the schema,
    ///   `unavailable` if the role lacks permission, `busy` if a required lock is held.
    public func migrate() async throws(StoreError) -> [StoreMigration] {
        var applied: Set<Int> = []
        let applying = { (timeout: LockTimeout) async throws(StoreError) in
            try await applyNext(timeout)
        }
        while let number = try await retrying(applying) { applied.insert(number) }
        try await retrying { (timeout: LockTimeout) async throws(StoreError) in
            try await repairPrivileges(timeout)
        }
        return try await migrations().filter { applied.contains($0.number) }
    }

    /// How long a migration waits for its turn, and is tried again while locks are held.
    static let lockPatience = Duration.seconds(30)
    /// The pause before the next try.
    private static let retryInterval = Duration.milliseconds(250)
    /// Limit of a statement outside a transaction, which waits for all older transactions.
    private static let concurrentPatience = Duration.seconds(6 * 3_600)
    /// Limit of a statement of a migration, which may move many rows.
    private static let patience = Duration.seconds(600)

    // MARK: Looking

    private func look() async throws(StoreError) -> (history: MigrationHistory, isolation: String) {
        let rows = try await pool.perform([Self.look()], as: .reading)
        guard let seen = rows.first?.first else {
            throw StoreError(.incompatible, "\(pool.address): the server is not PostgreSQL")
        }
        var applied: [StoreMigration] = []
        if try seen.bool(1) {
            let rows = try await pool.perform([Self.applied()], as: .reading)
            for row in rows[0] { applied.append(try Self.migration(row)) }
        } else if try seen.bool(0) {
            throw foreign
        }
        return (Self.history(applied, steps, at: pool.address), try seen.text(5))
    }

    private static func history(
        _ applied: [StoreMigration],
        _ steps: [Migration],
        at address: PostgreSQLAddress
    ) -> MigrationHistory {
        MigrationHistory(
            applied: applied,
            steps: steps,
            location: "\(address)",
            restoring: "restore a backup"
        )
    }

    private static func migration(
        _ row: PostgreSQLRows.Row
    ) throws(StoreError) -> StoreMigration {
        StoreMigration(
            number: Int(try row.integer(0)),
            name: try row.text(1),
            sha256: try row.text(2),
            runsWith: Int(try row.integer(3)),
            appliedAt: try row.time(4),
            state: .applied
        )
    }

    private var foreign: StoreError {
        StoreError(
            .incompatible,
            "\(pool.address): the schema hoga belongs to another program: choose another database"
        )
    }

    /// Checks that `hoga_app` has all privileges that the newest schema grants.
    private func verifyPrivileges() async throws(StoreError) {
        let rows = try await pool.perform([PostgreSQLPrivileges.missing()], as: .reading)[0]
        guard let first = rows.first else { return }
        var missing: [String] = []
        for row in rows { missing.append(try row.text(1)) }
        let others = missing.count > 3 ? " and \(missing.count - 3) more" : ""
        throw StoreError(
            .incompatible,
            "\(pool.address): the role \(try first.text(0)) lacks "
                + "\(missing.prefix(3).joined(separator: ", "))\(others): run 'hoga migrate up' "
                + "with the owner's role, which grants hoga_app what it needs"
        )
    }

    // MARK: Changing

    /// Grants what `hoga_app` needs, if this role owns the newest schema.
    private func repairPrivileges(_ timeout: LockTimeout) async throws(StoreError) {
        let (history, _) = try await look()
        guard history.pending.isEmpty, history.migrations.last?.state == .applied else { return }
        try await pool.transaction { transaction async throws(StoreError) in
            let looked = try await transaction.perform([
                Self.settle([
                    .text(timeout.text),
                    .text("\(Self.patience.components.seconds)s"),
                    .text(administrator),
                ]), Self.lock(), Self.look(), PostgreSQLPrivileges.missing(),
            ])
            guard let seen = looked[2].first, try seen.bool(3), !looked[3].isEmpty else { return }
            try await transaction.execute(PostgreSQLPrivileges.repair)
        }
    }

    /// Repeats a call while locks are held by others.
    private func retrying<Value>(
        _ call: (LockTimeout) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let deadline = Deadline(after: lockPatience, clock: pool.clock)
        var timeout = LockTimeout()
        while true {
            do throws(StoreError) {
                return try await call(timeout)
            } catch {
                guard error.code == .busy, !deadline.hasPassed, !Task.isCancelled else {
                    throw error
                }
            }
            timeout.increase()
            try? await pool.clock.sleep(for: Self.retryInterval)
        }
    }

    /// Applies the first pending migration.
    ///
    /// - Returns: its number; nil if none is pending.
    private func applyNext(_ timeout: LockTimeout) async throws(StoreError) -> Int? {
        let (pool, steps) = (pool, steps)
        let (foreign, lockPatience, administrator) = (foreign, lockPatience, administrator)
        return try await pool.transaction(within: Self.patience) {
            transaction async throws(StoreError) -> Int? in
            // The lock first: everything read afterwards stays unchanged.
            _ = try await transaction.perform([
                Self.settle([
                    .text("\(lockPatience.components.seconds)s"),
                    .text("\(Self.patience.components.seconds)s"),
                    .text(administrator),
                ]), Self.lock(),
            ])
            let looked = try await transaction.perform([Self.look()])
            guard let seen = looked.first?.first else { throw foreign }
            let (hasSchema, hasTable) = (try seen.bool(0), try seen.bool(1))
            if hasSchema, !hasTable, !(try seen.bool(2)) { throw foreign }
            var applied: [StoreMigration] = []
            if hasTable {
                for row in try await transaction.perform([Self.applied()])[0] {
                    applied.append(try Self.migration(row))
                }
            }
            let history = Self.history(applied, steps, at: pool.address)
            try history.verifyHistory()
            guard let step = history.pending.first else { return nil }
            guard try seen.bool(3) else { throw Self.noRights(at: pool.address) }
            if !hasTable {
                guard try seen.bool(4) else { throw Self.noRole(at: pool.address) }
                try await transaction.execute(Self.beginning)
            }
            if let statements = step.statementsOutsideTransaction {
                // On another connection, while this one keeps others from migrating. A script
                // leaves no portal with a snapshot, for which a concurrent index would wait.
                try await transaction.execute("SELECT 1")
                for statement in statements {
                    try await pool.execute(
                        outsideTransaction: statement,
                        within: Self.concurrentPatience
                    )
                }
            } else {
                _ = try await transaction.perform([Self.limitLockWait(timeout)])
                try await transaction.execute(step.sql)
            }
            _ = try await transaction.perform([
                Self.record([
                    .integer(Int64(step.number)), .text(step.name), .text(step.sha256),
                    .integer(Int64(step.runsWith)),
                ])
            ])
            return step.number
        }
    }

    private static func noRights(at address: PostgreSQLAddress) -> StoreError {
        StoreError(
            .unavailable,
            "\(address): this role may not change the schema: connect as the role that owns it"
        )
    }

    private static func noRole(at address: PostgreSQLAddress) -> StoreError {
        StoreError(
            .unavailable,
            "\(address): the role hoga_app does not exist, and this role may not create it: "
                + "have an administrator run CREATE ROLE hoga_app NOLOGIN"
        )
    }
}

extension PostgreSQLSchema {
    /// The key of the lock held by one migration at a time: "hoga" in ASCII, and 2.
    static func lock() -> PostgreSQLStatement {
        PostgreSQLStatement("SELECT pg_advisory_xact_lock(1752131425, 2)")
    }

    static func settle(_ values: [PostgreSQLValue]) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true),
                set_config('search_path', 'pg_catalog, pg_temp', true),
                set_config('app.administrator', $3, true)
            """,
            values
        )
    }

    /// Limits the waits for locks of the migration itself.
    static func limitLockWait(_ timeout: LockTimeout) -> PostgreSQLStatement {
        PostgreSQLStatement(
            "SELECT set_config('lock_timeout', $1, true)",
            [.text(timeout.text)]
        )
    }

    /// Reads whether the schema and its migration table exist and whether the schema is empty,
    /// whether this role may change it and needs or may create a role, and the default isolation
    /// level.
    static func look() -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT
                to_regnamespace('hoga') IS NOT NULL,
                to_regclass('hoga.schema_migrations') IS NOT NULL,
                NOT EXISTS (
                    SELECT FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('hoga')
                ),
                CASE WHEN to_regnamespace('hoga') IS NULL
                    THEN pg_catalog.has_database_privilege(current_database(), 'CREATE')
                    ELSE (
                        SELECT pg_catalog.pg_has_role(nspowner, 'USAGE')
                        FROM pg_catalog.pg_namespace WHERE oid = to_regnamespace('hoga')
                    )
                END,
                to_regrole('hoga_app') IS NOT NULL
                    OR (
                        SELECT rolsuper OR rolcreaterole FROM pg_catalog.pg_roles
                        WHERE rolname = current_user
                    ),
                current_setting('default_transaction_isolation')
            """
        )
    }

    static func applied() -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            SELECT number, name, sha256, runs_with, applied_at FROM hoga.schema_migrations
            ORDER BY number
            """
        )
    }

    static func record(_ values: [PostgreSQLValue]) -> PostgreSQLStatement {
        PostgreSQLStatement(
            """
            INSERT INTO hoga.schema_migrations (number, name, sha256, runs_with, applied_at)
            VALUES ($1, $2, $3, $4, clock_timestamp())
            """,
            values
        )
    }

    /// Statements before the first migration.
    ///
    /// Roles are shared by all databases of the server: the migration of another database may
    /// create the same one concurrently.
    static let beginning = """
        CREATE SCHEMA IF NOT EXISTS hoga;
        CREATE TABLE hoga.schema_migrations (
            number bigint PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE,
            sha256 text COLLATE "C" NOT NULL,
            runs_with bigint NOT NULL,
            applied_at timestamptz NOT NULL
        );
        DO $$
        BEGIN
            IF to_regrole('hoga_app') IS NULL THEN
                CREATE ROLE hoga_app NOLOGIN;
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END
        $$;
        """
}
