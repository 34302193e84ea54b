import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A pool survives outages",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable),
    .serialized
)
struct PostgreSQLOutageTests {
    /// The URL of a role for a database behind a relay.
    private func url(_ relay: FaultyRelay, _ database: TestDatabase) -> String {
        "postgresql://hoga_owner@127.0.0.1:\(relay.port)/\(database.name)"
    }

    @Test("a reading batch is sent once more after its connection broke")
    func readingIsRepeated() async throws {
        try await TestDatabase.with { database in
            let relay = FaultyRelay(to: database.port)
            defer { relay.stop() }
            try await withPool(url(relay, database)) { pool in
                let before = try await pool.number("SELECT 1::bigint")
                // The next bytes come through in part, and then nothing does.
                relay.cut(after: 10, bytesFrom: .clients)
                let after = try await pool.number("SELECT 2::bigint")
                #expect((before, after) == (1, 2))
            }
        }
    }

    @Test("a writing batch whose connection breaks fails and is never resent")
    func writingIsNotRepeated() async throws {
        try await TestDatabase.with { database in
            let relay = FaultyRelay(to: database.port)
            defer { relay.stop() }
            try await withPool(url(relay, database)) { pool in
                try await pool.write("CREATE TABLE things (number bigint)")
                for bytes in [1, 30, 200] {
                    // Cuts an open connection, not one that is being opened.
                    _ = try await pool.read("SELECT 1")
                    relay.cut(after: bytes, bytesFrom: .clients)
                    let error = await failure {
                        try await pool.perform(
                            Array(
                                repeating: PostgreSQLStatement("INSERT INTO things VALUES (1)"),
                                count: 20
                            ),
                            as: .writing
                        )
                    }
                    #expect(error?.code == .unavailable)
                    #expect(error?.detail.contains("may have been saved") == true)
                }
                // Half a batch is no batch.
                let count = try await pool.number("SELECT count(*) FROM things")
                #expect(count == 0)
            }
        }
    }

    @Test("a transaction whose connection breaks fails and leaves nothing")
    func transactionIsCut() async throws {
        try await TestDatabase.with { database in
            let relay = FaultyRelay(to: database.port)
            defer { relay.stop() }
            try await withPool(url(relay, database)) { pool in
                try await pool.write("CREATE TABLE things (number bigint)")
                let error = await failure {
                    try await pool.transaction { transaction throws(StoreError) in
                        _ = try await transaction.perform([
                            PostgreSQLStatement("INSERT INTO things VALUES (1)")
                        ])
                        relay.cut()
                        _ = try await transaction.perform([
                            PostgreSQLStatement("INSERT INTO things VALUES (2)")
                        ])
                    }
                }
                #expect(error?.code == .unavailable)
                let count = try await pool.number("SELECT count(*) FROM things")
                #expect(count == 0)
            }
        }
    }

    @Test("calls on a dead network end at their limit")
    func frozen() async throws {
        try await TestDatabase.with { database in
            let relay = FaultyRelay(to: database.port)
            defer { relay.stop() }
            let adjust = { @Sendable (settings: inout PostgreSQLPool.Settings) in
                settings.connectionsMax = 2
                settings.waitMax = .milliseconds(300)
                settings.statementTimeout = .seconds(2)
            }
            try await withPool(url(relay, database), adjust) { pool in
                let isAvailable = try await eventually { (try? await pool.read("SELECT 1")) != nil }
                #expect(isAvailable)
                relay.conduct(.frozen)
                // Many at once: those with a connection, those that wait, those that come later.
                let codes = await withTaskGroup(of: StoreError.Code?.self) { group in
                    for _ in 0..<20 {
                        group.addTask { await failure { try await pool.read("SELECT 1") }?.code }
                    }
                    return await group.reduce(into: [StoreError.Code?]()) { $0.append($1) }
                }
                #expect(codes.allSatisfy { $0 == .busy || $0 == .unavailable })
                relay.conduct(.passing)
                let isBack = try await eventually { (try? await pool.read("SELECT 1")) != nil }
                #expect(isBack)
            }
        }
    }

