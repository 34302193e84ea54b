import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A pool works behind a pooler in transaction mode",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct PoolerTests {
    /// Two connections to the server for all of the pool's, so that they are mixed up all the time.
    private func withPooledPool(
        clock: some Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (PostgreSQLPool) async throws -> Void
    ) async throws {
        try await TestDatabase.with { database in
            let pooler = try TestPooler(to: database.port, serverConnectionsMax: 2)
            let url = "postgresql://hoga_owner@127.0.0.1:\(pooler.port)/\(database.name)"
            try await withPool(url, clock: clock) { pool in try await body(pool) }
            withExtendedLifetime(pooler) {}
        }
    }

    @Test("settings of a batch never reach another batch of a shared connection")
    func settings() async throws {
        try await withPooledPool { pool in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in 0..<200 {
                    group.addTask {
                        let rows = try await pool.perform(
                            [
                                PostgreSQLStatement(
                                    "SELECT current_setting('app.user_id', true)"
                                ),
                                PostgreSQLStatement(
                                    "SELECT set_config('app.user_id', $1, true)",
                                    [.text("\(user)")]
                                ),
                                PostgreSQLStatement(
                                    "SELECT current_setting('app.user_id', true), $1::bigint",
                                    [.integer(Int64(user))]
                                ),
                            ],
                            as: .reading
                        )
                        #expect(try (rows[0][0].optionalText(0) ?? "").isEmpty)
                        #expect(try rows[2][0].text(0) == "\(user)")
                        #expect(try rows[2][0].integer(1) == Int64(user))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("concurrent transactions and failures do not interfere")
    func transactions() async throws {
        try await withPooledPool { pool in
            try await pool.write("CREATE TABLE things (number bigint PRIMARY KEY)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let error = await failure {
                            try await pool.transaction { transaction throws(StoreError) in
                                _ = try await transaction.perform([
                                    PostgreSQLStatement(
                                        "INSERT INTO things VALUES ($1)",
                                        [.integer(Int64(number))]
                                    )
                                ])
                                _ = try await transaction.perform([
                                    PostgreSQLStatement(
                                        "INSERT INTO things VALUES ($1)",
                                        [.integer(Int64(256 + number))]
                                    )
                                ])
                                guard number % 3 != 0 else {
                                    throw StoreError(.conflict, "no")
                                }
                                if number % 3 == 1 {
                                    _ = try await transaction.perform([
                                        PostgreSQLStatement("SELECT 1 / 0")
                                    ])
                                }
                            }
                        }
                        #expect((error == nil) == (number % 3 == 2))
                    }
                }
                try await group.waitForAll()
            }
            let count = try await pool.number("SELECT count(*) FROM things")
            #expect(count == 40)
        }
    }

    @Test("cancellation reaches the server through the pooler")
    func cancellation() async throws {
        // The clock stands still, so the pooler has any time to pass it on.
        try await withPooledPool(clock: ManualClock()) { pool in
            let underway: StaticString = """
                SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                AND query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()
                """
            await withTaskGroup { group in
                group.addTask { _ = try? await pool.read("SELECT pg_sleep(600)") }
                let hasBegun = try? await eventually { try await pool.number(underway) == 1 }
                #expect(hasBegun == true)
                group.cancelAll()
            }
            let isQuiet = try await eventually { try await pool.number(underway) == 0 }
            #expect(isQuiet)
        }
    }
}
