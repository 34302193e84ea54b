import DataSourceContracts
import Synchronization
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("A pool keeps its limits", .tags(.threads), .enabled(if: TestDatabase.isAvailable))
struct PostgreSQLPoolLimitTests {
    /// Counts the pool's running statements, except this query.
    private static let underway: StaticString = """
        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid() AND state <> 'idle' AND application_name = 'hoga-test'
        """

    /// Counts the pool's statements that sleep on the server: a cancel request ends those, and only
    /// those for certain, because one that has not begun would run afterwards.
    private static let sleeping: StaticString = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'PgSleep'
        """

    /// The connections that the server has with the pool.
    private static let connections: StaticString = """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'hoga-test'
        """

    @Test("cancellation reaches the server, and the connection is reused")
    func cancellationReachesServer() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL, { $0.connectionsMax = 2 }) { pool in
                let before = try await pool.number("SELECT pg_backend_pid()::bigint")
                await withTaskGroup { group in
                    group.addTask {
                        let error = await failure { try await pool.read("SELECT pg_sleep(600)") }
                        #expect(error?.detail == "the task was cancelled")
                    }
                    let hasBegun = try? await eventually {
                        try await pool.number(Self.sleeping) == 1
                    }
                    #expect(hasBegun == true)
                    group.cancelAll()
                }
                let isQuiet = try await eventually { try await pool.number(Self.underway) == 0 }
                #expect(isQuiet)
                let own = Mutex<Set<Int64>>([])
                for _ in 0..<4 {
                    let pid = try await pool.number("SELECT pg_backend_pid()::bigint")
                    own.withLock { _ = $0.insert(pid) }
                }
                #expect(own.withLock { $0.contains(before) || $0.count == 1 })
            }
        }
    }

    @Test("a call beyond its limit is cancelled on the server")
    func deadline() async throws {
        try await TestDatabase.with { database in
            let clock = ManualClock()
            try await withPool(database.ownerURL, clock: clock) { pool in
                async let call = failure {
                    try await pool.read("SELECT pg_sleep(600)", within: .milliseconds(50))
                }
                let hasBegun = try await eventually {
                    try await pool.number(Self.sleeping) == 1
                }
                #expect(hasBegun)
                // The clock stands still again, so the server has any time to cancel.
                clock.advance(by: .milliseconds(50))
                let error = await call
                #expect(error?.code == .busy)
                #expect(error?.detail.contains("57014") == true)
                let isQuiet = try await eventually { try await pool.number(Self.underway) == 0 }
                #expect(isQuiet)
            }
        }
    }

    @Test("a cancelled transaction is rolled back")
    func cancelledTransaction() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL, { $0.connectionsMax = 2 }) { pool in
                try await pool.write("CREATE TABLE things (number bigint)")
                await withTaskGroup { group in
                    group.addTask {
                        let error = await failure {
                            try await pool.transaction { transaction throws(StoreError) in
                                _ = try await transaction.perform([
                                    PostgreSQLStatement("INSERT INTO things VALUES (1)")
                                ])
                                _ = try await transaction.perform([
                                    PostgreSQLStatement("SELECT pg_sleep(600)")
                                ])
                            }
                        }
                        #expect(error?.code == .busy)
                    }
                    let hasBegun = try? await eventually {
                        try await pool.number(Self.sleeping) == 1
                    }
                    #expect(hasBegun == true)
                    group.cancelAll()
                }
                let isQuiet = try await eventually { try await pool.number(Self.underway) == 0 }
                #expect(isQuiet)
                let count = try await pool.number("SELECT count(*) FROM things")
                #expect(count == 0)
            }
        }
    }

    @Test("a call beyond the limit of waiting calls is refused at once")
    func full() async throws {
        try await TestDatabase.with { database in
            let adjust = { @Sendable (settings: inout PostgreSQLPool.Settings) in
                settings.connectionsMax = 1
                settings.waitingMax = 3
            }
            try await withPool(database.ownerURL, adjust) { pool in
                try await withThrowingTaskGroup(of: Int64.self) { group in
                    try await pool.transaction { transaction throws(StoreError) in
                        _ = try await transaction.perform([PostgreSQLStatement("SELECT 1")])
                        let gate = PoolGate()
                        for number in 0..<3 {
                            group.addTask {
                                await gate.open()
                                return try await Self.number(number, of: pool)
                            }
                        }
                        await gate.wait(for: 3)
                        // All three are asking by now; each refusal makes one more try.
                        var refusal: StoreError?
                        while refusal == nil {
                            let first = await firstRefusal(of: pool)
                            refusal = first
                        }
                        #expect(refusal?.code == .busy)
                        #expect(refusal?.detail.contains("3 calls wait") == true)
                    }
                    let numbers = try await group.reduce(into: Set()) { $0.insert($1) }
                    #expect(numbers == [0, 1, 2])
                }
            }
        }
    }

    /// Reads a number from the server once the queue has room.
    private static func number(_ number: Int, of pool: PostgreSQLPool) async throws -> Int64 {
        var received: Int64?
        _ = try await eventually {
            do {
                received = try await pool.number("SELECT $1::bigint", [.integer(Int64(number))])
                return true
            } catch let error as StoreError where error.code == .busy {
                // The probe has the place for a moment.
                return false
            }
        }
        return try #require(received)
    }

    /// Asks for one moment.
    private func firstRefusal(of pool: PostgreSQLPool) async -> StoreError? {
        await withTaskGroup { group in
            group.addTask { await failure { try await pool.read("SELECT 1") } }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(50))
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    @Test("a call waits for a connection at most for its limit")
    func waiting() async throws {
        try await TestDatabase.with { database in
            let adjust = { @Sendable (settings: inout PostgreSQLPool.Settings) in
                settings.connectionsMax = 1
                settings.waitMax = .milliseconds(50)
            }
            try await withPool(database.ownerURL, adjust) { pool in
                _ = try await eventually { (try? await pool.read("SELECT 1")) != nil }
                let error = try await pool.transaction { transaction throws(StoreError) in
                    _ = try await transaction.perform([PostgreSQLStatement("SELECT 1")])
                    return await failure { try await pool.read("SELECT 1") }
                }
                #expect(error?.code == .busy)
                #expect(error?.detail.contains("no connection became free") == true)
            }
        }
    }

    @Test("a thousand cancelled calls leave no connection and no running call")
    func thousandCancelled() async throws {
        try await TestDatabase.with { database in
            try await withPool(database.ownerURL, { $0.connectionsMax = 4 }) { pool in
                var generator = SeededGenerator(seed: 11)
                for _ in 0..<50 {
                    let kinds = (0..<20).map { _ in Int.random(in: 0..<4, using: &generator) }
                    await withTaskGroup { group in
                        for kind in kinds {
                            group.addTask {
                                switch kind {
                                case 0: _ = try? await pool.read("SELECT pg_sleep(20)")
                                case 1: _ = try? await pool.read("SELECT 1")
                                case 2:
                                    _ = try? await pool.transaction {
                                        transaction throws(StoreError) in
                                        _ = try await transaction.perform([
                                            PostgreSQLStatement("SELECT pg_sleep(20)")
                                        ])
                                    }
                                default:
                                    _ = try? await pool.transaction {
                                        transaction throws(StoreError) in
                                        _ = try await transaction.perform([
                                            PostgreSQLStatement("SELECT 1")
                                        ])
                                        _ = try await transaction.perform([
                                            PostgreSQLStatement("SELECT pg_sleep(20)")
                                        ])
                                    }
                                }
                            }
                        }
                        await Task.yield()
                        group.cancelAll()
                    }
                }
                let isQuiet = try await eventually { try await pool.number(Self.underway) == 0 }
                #expect(isQuiet)
                // Those that were given up may take a moment to notice.
                let areFew = try await eventually {
                    (1...4).contains(try await pool.number(Self.connections))
                }
                #expect(areFew)
                // All four still serve.
                try await withThrowingTaskGroup(of: Int64.self) { group in
                    for number in 0..<100 {
                        group.addTask {
                            try await pool.number("SELECT $1::bigint", [.integer(Int64(number))])
                        }
                    }
                    let sum = try await group.reduce(0, +)
                    #expect(sum == 4_950)
                }
            }
        }
    }

    @Test("unneeded idle connections are closed after the idle time")
    func idleOnesAreClosed() async throws {
        try await TestDatabase.with { database in
            let adjust = { @Sendable (settings: inout PostgreSQLPool.Settings) in
                settings.connectionsMax = 6
                settings.idleMax = .milliseconds(100)
            }
            try await withPool(database.ownerURL, adjust) { pool in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<6 {
                        group.addTask { _ = try await pool.read("SELECT pg_sleep(0.1)") }
                    }
                    try await group.waitForAll()
                }
                let isOne = try await eventually { try await pool.number(Self.connections) == 1 }
                #expect(isOne)
            }
        }
    }

    @Test("an ended pool fails new and waiting calls")
    func ended() async throws {
        try await TestDatabase.with { database in
            let pool = try testPool(database.ownerURL) { $0.statementTimeout = .seconds(600) }
            await withTaskGroup { group in
                group.addTask {
                    await withTaskGroup { inner in
                        inner.addTask { await pool.run() }
                        _ = try? await pool.read("SELECT 1")
                        inner.cancelAll()
                    }
                }
                group.addTask {
                    let error = await failure { try await pool.read("SELECT pg_sleep(600)") }
                    #expect(error?.detail == "the store was closed")
                }
            }
            let error = await failure { try await pool.read("SELECT 1") }
            #expect(error?.code == .unavailable)
        }
    }
}

/// Waits until a number of others have arrived.
private actor PoolGate {
    private var count = 0
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func open() {
        count += 1
        if let waiting = waiter, count >= waiting.count {
            waiter = nil
            waiting.continuation.resume()
        }
    }

    func wait(for wanted: Int) async {
        guard count < wanted else { return }
        await withCheckedContinuation { waiter = (wanted, $0) }
    }
}
