import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("A listener receives notifications", .tags(.threads), .enabled(if: TestDatabase.isAvailable))
struct PostgreSQLListenerTests {
    private func withListener(
        _ url: String,
        _ body: (Inbox<PostgreSQLListener.Event>) async throws -> Void
    ) async throws {
        let listener = PostgreSQLListener(
            address: try PostgreSQLAddress(url),
            settings: PostgreSQLPool.Settings(applicationName: "hoga-test"),
            clock: ContinuousClock(),
            random: { UInt64.random(in: 0...UInt64.max) }
        )
        let inbox = Inbox<PostgreSQLListener.Event>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await listener.run(channel: "hoga_test") { inbox.put($0) }
            }
            defer { group.cancelAll() }
            try await body(inbox)
        }
    }

    @Test("notifications of one batch arrive once, and a listener ends promptly")
    func hears() async throws {
        try await TestDatabase.with { database in
            try await withListener(database.ownerURL) { news in
                #expect(await news.next() == .connected)
                try await withPool(database.ownerURL) { pool in
                    try await pool.transaction { transaction throws(StoreError) in
                        _ = try await transaction.perform([
                            PostgreSQLStatement("SELECT pg_notify('hoga_test', '1')"),
                            PostgreSQLStatement("SELECT pg_notify('hoga_test', '2')"),
                            PostgreSQLStatement("SELECT pg_notify('hoga_other', '3')"),
                            PostgreSQLStatement("SELECT pg_notify('hoga_test', '1')"),
                        ])
                    }
                }
                #expect(await news.next() == .notifications(["1", "2"]))
            }
        }
    }

    @Test("a broken connection is reported and reopened")
    func reconnects() async throws {
        try await TestDatabase.with { database in
            let relay = FaultyRelay(to: database.port)
            defer { relay.stop() }
            let url = "postgresql://hoga_owner@127.0.0.1:\(relay.port)/\(database.name)"
            try await withListener(url) { news in
                #expect(await news.next() == .connected)
                relay.cut()
                #expect(await news.next() == .disconnected)
                #expect(await news.next() == .connected)
                try await database.execute("SELECT pg_notify('hoga_test', 'again')")
                #expect(await news.next() == .notifications(["again"]))
                try await database.endConnections()
                #expect(await news.next() == .disconnected)
                #expect(await news.next() == .connected)
            }
        }
    }
}
