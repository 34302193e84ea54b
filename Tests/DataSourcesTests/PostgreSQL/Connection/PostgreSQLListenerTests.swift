import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A listener receives notifications, and proves it",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct PostgreSQLListenerTests {
    /// Runs a listener on an address, whose heartbeats go to the database directly.
    private func withListener(
        _ database: TestDatabase,
        through url: String? = nil,
        hearingMax: Duration = .seconds(300),
        onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in },
        _ body: (PostgreSQLListener, Inbox<PostgreSQLListener.Event>, PostgreSQLPool) async throws
            -> Void
    ) async throws {
        let pool = try testPool(database.ownerURL)
        let listener = try testListener(
            url ?? database.ownerURL,
            pool: pool,
            hearingMax: hearingMax,
            onFailure: onFailure
        )
        let inbox = Inbox<PostgreSQLListener.Event>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask {
                await listener.run(channel: "hoga_test") { inbox.put($0) }
            }
            defer { group.cancelAll() }
            try await body(listener, inbox, pool)
        }
    }

    @Test("notifications of one batch arrive once, and a listener ends promptly")
    func hears() async throws {
        try await TestDatabase.with { database in
            try await withListener(database) { listener, news, pool in
                #expect(await news.next() == .connected)
                #expect(listener.isHearing)
                try await pool.transaction { transaction throws(StoreError) in
                    _ = try await transaction.perform([
                        PostgreSQLStatement("SELECT pg_notify('hoga_test', '1')"),
                        PostgreSQLStatement("SELECT pg_notify('hoga_test', '2')"),
                        PostgreSQLStatement("SELECT pg_notify('hoga_other', '3')"),
                        PostgreSQLStatement("SELECT pg_notify('hoga_test', '1')"),
                        PostgreSQLStatement("SELECT pg_notify('hoga_test', 'heartbeat:7:1')"),
                    ])
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
            try await withListener(database, through: url) { _, news, _ in
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

    @Test("through a pooler, which swallows notifications, a listener never claims to hear")
    func pooler() async throws {
        try await TestDatabase.with { database in
            let pooler = try TestPooler(to: database.port, serverConnectionsMax: 2)
            let url = "postgresql://hoga_owner@127.0.0.1:\(pooler.port)/\(database.name)"
            let failures = Inbox<StoreError?>()
            try await withListener(
                database,
                through: url,
                hearingMax: .milliseconds(200),
                onFailure: { failures.put($0) }
            ) { listener, _, _ in
                let failure = await failures.next() ?? nil
                #expect(failure?.code == .unavailable)
                #expect(failure?.detail.contains("direct connection") == true)
                #expect(!listener.isHearing)
                #expect(listener.failure == failure)
            }
            withExtendedLifetime(pooler) {}
        }
    }

    @Test("a session that stops delivering is reported, replaced, and heard again")
    func stuck() async throws {
        try await TestDatabase.with { database in
            let relay = FaultyRelay(to: database.port)
            defer { relay.stop() }
            let url = "postgresql://hoga_owner@127.0.0.1:\(relay.port)/\(database.name)"
            let failures = Inbox<StoreError?>()
            try await withListener(
                database,
                through: url,
                hearingMax: .seconds(2),
                onFailure: { failures.put($0) }
            ) { listener, news, _ in
                #expect(await news.next() == .connected)
                // The connection stays open, and no byte passes.
                relay.conduct(.frozen)
                #expect(await news.next() == .disconnected)
                #expect((await failures.next() ?? nil)?.code == .unavailable)
                #expect(!listener.isHearing)
                relay.conduct(.passing)
                #expect(await news.next() == .connected)
                #expect(listener.failure == nil)
            }
        }
    }
}
