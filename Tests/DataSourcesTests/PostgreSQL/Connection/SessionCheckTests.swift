import DataSources
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "What is notified is heard on a session, and not behind a pooler",
    .enabled(if: TestDatabase.isThere)
)
struct SessionCheckTests {
    private func check(
        _ sessionURL: String,
        of database: TestDatabase,
        within patience: Duration
    ) async throws {
        let listener = PostgreSQLListener(
            address: try PostgreSQLAddress(sessionURL),
            settings: PostgreSQLPool.Settings(applicationName: "hoga-test"),
            clock: ContinuousClock(),
            random: { UInt64.random(in: 0...UInt64.max) }
        )
        try await withPool(database.ownerURL) { pool in
            let check = PostgreSQLSessionCheck(
                pool: pool,
                listener: listener,
                clock: ContinuousClock()
            )
            try await check.run("word", within: patience)
        }
    }

    @Test("a session hears it")
    func session() async throws {
        try await TestDatabase.with { database in
            try await check(database.ownerURL, of: database, within: .seconds(60))
        }
    }

    @Test("a pooler in transaction mode takes the wish and brings nothing: that is told")
    func pooler() async throws {
        try await TestDatabase.with { database in
            let pooler = try TestPooler(to: database.port, serverConnectionsMax: 2)
            let url = "postgresql://hoga_owner@127.0.0.1:\(pooler.port)/\(database.name)"
            let error = await #expect(throws: StoreError.self) {
                try await check(url, of: database, within: .seconds(2))
            }
            #expect(error?.code == .unavailable && error?.detail.contains("pooler") == true)
            withExtendedLifetime(pooler) {}
        }
    }

    @Test("an address where nobody is says why, and so does the listener")
    func nobody() async throws {
        try await TestDatabase.with { database in
            let error = await #expect(throws: StoreError.self) {
                try await check(
                    "postgresql://me@127.0.0.1:1/none",
                    of: database,
                    within: .seconds(2)
                )
            }
            #expect(error?.code == .unavailable && error?.detail.contains("pooler") == false)
        }
    }
}
