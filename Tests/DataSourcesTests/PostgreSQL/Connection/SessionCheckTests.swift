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
    private func check(
        _ sessionURL: String,
        of database: TestDatabase,
        within limit: Duration = .seconds(60),
        by clock: any Clock<Duration> = ContinuousClock(),
        onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) async throws {
        try await withPool(database.ownerURL) { pool in
            let listener = try testListener(
                sessionURL,
                pool: pool,
                hearingMax: .milliseconds(200),
                clock: clock,
                onFailure: onFailure
            )
            try await listener.verify(within: limit)
        }
    }

    /// The failure of a check whose time passes once something has happened.
    private func verdict(
        by clock: ManualClock,
        after event: @escaping @Sendable () async -> Void,
        of check: @Sendable () async throws -> Void
    ) async -> StoreError? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await event()
                while !Task.isCancelled {
                    clock.advance(by: .seconds(10))
                    try? await Task.sleep(for: .milliseconds(1))
                }
            }
            defer { group.cancelAll() }
            return await failure(of: check)
        }
    }

    /// The failure of a check that is cancelled once an expected failure was told.
    private func verdict(
        onceTold isExpected: @escaping @Sendable (StoreError) -> Bool,
        of check:
            @escaping @Sendable (
                _ onFailure: @escaping @Sendable (StoreError?) -> Void
            ) async throws -> Void
    ) async -> StoreError? {
        let told = Inbox<StoreError>()
        let checking = Task {
            await failure { try await check { if let failure = $0 { told.put(failure) } } }
        }
        while let failure = await told.next(), !isExpected(failure) {}
        checking.cancel()
        return await checking.value
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
            let error = await verdict {
                $0.detail.contains("pooler")
            } of: { onFailure in
                try await check(url, of: database, within: .seconds(600), onFailure: onFailure)
            }
            #expect(error?.code == .unavailable)
            #expect(error?.detail.contains("pooler") == true)
            withExtendedLifetime(pooler) {}
        }
    }

    @Test("an unreachable address is reported, also by the listener")
    func nobody() async throws {
        try await TestDatabase.with { database in
            let clock = ManualClock()
            let failures = Inbox<StoreError?>()
            let error = await verdict(by: clock) { () async in
                let told = await failures.next()
                #expect(told??.detail.contains("Connection refused") == true)
            } of: {
                try await check(
                    "postgresql://me@127.0.0.1:1/none",
                    of: database,
                    by: clock,
                    onFailure: { failures.put($0) }
                )
            }
            // A later attempt may have met its limit when the clock went on.
            #expect(error?.code == .unavailable)
        }
    }

    @Test("a silent address is not reported as a pooler")
    func silence() async throws {
        try await TestDatabase.with { database in
            let silent = LoopbackServer { $0.waitForEnd() }
            let clock = ManualClock()
            let error = await verdict(by: clock) { () async in
            } of: {
                try await check(
                    "postgresql://me@127.0.0.1:\(silent.port)/none",
                    of: database,
                    by: clock
                )
            }
            #expect(error?.code == .unavailable)
            // The connection has a real limit of its own, which ends first on a slow machine.
            let detail = error?.detail ?? ""
            #expect(
                detail == "the session was not opened in time"
                    || detail.contains("did not answer within"),
                "\(detail)"
            )
        }
    }

    @Test("a failure of the pool is reported, not a pooler")
    func poolAway() async throws {
        try await TestDatabase.with { database in
            let port = LoopbackServer.reservedPort()
            let poolsWords = ["Connection refused", "no connection was opened"]
            let error = await verdict { failure in
                poolsWords.contains { failure.detail.contains($0) }
            } of: { onFailure in
                let url = "postgresql://me@127.0.0.1:\(port)/none"
                try await withPool(url, { $0.waitMax = .milliseconds(200) }) { pool in
                    try await testListener(database.ownerURL, pool: pool, onFailure: onFailure)
                        .verify(within: .seconds(600))
                }
            }
            #expect(error?.code == .unavailable)
            let detail = error?.detail ?? "no error"
            #expect(poolsWords.contains { detail.contains($0) }, "\(detail)")
        }
    }
}