    @Test("a server that never responds fails at the time-out")
    func silentServer() async throws {
        let server = LoopbackServer { connection in connection.waitForEnd() }
        defer { server.stop() }
        let adjust = { @Sendable (settings: inout PostgreSQLPool.Settings) in
            settings.connectTimeout = .milliseconds(100)
            settings.firstConnectTimeout = .milliseconds(100)
            settings.waitMax = .seconds(2)
        }
        let url = "postgresql://nobody@127.0.0.1:\(server.port)/nothing"
        try await withPool(url, adjust) { pool in
            let isTold = try await eventually {
                let error = await failure { try await pool.read("SELECT 1") }
                #expect(error?.code == .unavailable)
                return error?.detail.contains("did not answer within") == true
            }
            #expect(isTold)
        }
    }

    @Test("calls without a server fail with the reason, later ones at once")
    func nobodyThere() async throws {
        let url = "postgresql://nobody:secret@127.0.0.1:\(LoopbackServer.reservedPort())/nothing"
        try await withPool(url, { $0.waitMax = .milliseconds(200) }) { pool in
            let isTold = try await eventually {
                let error = await failure { try await pool.read("SELECT 1") }
                #expect(error?.code == .unavailable)
                return error?.detail.contains("Connection refused") == true
            }
            #expect(isTold)
            for _ in 0..<50 {
                let error = await failure { try await pool.read("SELECT 1") }
                #expect(error?.detail.contains("Connection refused") == true)
                #expect(error?.detail.contains("secret") == false)
            }
        }
    }

    @Test("a refused role is reported with the remedy")
    func stranger() async throws {
        try await TestDatabase.with { database in
            let url = "postgresql://nobody:secret@127.0.0.1:\(database.port)/\(database.name)"
            try await withPool(url, { $0.waitMax = .milliseconds(200) }) { pool in
                let isTold = try await eventually {
                    let error = await failure { try await pool.read("SELECT 1") }
                    #expect(error?.code == .unavailable)
                    #expect(error?.detail.contains("secret") == false)
                    return error?.detail.contains("pg_hba.conf") == true
                }
                #expect(isTold)
            }
        }
    }

