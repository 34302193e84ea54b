import DataSourceContracts
import Migrations
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "Partitions are made ahead, and dropped by the leader without blocking readers",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct PartitionTests {
    private static let role = "hoga_app_login"

    /// The bounds of the partitions of a kind, oldest first, without a default one.
    private static func bounds(
        _ kind: String,
        in database: TestDatabase
    ) async throws -> [[Substring]] {
        let rows = try await database.execute(
            "SELECT name, from_time, to_time FROM hoga.candle_partitions('\(kind)')"
        )
        return rows.split(separator: "\n").map { $0.split(separator: "|") }
    }

    /// A 1m candle of BTC_KRW that opens at a time, a row of `hoga.candles`.
    private static func insertion(at time: String) -> String {
        """
        INSERT INTO hoga.candles
        VALUES ('live', 'BTC_KRW', '1m', \(time), 1, 1, 1, 1, 1, '2020-01-01');
        """
    }

    /// Verifies that the partitions of each kind leave no time out from the beginning to the days
    /// ahead.
    private static func expectWhole(_ database: TestDatabase) async throws {
        for kind in ["candles_1m", "candles_minutes", "candles_hours"] {
            let parts = try await bounds(kind, in: database)
            #expect(parts.first?[0] == "\(kind)_rest")
            #expect(parts.first?[1] == "-infinity")
            for (left, right) in zip(parts, parts.dropFirst()) { #expect(left[2] == right[1]) }
        }
        let ahead = try await database.execute(
            """
            SELECT bool_and(ahead.last > now() + terms.ahead)
            FROM hoga.candle_terms() AS terms
            CROSS JOIN LATERAL (
                SELECT max(to_time) AS last FROM hoga.candle_partitions(terms.kind)
            ) AS ahead
            """
        )
        #expect(ahead == "t")
    }

    @Test("a new schema has partitions for all times up to days ahead, and no default by time")
    func fresh() async throws {
        try await SharedStand.with { stand async throws in
            try await Self.expectWhole(stand.database)
            let defaults = try await stand.database.execute(
                """
                SELECT string_agg(relname, ' ') FROM pg_class
                WHERE relnamespace = 'hoga'::regnamespace
                    AND pg_get_expr(relpartbound, oid) = 'DEFAULT'
                """
            )
            // By interval: no partition is ever attached beside it.
            #expect(defaults == "candles_hours")
        }
    }

    @Test("the newest 1m candles are read from the newest partitions, without a merge or sort")
    func orderedAppend() async throws {
        try await SharedStand.with { stand async throws in
            let plan = try await stand.database.execute(
                """
                EXPLAIN SELECT open_time FROM hoga.candles
                WHERE feed = 'live' AND market = 'BTC_KRW' AND "interval" = '1m'
                ORDER BY open_time DESC LIMIT 200
                """,
                as: Self.role
            )
            #expect(plan.contains("Append"))
            #expect(!plan.contains("Merge Append"))
            #expect(!plan.contains("Sort"))
        }
    }

    @Test("a schema of 0.1.0 with gaps, late and early candles keeps all of them")
    func upgrade() async throws {
        try await MigratedDatabase.with(.release1) { database in
            // Partitions of two times with a gap; 0.1.0 keeps all other candles in the default one.
            for days in [100, 10] {
                try await database.execute(
                    "SELECT hoga.prepare_partitions(now() - interval '\(days) days')"
                )
            }
            let times = [
                "'1970-01-01'", "now() - interval '900 days'", "now() - interval '70 days'",
                "now() - interval '10 days'", "now()", "now() + interval '300 days'",
            ]
            try await database.execute(times.map(Self.insertion).joined())
            let read = "SELECT string_agg(c::text, ' ' ORDER BY open_time) FROM hoga.candles AS c"
            let before = try await database.execute(read)
            try await withPool(database.ownerURL) { pool in
                _ = try await PostgreSQLSchema(pool: pool).migrate()
            }
            #expect(try await database.execute(read) == before)
            try await Self.expectWhole(database)
            let rest = try await database.execute("SELECT count(*) FROM hoga.candles_1m_rest")
            #expect(rest == "2")
        }
    }

    @Test("a database without an instance for a year gets one partition for that time")
    func longPause() async throws {
        try await SharedStand.with { stand async throws in
            let database = stand.database
            let lease = try #require(try await stand.store.takeLease(holder: "a"))
            let later = try await database.time("now() + interval '390 days'")
            let before = try await Self.bounds("candles_1m", in: database).count
            let writer = stand.store.fenced(by: lease)
            try await writer.prepare(at: later)
            try await Self.expectWhole(database)
            // 30 days kept, the day itself, 7 days ahead, and the pause.
            let made = try await Self.bounds("candles_1m", in: database).count - before
            #expect((39...40).contains(made))
        }
    }

    // MARK: Lease and retention

    @Test("no call drops candles that are kept, or drops anything without a lease")
    func retention() async throws {
        try await SharedStand.with { stand async throws in
            let database = stand.database
            let ages = ["1 hour", "29 days"].map { "now() - interval '\($0)'" }
            try await database.execute(ages.map(Self.insertion).joined())
            let far = "now() + interval '10 years'"
            let calls = [
                "SELECT hoga.drop_partitions('candles_1m', \(far))",
                "SELECT hoga.drop_partition('candles-live', 'a', 1, 'candles_1m', \(far))",
            ]
            for call in calls {
                let error = await #expect(throws: ChildProcess.Failure.self) {
                    try await database.execute(call, as: Self.role)
                }
                #expect(error?.text.contains("HG001") == true)
            }
            let lease = try #require(try await stand.store.takeLease(holder: "a"))
            #expect(lease.epoch == 1)
            for call in calls { _ = try await database.execute(call, as: Self.role) }
            #expect(try await database.execute("SELECT count(*) FROM hoga.candles") == "2")
            let stale = await #expect(throws: ChildProcess.Failure.self) {
                try await database.execute(
                    calls[1].replacing("'a', 1", with: "'a', 2"),
                    as: Self.role
                )
            }
            #expect(stale?.text.contains("HG001") == true)
            await #expect(throws: ChildProcess.Failure.self) {
                try await database.execute(
                    "SELECT hoga.drop_partitions('candles_hours', now())",
                    as: Self.role
                )
            }
            try await Self.expectWhole(database)
        }
    }

    @Test("the calls of 0.1.0 make partitions, and drop one old partition each")
    func release1() async throws {
        try await SharedStand.with { stand async throws in
            let database = stand.database
            _ = try await database.addOldPartitions("candles_1m", count: 2)
            _ = try await stand.store.takeLease(holder: "a")
            let before = try await Self.bounds("candles_1m", in: database).count
            for dropped in 1...3 {
                _ = try await database.execute(
                    """
                    SELECT hoga.drop_partitions('candles_1m', now() - interval '30 days');
                    SELECT hoga.prepare_partitions(now())
                    """,
                    as: Self.role
                )
                let left = try await Self.bounds("candles_1m", in: database).count
                #expect(left == before - min(dropped, 2))
            }
            try await Self.expectWhole(database)
        }
    }

    // MARK: Long readers

    @Test("partitions are made while a long reader uses the tables")
    func making() async throws {
        try await SharedStand.with { stand async throws in
            let writer = try await stand.leading()
            let later = try await stand.database.time("now() + interval '20 days'")
            let before = try await Self.bounds("candles_1m", in: stand.database).count
            try await stand.owner.transaction { reader async throws(StoreError) in
                _ = try await reader.perform([
                    PostgreSQLStatement("SELECT count(*) FROM hoga.candles")
                ])
                try await writer.prepare(at: later)
            }
            let made = try await Self.bounds("candles_1m", in: stand.database).count - before
            // One more at midnight.
            #expect((20...21).contains(made))
            try await Self.expectWhole(stand.database)
        }
    }

    @Test("while a long reader holds the table, retention never makes another reader wait long")
    func longReader() async throws {
        try await SharedStand.with { stand async throws in
            let database = stand.database
            let old = try await database.addOldPartitions("candles_1m", count: 2)
            let store = try await stand.leading()
            let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "1m")
            var row = StoredCandlesDTO.Row(allOf: "1")
            row.openTime = old[0]
            try await store.saveCandles(.init(series: series, rows: [row], spans: []))
            let time = try await database.time("now() - interval '30 days'")
            try await stand.owner.transaction { reader async throws(StoreError) in
                _ = try await reader.perform([
                    PostgreSQLStatement("SELECT count(*) FROM hoga.candles_1m")
                ])
                await withTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        let removed = try? await store.removeCandles(
                            intervals: ["1m"],
                            openingBefore: time
                        )
                        #expect(removed == 0)
                        return true
                    }
                    group.addTask {
                        // The server ends a wait of a second, twenty times the retention's own.
                        while !Task.isCancelled {
                            let error = await failure {
                                try await stand.app.perform(
                                    [
                                        PostgreSQLStatement(
                                            "SELECT set_config('lock_timeout', '1s', true)"
                                        ),
                                        PostgreSQLStatement(
                                            """
                                            SELECT open_time FROM hoga.candles
                                            WHERE feed = 'live' AND "interval" = '1m'
                                            LIMIT 1
                                            """
                                        ),
                                    ],
                                    as: .reading
                                )
                            }
                            if !Task.isCancelled { #expect(error == nil) }
                        }
                        return false
                    }
                    // The retention has given up for now; the second reader is told.
                    for await isRetention in group where isRetention { group.cancelAll() }
                }
            }
            let removed = try await store.removeCandles(
                intervals: ["1m"],
                openingBefore: time
            )
            #expect(removed == 1)
            try await Self.expectWhole(database)
            let left = try await Self.bounds("candles_1m", in: database).dropFirst().first
            #expect(left.map { !$0[0].contains("old") } == true)
        }
    }
}
