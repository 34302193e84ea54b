import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A notification check succeeds on a session and fails behind a pooler",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct SessionCheckTests {
    private static func listener(
        _ url: String,
        onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) throws -> PostgreSQLListener {
        var settings = PostgreSQLPool.Settings(applicationName: "hoga-test")
        settings.connectTimeout = .seconds(3_600)
        return PostgreSQLListener(
            address: try PostgreSQLAddress(url),
            settings: settings,
            clock: ContinuousClock(),
            random: { UInt64.random(in: 0...UInt64.max) },
            onFailure: onFailure
        )
    }

    private func check(
        _ sessionURL: String,
        of database: TestDatabase,
        opening: Duration = .seconds(60),
        hearing: Duration = .seconds(60),
        by clock: any Clock<Duration> = ContinuousClock(),
        onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) async throws {
        let listener = try Self.listener(sessionURL, onFailure: onFailure)
        try await withPool(database.ownerURL) { pool in
            let check = PostgreSQLNotificationCheck(pool: pool, listener: listener, clock: clock)
            try await check.run("word", opening: opening, hearing: hearing)
        }
    }

    @Test("a session receives the notification")
    func session() async throws {
        try await TestDatabase.with { database in
            try await check(database.ownerURL, of: database)
        }
    }

    @Test("a pooler in transaction mode delivers nothing, which is reported")
    func pooler() async throws {
        try await TestDatabase.with { database in
            let pooler = try TestPooler(to: database.port, serverConnectionsMax: 2)
            let url = "postgresql://hoga_owner@127.0.0.1:\(pooler.port)/\(database.name)"
            let error = await #expect(throws: StoreError.self) {
                try await check(url, of: database, hearing: .seconds(1))
            }
            #expect(error?.code == .unavailable && error?.detail.contains("pooler") == true)
            withExtendedLifetime(pooler) {}
        }
    }

    @Test("an unreachable address is reported, also by the listener")
    func nobody() async throws {
        try await TestDatabase.with { database in
            let clock = ManualClock()
            let failures = Inbox<StoreError?>()
            async let verdict = failure {
                try await check(
                    "postgresql://me@127.0.0.1:1/none",
                    of: database,
                    by: clock,
                    onFailure: { failures.put($0) }
                )
            }
            let told = await failures.next()
            #expect(told??.code == .unavailable)
            await clock.untilSleeping()
            clock.advance(by: .seconds(60))
            let error = await verdict
            #expect(error?.code == .unavailable)
            #expect(error?.detail.contains("Connection refused") == true)
        }
    }

    @Test("a silent address is not reported as a pooler")
    func silence() async throws {
        try await TestDatabase.with { database in
            let silent = LoopbackServer { $0.waitForEnd() }
            let clock = ManualClock()
            async let verdict = failure {
                try await check(
                    "postgresql://me@127.0.0.1:\(silent.port)/none",
                    of: database,
                    by: clock
                )
            }
            await clock.untilSleeping()
            clock.advance(by: .seconds(60))
            let error = await verdict
            #expect(error?.code == .unavailable)
            #expect(error?.detail == "the session was not opened in time")
        }
    }

    @Test("a failure of the pool is reported, not a pooler")
    func poolAway() async throws {
        try await TestDatabase.with { database in
            let port = LoopbackServer.reservedPort()
            let listener = try Self.listener(database.ownerURL)
            let error = await failure {
                let url = "postgresql://me@127.0.0.1:\(port)/none"
                try await withPool(url, { $0.waitMax = .milliseconds(200) }) { pool in
                    try await PostgreSQLNotificationCheck(
                        pool: pool,
                        listener: listener,
                        clock: ContinuousClock()
                    ).run("word", opening: .seconds(60), hearing: .seconds(60))
                }
            }
            #expect(error?.code == .unavailable)
            let poolsWords = ["Connection refused", "no connection was opened"]
            let detail = error?.detail ?? "no error"
            #expect(poolsWords.contains { detail.contains($0) }, "\(detail)")
        }
    }
}
