import DataSourceContracts
import Migrations
import TestSupport

@testable import DataSourcesPostgreSQL

/// Databases with a schema, copied from one that was migrated once.
enum MigratedDatabase {
    /// Which schema a database has.
    enum Age: Sendable {
        /// All migrations.
        case newest
        /// All but the last, as while instances of two releases run beside each other.
        case previous
    }

    private static let newest = Task { try await make(Migration.postgreSQL) }
    private static let previous = Task { try await make(Migration.postgreSQL.dropLast()) }

    /// Nobody is ever connected to it again, so that it can be copied.
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
        // A connection may end a moment after its pool.
        try await database.endConnections()
        return database
    }

    /// Runs the body with a database of its own, and removes it.
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
    /// Of a member of hoga_app.
    let app: PostgreSQLPool
    /// Of the role that owns the schema.
    let owner: PostgreSQLPool

    /// What a machine with many tests at once is not held to is how long each thing takes.
    var store: PostgreSQLStore { PostgreSQLStore(pool: app, slowness: 30) }

    /// Runs the body with a database that has these users, numbered from 1.
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

    /// The store of market data, writing as somebody who has the lease for long.
    func leading() async throws -> any MarketStoreSource & MinuteStoreSource {
        try await store.leading("live")
    }
}

extension SharedMarketStoreSource {
    /// The same store, writing as the only holder of leases, who holds them for long.
    func leading(
        _ feed: String
    ) async throws(StoreError) -> any MarketStoreSource & MinuteStoreSource {
        guard let lease = try await takeLease(holder: "test", feed: feed) else {
            throw StoreError(.fenced, "somebody else holds the lease of a new database")
        }
        return fenced(by: lease)
    }

    /// Takes a lease that ends in no test by itself.
    func takeLease(
        holder: String,
        feed: String = "live"
    ) async throws(StoreError) -> LeaseDTO? {
        try await takeLease(holder: holder, feed: feed, for: .seconds(3_600))
    }
}
