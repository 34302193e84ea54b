import DataSourceContracts
import Foundation
import TestSupport

@testable import DataSourcesPostgreSQL
@testable import Trials

/// Two instances with one database whose connections break, compared with what they acknowledged.
///
/// The calls and the faults follow from the seed. A fault comes after a number of bytes, so what it
/// meets also depends on how the connections are opened.
struct PostgreSQLTrialRun {
    /// An instance's way to the database.
    private struct Instance {
        let relay: FaultyRelay
        let store: TrialStore
        let pools: [PostgreSQLPool]
    }

    private let database: TestDatabase
    private let instances: [Instance]
    private var comparison: StoreComparison
    private var random: SeededGenerator
    /// The number of calls and readings, of which every third loses its connection.
    private static let stepCount = 120
    /// The number of attempts to read a store after a cut.
    private static let readingsMax = 5
    /// The number of calls of each instance after the faults.
    private static let callsAfterwards = 12

    /// Runs a trial until the first failure.
    static func report(seed: UInt64) async throws -> ProgramReport {
        try await MigratedDatabase.with { database in
            try await database.execute(
                "INSERT INTO hoga.users (name, added_at) VALUES ('local', now())"
            )
            let instances = try (0..<2).map { _ in try instance(of: database) }
            defer { for instance in instances { instance.relay.stop() } }
            return try await withThrowingTaskGroup(of: Void.self) { group in
                for pool in instances.flatMap(\.pools) { group.addTask { await pool.run() } }
                defer { group.cancelAll() }
                var run = PostgreSQLTrialRun(seed, database, instances)
                try await run.run()
                return run.comparison.report
            }
        }
    }

    private static func instance(of database: TestDatabase) throws -> Instance {
        let relay = FaultyRelay(to: database.port)
        let pools = try ["hoga_app_login", "hoga_owner"].map { role in
            let url = "postgresql://\(role)@127.0.0.1:\(relay.port)/\(database.name)"
            return try testPool(url) { $0.connectionsMax = 2 }
        }
        let store = TrialStore(
            PostgreSQLStore(pool: pools[0], slowness: 30),
            accounts: PostgreSQLUserAccounts(pool: pools[1])
        )
        return Instance(relay: relay, store: store, pools: pools)
    }

    private init(_ seed: UInt64, _ database: TestDatabase, _ instances: [Instance]) {
        self.database = database
        self.instances = instances
        let relays = instances.map(\.relay)
        // The journal keeps the rows of a year by the server's clock.
        let start = Int64(Date().timeIntervalSince1970 * 1_000_000)
        comparison = StoreComparison(seed: seed, start: start, isShared: true) {
            relays.reduce(0) { $0 + $1.cutCount }
        }
        comparison.restart(storeCount: instances.count)
        random = SeededGenerator(seed: seed ^ 0x6c6f_7373)
    }

    private var isRight: Bool { comparison.report.failures.isEmpty }

    private mutating func run() async throws {
        for _ in 0..<Self.stepCount where isRight {
            comparison.clock.advance(by: Int64.random(in: 100_000...2_000_000, using: &random))
            try await step()
        }
        for _ in 0..<Self.callsAfterwards where isRight {
            for (place, instance) in instances.enumerated() {
                let isMade = await comparison.changeSomething(of: instance.store, at: place)
                if isRight, !isMade { try await settle() }
                await comparison.read(instance.store, at: place)
            }
        }
        if isRight { comparison.report.check("trials") }
        comparison.finish()
    }

    /// Makes a call, or reads everything, and breaks every third one's connection.
    private mutating func step() async throws {
        let place = Int.random(in: instances.indices, using: &random)
        let (relay, store) = (instances[place].relay, instances[place].store)
        let loss =
            Int.random(in: 0..<3, using: &random) == 0
            ? ConnectionLoss.allCases.randomElement(using: &random) : nil
        let isReading = Int.random(in: 0..<5, using: &random) == 0
        let before = comparison.faultCount()
        loss?.arm(relay, using: &random)
        let isMade =
            isReading
            ? await comparison.read(store, at: place)
            : await comparison.changeSomething(of: store, at: place)
        relay.cancelCut()
        let isCut = comparison.faultCount() > before
        // The cut may have come after the call.
        comparison.unsettle(since: before)
        if isCut, let loss { comparison.report.injected["\(loss)", default: 0] += 1 }
        if isRight, isCut || !isMade { try await settle() }
    }

    /// Waits until the server is idle, then reads what it has stored.
    private mutating func settle() async throws {
        let isQuiet = try await eventually {
            try await database.execute(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = '\(database.name)' AND backend_type = 'client backend'
                    AND state <> 'idle' AND pid <> pg_backend_pid()
                """
            ) == "0"
        }
        guard isQuiet else { return comparison.report.fail("the server does not end a call") }
        // A number that was taken for a token is gone, also if the token was not stored.
        try await database.execute(
            """
            SELECT setval(pg_get_serial_sequence('hoga.api_tokens', 'id'), coalesce(max(id), 1),
                max(id) IS NOT NULL)
            FROM hoga.api_tokens
            """
        )
        for (place, instance) in instances.enumerated() {
            // A reading may meet each of the connections that broke.
            var isRead = false
            for _ in 0..<Self.readingsMax where isRight && !isRead {
                isRead = await comparison.read(instance.store, at: place)
            }
            if isRight, !isRead { comparison.report.fail("a store cannot be read after a cut") }
        }
        comparison.settle()
    }
}
