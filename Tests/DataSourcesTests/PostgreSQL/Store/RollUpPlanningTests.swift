import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "The planner reads candles by their key, whatever it knows of them",
    .enabled(if: TestDatabase.isAvailable)
)
struct RollUpPlanningTests {
    private static let markets = 40

    @Test("transactions compile nothing and start no workers, although the server would")
    func settings() async throws {
        try await SharedStand.with(users: ["a"]) { stand async throws in
            let settings = PostgreSQLStatement(
                """
                SELECT current_setting('jit'), current_setting('max_parallel_workers_per_gather')
                """
            )
            let answers = try await stand.app.perform(
                [
                    settings, stand.store.settle(.short), settings,
                ],
                as: .reading
            )
            #expect(try answers[0][0].text(0) == "on")
            #expect(try answers[0][0].text(1) == "2")
            #expect(try answers[2][0].text(0) == "off")
            #expect(try answers[2][0].text(1) == "0")
            let times = PostgreSQLStore.TransactionTimeouts.personal.values(times: 1)
            let own = try await stand.app.perform(
                [
                    Statements.settleUser(values: [.text("1")] + times), settings,
                ],
                as: .reading
            )
            #expect(try own[1][0].text(0) == "off")
            #expect(try own[1][0].text(1) == "0")
        }
    }

    @Test(
        "the markets of a span cost two index steps each after statistics have become old",
        arguments: [
            // A bucket at the end of the second day, and a day of Seoul, which lies in two
            // partitions; from the beginning of the second day.
            ("23:55", "23:58", 40), ("-09:00", "15:00", 41),
        ]
    )
    func markets(span: (from: String, to: String, markets: Int)) async throws {
        try await SharedStand.with { stand async throws in
            try await fill(stand.database)
            let plan = try await stand.database.execute(
                """
                SET timezone = 'UTC';
                PREPARE settle AS \(Statements.settle.sql);
                EXECUTE settle ('60s', '60s', '60s');
                \(Statements.planByKey.sql);
                PREPARE tried (text, timestamptz, timestamptz, timestamptz, timestamptz) AS
                \(Statements.readMarkets.sql);
                EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE tried (
                    'live', current_date + 4 + interval '\(span.from)',
                    current_date + 4 + interval '\(span.to)', current_date + 3, current_date + 5
                )
                """,
                as: "hoga_app_login"
            ).split(separator: "\n").map(String.init)
            let text = plan.joined(separator: "\n")
            for word in ["Seq Scan", "Bitmap", "Gather", "JIT", "Sort Method"] {
                #expect(!text.contains(word), "\(text)")
            }
            // The whole table has thousands of pages; a step reads at most a handful. Pages that
            // the query changes or writes on its way depend on what the server did before.
            let line = try #require(plan.first { $0.contains("Buffers: shared") })
            let pages = try ["hit", "read"].map { try Self.count(of: $0, in: line) }
                .reduce(0, +)
            #expect(pages < 20 * Self.markets, "\(text)")
            let found = plan.first { $0.contains("actual rows=") }
            #expect(found?.contains("rows=\(span.markets) ") == true, "\(text)")
        }
    }

    @Test("a step names the whole days in UTC that it touches")
    func days() {
        let day: Int64 = 86_400_000_000
        let cases: [(from: Int64, to: Int64, days: Range<Int64>)] = [
            (0, day, 0..<1), (1, 2, 0..<1), (day - 1, day + 1, 0..<2), (day, 2 * day, 1..<2),
            (-1, 1, -1..<1), (-day, -1, -1..<0),
        ]
        for (from, to, days) in cases {
            let step = RollUpPlan.Step(interval: .day1, from: from, to: to, markets: [])
            #expect(
                step.wholeDays
                    == .init(from: days.lowerBound * day, to: days.upperBound * day)
            )
        }
    }

    /// A count of PostgreSQL's `Buffers` line, as 661 of `shared hit=661 read=608`; 0 without it.
    private static func count(of name: String, in line: String) throws -> Int {
        guard let field = line.split(separator: " ").first(where: { $0.hasPrefix("\(name)=") })
        else { return 0 }
        return try #require(Int(field.dropFirst(name.count + 1)))
    }

    /// Two days of minutes, the third and fourth from today, of which the statistics know ten
    /// minutes of one market.
    private func fill(_ database: TestDatabase) async throws {
        let insertion =
            "INSERT INTO hoga.candles SELECT 'live', 'M' || lpad(market::text, 4, '0') || '_KRW',"
            + " '1m', at, 1, 1, 1, 1, 1, at FROM generate_series("
        let ofEach = { (sql: String) in
            """
            DO $$ BEGIN
                FOR day IN 3..4 LOOP
                    EXECUTE format(
                        '\(sql)', to_char(current_date + day, '"candles_1m_"YYYY_MM_DD')
                    );
                END LOOP;
            END $$;
            """
        }
        try await database.execute(
            """
            SET timezone = 'UTC';
            SELECT hoga.extend_partitions('candles_1m', now());
            \(ofEach("ALTER TABLE hoga.%I SET (autovacuum_enabled = false)"))
            \(insertion) current_date + 3, current_date + 3 + interval '10 minutes', '1 minute'
            ) AS at, generate_series(0, 0) AS market;
            \(insertion) current_date + 4, current_date + 4 + interval '10 minutes', '1 minute'
            ) AS at, generate_series(0, 0) AS market;
            ANALYZE hoga.candles;
            \(ofEach("ANALYZE hoga.%I"))
            \(insertion) current_date + 3, current_date + 4 + interval '23:59', '1 minute'
            ) AS at, generate_series(1, \(Self.markets)) AS market
            """
        )
    }
}