    @Test(
        "a server that is stopped or killed serves again after its restart",
        arguments: [
            TestCluster.Operation.stop, .kill,
        ]
    )
    func restart(deed: TestCluster.Operation) async throws {
        let cluster = try await TestCluster.make()
        try await withPool(cluster.url, { $0.waitMax = .milliseconds(300) }) { pool in
            let isAvailable = try await eventually {
                (try? await pool.write("CREATE TABLE IF NOT EXISTS things (number bigint)")) != nil
            }
            #expect(isAvailable)
            try await cluster.perform(deed)
            let error = await failure {
                try await pool.write("INSERT INTO things VALUES (1)")
            }
            #expect(error?.code == .unavailable)
            // Callers that go on asking are answered all the time.
            let refusals = Tally()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        while (try? await pool.read("SELECT 1")) == nil {
                            await refusals.add()
                            try await Task.sleep(for: .milliseconds(20))
                        }
                    }
                }
                _ = try await eventually { await refusals.count > 20 }
                try await cluster.perform(.start)
                try await group.waitForAll()
            }
            let isWritten = try await eventually {
                (try? await pool.write("INSERT INTO things VALUES (2)")) != nil
            }
            #expect(isWritten)
            let least = try await pool.number("SELECT min(number) FROM things")
            #expect(least == 2)
        }
    }

    @Test("a pool of a stopped server can be ended")
    func paused() async throws {
        let cluster = try await TestCluster.make()
        let adjust = { @Sendable (settings: inout PostgreSQLPool.Settings) in
            settings.statementTimeout = .seconds(2)
            settings.waitMax = .milliseconds(300)
        }
        try await withPool(cluster.url, adjust) { pool in
            let isAvailable = try await eventually { (try? await pool.read("SELECT 1")) != nil }
            #expect(isAvailable)
            try await cluster.perform(.pause)
            for _ in 0..<3 {
                let error = await failure { try await pool.read("SELECT 1") }
                #expect(error?.code == .busy || error?.code == .unavailable)
            }
        }
        try await cluster.perform(.resume)
    }

    @Test("the new primary serves after a failover")
    func failOver() async throws {
        let primary = try await TestCluster.make()
        let standby = try await primary.standby()
        let url = "postgresql://postgres@\(standby.hostPort),\(primary.hostPort)/postgres"
        try await withPool(url) { pool in
            try await pool.write("CREATE TABLE things (number bigint)")
            let isCopied = try await eventually {
                try await standby.number("SELECT count(*) FROM pg_class WHERE relname = 'things'")
                    == 1
            }
            #expect(isCopied)
            try await primary.perform(.kill)
            try await standby.perform(.promote)
            let isBack = try await eventually {
                (try? await pool.write("INSERT INTO things VALUES (1)")) != nil
            }
            #expect(isBack)
            let count = try await standby.number("SELECT count(*) FROM things")
            #expect(count == 1)
        }
    }

    @Test("a former primary that returns gets no change, though its address comes first")
    func formerPrimary() async throws {
        let old = try await TestCluster.make()
        let new = try await old.standby()
        let url = "postgresql://postgres@\(old.hostPort),\(new.hostPort)/postgres"
        let settings = { (settings: inout PostgreSQLPool.Settings) in
            settings.connectionsMax = 1
            // Writes are repeated until one succeeds, or fails for the reason looked for.
            settings.waitMax = .seconds(1)
        }
        try await withPool(url, settings) { pool in
            try await pool.write("CREATE TABLE things (number bigint)")
            let isCopied = try await eventually {
                try await new.number("SELECT count(*) FROM pg_class WHERE relname = 'things'") == 1
            }
            #expect(isCopied)
            try await old.perform(.kill)
            try await new.perform(.promote)
            let isBack = try await eventually {
                (try? await pool.write("INSERT INTO things VALUES (1)")) != nil
            }
            #expect(isBack)
            try await old.perform(.start)
            // Breaks the only connection: the next one is a choice between both.
            _ = try? await pool.read("SELECT pg_terminate_backend(pg_backend_pid())")
            let isWritten = try await eventually {
                (try? await pool.write("INSERT INTO things VALUES (2)")) != nil
            }
            #expect(isWritten)
            let counts = try await [
                old.number("SELECT count(*) FROM things"),
                new.number("SELECT count(*) FROM things"),
            ]
            #expect(counts == [0, 2])
            try await new.perform(.kill)
            // The former primary alone is left: the error says why it is refused.
            let isTold = try await eventually {
                let error = await failure { try await pool.write("INSERT INTO things VALUES (3)") }
                #expect(error?.code == .unavailable)
                return error?.detail.contains("a former primary, of timeline 1") == true
            }
            #expect(isTold)
        }
    }

    @Test("a server that became read-only is left for the primary")
    func becameReadOnly() async throws {
        let old = try await TestCluster.make()
        let new = try await TestCluster.make()
        let url = "postgresql://postgres@\(old.hostPort),\(new.hostPort)/postgres"
        try await withPool(url) { pool in
            try await pool.write("CREATE TABLE things (number bigint)")
            try await pool.write("ALTER SYSTEM SET default_transaction_read_only = on")
            _ = try await withPool(new.url) { pool in
                try await pool.write("CREATE TABLE things (number bigint)")
            }
            // Open sessions apply the setting once they have read it.
            try await pool.write("SELECT pg_reload_conf()")
            var codes: [StoreError.Code?] = []
            _ = try await eventually {
                let error = await failure {
                    try await pool.write("INSERT INTO things VALUES (1)")
                }
                codes.append(error?.code)
                return try await new.number("SELECT count(*) FROM things") == 1
            }
            // One call found it out, and the next one was at the right place.
            #expect(codes.suffix(2) == [.readOnly, nil])
        }
    }
}

extension TestCluster {
    /// The host and port for an address.
    fileprivate var hostPort: String { "127.0.0.1:\(port)" }

    /// Reads one number past the pool.
    fileprivate func number(_ sql: StaticString) async throws -> Int64 {
        try await withPool(url) { pool in try await pool.number(sql) }
    }
}

/// Counts what several tasks see.
private actor Tally {
    private(set) var count = 0

    func add() { count += 1 }
}
