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
        /// Only those that this program requires.
        case oldest
        /// Those of 0.1.0.
        case release1
    }

    private static let newest = Task { try await make(Migration.postgreSQL) }
    private static let oldest = Task {
        try await make(Migration.postgreSQL.prefix(Migration.requiredPostgreSQL))
    }
    private static let release1 = Task { try await make(Migration.postgreSQL.prefix(5)) }

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

    /// Whether this program accepts an older schema than the newest one.
    static var hasOlder: Bool {
        TestDatabase.isAvailable && Migration.requiredPostgreSQL < Migration.postgreSQL.count
    }

    /// Runs the body with its own database, and removes it.
    static func with<Value: Sendable>(
        _ age: Age = .newest,
        _ body: (TestDatabase) async throws -> Value
    ) async throws -> Value {
        let original =
            switch age {
            case .newest: try await newest.value
            case .oldest: try await oldest.value
            case .release1: try await release1.value
            }
        return try await TestDatabase.with(copying: original, body)
    }
}

extension TestDatabase {
    /// Adds partitions before those of the newest schema, as after a pause of the retention.
    ///
    /// - Returns: when they begin, ascending; the last one ends where the retention begins.
    func addOldPartitions(_ kind: String, count: Int) async throws -> [Int64] {
        let begins = try await execute(
            """
            CREATE FUNCTION pg_temp.age() RETURNS SETOF bigint LANGUAGE plpgsql AS $$
            DECLARE
                step interval;
                edge timestamptz;
            BEGIN
                SELECT ('1 ' || unit)::interval INTO step FROM hoga.candle_terms()
                WHERE kind = '\(kind)';
                SELECT min(to_time) INTO edge FROM hoga.candle_partitions('\(kind)');
                ALTER TABLE hoga.\(kind) DETACH PARTITION hoga.\(kind)_rest;
                EXECUTE format(
                    'ALTER TABLE hoga.\(kind) ATTACH PARTITION hoga.\(kind)_rest
                    FOR VALUES FROM (MINVALUE) TO (%L)', edge - \(count) * step
                );
                FOR n IN REVERSE \(count)..1 LOOP
                    PERFORM hoga.make_partition(
                        '\(kind)', '\(kind)_old_' || n, edge - n * step, edge - (n - 1) * step
                    );
                    RETURN NEXT extract(epoch FROM edge - n * step) * 1000000;
                END LOOP;
            END
            $$;
            SET timezone = 'UTC';
            SELECT pg_temp.age()
            """,
            as: "hoga_owner"
        )
        return begins.split(separator: "\n").compactMap { Int64($0) }
    }

    /// A time by the server's clock, in microseconds since 1970.
    func time(_ expression: String) async throws -> Int64 {
        let text = try await execute(
            "SELECT (extract(epoch FROM \(expression)) * 1000000)::bigint"
        )
        guard let time = Int64(text) else { throw ChildProcess.Failure(text: text) }
        return time
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
}

extension LeaseSource {
    /// Acquires a lease that does not expire during a test.
    func takeLease(
        holder: String,
        feed: String = "live"
    ) async throws(StoreError) -> LeaseDTO? {
        try await takeLease(holder: holder, feed: feed, for: .seconds(3_600))
    }
}
