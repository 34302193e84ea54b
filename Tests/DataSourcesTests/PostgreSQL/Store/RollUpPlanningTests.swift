import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "The planner reads candles by their key, whatever it knows of them",
    .enabled(if: TestDatabase.isAvailable)
)
struct RollUpPlanningTests {
    private static let markets = 100

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
            // A bucket at the end of the day, and a day of Seoul, which lies in two partitions.
            ("2025-06-10 23:55+00", "2025-06-10 23:58+00", 100),
            ("2025-06-09 15:00+00", "2025-06-10 15:00+00", 101),
        ]
    )
    func markets(span: (from: String, to: String, markets: Int)) async throws {
        try await SharedStand.with { stand async throws in
            try await fill(stand.database)
            let plan = try await stand.database.execute(
                """
                PREPARE settle AS \(Statements.settle.sql);
                EXECUTE settle ('60s', '60s', '60s');
                \(Statements.planByKey.sql);
                PREPARE tried (text, timestamptz, timestamptz, timestamptz, timestamptz) AS
                \(Statements.readMarkets.sql);
                EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE tried (
                    'live', '\(span.from)', '\(span.to)',
                    '2025-06-09 00:00+00', '2025-06-11 00:00+00'
                )
                """,
                as: "hoga_app_login"
            ).split(separator: "\n").map(String.init)
            let text = plan.joined(separator: "\n")
            for word in ["Seq Scan", "Bitmap", "Gather", "JIT", "Sort Method"] {
                #expect(!text.contains(word), "\(text)")
            }
            // The whole table has thousands of pages; a step reads at most a handful.
            let line = try #require(plan.first { $0.contains("Buffers: shared") })
            let pages = line.split { !$0.isNumber }.compactMap { Int($0) }.reduce(0, +)
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

    /// Two days of minutes, of which the statistics know ten minutes of one market.
    private func fill(_ database: TestDatabase) async throws {
        let insertion =
            "INSERT INTO hoga.candles SELECT 'live', 'M' || lpad(market::text, 4, '0') || '_KRW',"
            + " '1m', at, 1, 1, 1, 1, 1, at FROM generate_series("
        try await database.execute(
            """
            SELECT hoga.prepare_partitions('2025-06-10 12:00+00');
            ALTER TABLE hoga.candles_1m_2025_06_09 SET (autovacuum_enabled = false);
            ALTER TABLE hoga.candles_1m_2025_06_10 SET (autovacuum_enabled = false);
            \(insertion) timestamptz '2025-06-09 00:00+00', '2025-06-09 00:10+00', '1 minute'
            ) AS at, generate_series(0, 0) AS market;
            \(insertion) timestamptz '2025-06-10 00:00+00', '2025-06-10 00:10+00', '1 minute'
            ) AS at, generate_series(0, 0) AS market;
            ANALYZE hoga.candles;
            ANALYZE hoga.candles_1m_2025_06_09;
            ANALYZE hoga.candles_1m_2025_06_10;
            \(insertion) timestamptz '2025-06-09 00:00+00', '2025-06-10 23:59+00', '1 minute'
            ) AS at, generate_series(1, \(Self.markets)) AS market
            """
        )
    }
}
