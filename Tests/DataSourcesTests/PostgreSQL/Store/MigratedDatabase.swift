import DataSourceContracts
import Migrations
import TestSupport

@testable import DataSourcesPostgreSQL

/// Databases copied from one that was migrated once.
enum MigratedDatabase {
    /// The schema of a database.
    enum Age: Sendable {
        /// All migrations.
        case newest
        /// All but the last, as while two releases run side by side.
        case previous
    }

    private static let newest = Task { try await make(Migration.postgreSQL) }
    private static let previous = Task { try await make(Migration.postgreSQL.dropLast()) }

    /// Without connections, so that it can be copied.
    private static func make(_ steps: some Sequence<Migration>) async throws -> TestDatabase {
        let steps = Array(steps)
        let database = try await TestDatabase.make()
        _ = try await withPool(database.ownerURL) { pool in
            try await PostgreSQLSchema(
                pool: pool,
                steps: steps,
                oldest: Migration.requiredPostgreSQL
            )
            .migrate()
        }
        // A connection may end shortly after its pool.
        try await database.endConnections()
        return database
    }

    /// Runs the body with its own database, and removes it.
    static func with<Value: Sendable>(
        _ age: Age = .newest,
        _ body: (TestDatabase) async throws -> Value
    ) async throws -> Value {
        let original =
            switch age {
            case .newest: try await newest.value
            case .previous: try await previous.value
            }
        return try await TestDatabase.with(copying: original, body)
    }
}

/// A migrated database, and pools of both roles.
struct SharedStand: Sendable {
    let database: TestDatabase
    /// Connects as a member of hoga_app.
    let app: PostgreSQLPool
    /// Connects as the role that owns the schema.
    let owner: PostgreSQLPool

    /// With long time limits, because a test machine may be busy.
    var store: PostgreSQLStore { PostgreSQLStore(pool: app, slowness: 30) }

    /// Runs the body with a database with these users, numbered from 1.
    static func with(
        users: [String] = [],
        schema: MigratedDatabase.Age = .newest,
        connections: Int = 4,
        _ body: (SharedStand) async throws -> Void
    ) async throws {
        try await MigratedDatabase.with(schema) { database in
            for name in users {
                try await database.execute(
                    "INSERT INTO hoga.users (name, added_at) VALUES ('\(name)', now())"
                )
            }
            let pools = try [database.appURL, database.ownerURL].map { url in
                try testPool(url) { $0.connectionsMax = connections }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for pool in pools { group.addTask { await pool.run() } }
                defer { group.cancelAll() }
                try await body(
                    SharedStand(database: database, app: pools[0], owner: pools[1])
                )
            }
        }
    }

    /// The market data store with a long lease.
    func leading() async throws -> any MarketStoreSource & MinuteStoreSource {
        try await store.leading("live")
    }
}

extension SharedMarketStoreSource {
    /// The same store, writing as the only holder of long leases.
    func leading(
        _ feed: String
    ) async throws(StoreError) -> any MarketStoreSource & MinuteStoreSource {
        guard let lease = try await takeLease(holder: "test", feed: feed) else {
            throw StoreError(.fenced, "another process holds the lease of a new database")
        }
        return fenced(by: lease)
    }

    /// Acquires a lease that does not expire during a test.
    func takeLease(
        holder: String,
        feed: String = "live"
    ) async throws(StoreError) -> LeaseDTO? {
        try await takeLease(holder: holder, feed: feed, for: .seconds(3_600))
    }
}
