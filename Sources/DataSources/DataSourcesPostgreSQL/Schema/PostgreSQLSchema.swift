public import DataSourceContracts
import DataSourcesSchema
import Migrations

/// The schema of a shared store: what it has, and bringing it up to date.
///
/// Only ``migrate()`` changes anything, and only the owner's role may.
public struct PostgreSQLSchema: Sendable {
    private let pool: PostgreSQLPool
    private let steps: [Migration]
    private let oldest: Int
    private let lockPatience: Duration

    /// Looks at the database of a pool.
    public init(pool: PostgreSQLPool) {
        self.init(pool: pool, steps: Migration.postgreSQL, oldest: Migration.requiredPostgreSQL)
    }

    /// Looks with other migrations, or with another patience, than the program.
    init(
        pool: PostgreSQLPool,
        steps: some Sequence<Migration>,
        oldest: Int,
        lockPatience: Duration = PostgreSQLSchema.lockPatience
    ) {
        self.pool = pool
        self.steps = Array(steps)
        self.oldest = oldest
        self.lockPatience = lockPatience
    }

    /// How each migration stands; nothing is changed, not even made.
    ///
    /// - Throws: ``StoreError``: `incompatible` when the schema `hoga` is something else's.
    public func migrations() async throws(StoreError) -> [StoreMigration] {
        try await look().ledger.migrations
    }

    /// Looks whether this program can live with the database, and changes nothing.
    ///
    /// Transactions have to be READ COMMITTED where nothing else is said: what is sent in one piece
    /// can say nothing.
    ///
    /// - Returns: how each migration stands; pending ones are none that it could not live without.
    /// - Throws: ``StoreError``: `incompatible`, naming the migration or the setting, and the
    ///   remedy.
    @discardableResult
    public func verify() async throws(StoreError) -> [StoreMigration] {
        let (ledger, isolation) = try await look()
        try ledger.verifyHistory()
        if let lacking = ledger.pending.first(where: { $0.number <= oldest }) {
            throw ledger.refusal(
                "migration \(lacking.name) is not applied",
                remedy: "run hoga migrate up with the owner's role"
            )
        }
        // PostgreSQL takes both words for the same.
        guard ["read committed", "read uncommitted"].contains(isolation) else {
            throw ledger.refusal(
                "default_transaction_isolation of this role or database is not read committed",
                remedy: "have an administrator run ALTER ROLE … SET default_transaction_isolation "
                    + "= 'read committed' for the role of this address"
            )
        }
        return ledger.migrations
    }

    /// Brings the schema up to date: each migration in a transaction of its own.
    ///
    /// Of several calls at once, of whichever processes, one applies a migration and the others
    /// wait for it, at most ``lockPatience`` each time.
    ///
    /// - Returns: the migrations that this call applied, in order.
    /// - Throws: ``StoreError``: `incompatible` when this program cannot live with what is there,
    ///   `unavailable` when the role may not, `busy` when another holds what has to be changed.
    public func migrate() async throws(StoreError) -> [StoreMigration] {
        var applied: Set<Int> = []
        while let number = try await applyNext() { applied.insert(number) }
        return try await migrations().filter { applied.contains($0.number) }
    }

    /// How long a migration waits for the locks of others.
    static let lockPatience = Duration.seconds(30)
    /// How long a statement of a migration may take; what moves many rows takes its time.
    private static let patience = Duration.seconds(600)

    // MARK: Looking

    private func look() async throws(StoreError) -> (ledger: MigrationHistory, isolation: String) {
        let rows = try await pool.perform([Self.look()], as: .reading)
        guard let seen = rows.first?.first else {
            throw StoreError(.incompatible, "\(pool.address): it does not answer as PostgreSQL")
        }
        var applied: [StoreMigration] = []
        if try seen.bool(1) {
            let rows = try await pool.perform([Self.applied()], as: .reading)
            for row in rows[0] { applied.append(try Self.migration(row)) }
        } else if try seen.bool(0) {
            throw foreign
        }
        return (Self.ledger(applied, steps, at: pool.address), try seen.text(5))
    }

    private static func ledger(
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
            "\(pool.address): its schema hoga is of another program: name another database"
        )
    }

    // MARK: Changing

    /// Applies the first migration that is lacking.
    ///
    /// - Returns: its number; nil when there is none.
    private func applyNext() async throws(StoreError) -> Int? {
        let (pool, steps) = (pool, steps)
        let (foreign, lockPatience) = (foreign, lockPatience)
        return try await pool.transaction(within: Self.patience) {
            transaction async throws(StoreError) -> Int? in
            // The lock first: what is looked at afterwards nobody else changes.
            _ = try await transaction.perform([
                Self.settle([
                    .text("\(lockPatience.components.seconds)s"),
                    .text("\(Self.patience.components.seconds)s"),
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
            let ledger = Self.ledger(applied, steps, at: pool.address)
            try ledger.verifyHistory()
            guard let step = ledger.pending.first else { return nil }
            guard try seen.bool(3) else { throw Self.noRights(at: pool.address) }
            if !hasTable {
                guard try seen.bool(4) else { throw Self.noRole(at: pool.address) }
                try await transaction.execute(Self.beginning)
            }
            try await transaction.execute(step.sql)
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
            "\(address): there is no role hoga_app, and this role may make none: "
                + "have an administrator run CREATE ROLE hoga_app NOLOGIN"
        )
    }
}
