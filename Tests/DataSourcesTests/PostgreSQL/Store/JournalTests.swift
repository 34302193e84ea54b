import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "The service appends to the journal and removes only rows that are not kept any more",
    .enabled(if: TestDatabase.isAvailable)
)
struct JournalTests {
    private static let role = "hoga_app_login"

    /// Statements of the service as user 1.
    private static func run(_ sql: String, in database: TestDatabase) async throws -> String {
        try await database.execute("SET app.user_id = '1'; \(sql)", as: role)
    }

    /// The journal's numbers of all users, as the superuser sees them.
    private static func numbers(_ database: TestDatabase) async throws -> String {
        try await database.execute(
            """
            SELECT user_id, string_agg(number::text, ' ' ORDER BY number) FROM hoga.journal
            GROUP BY user_id ORDER BY user_id
            """
        )
    }

    /// Numbers as ``numbers(_:)`` writes them.
    private static func text(_ numbers: ClosedRange<Int>) -> String {
        numbers.map(String.init).joined(separator: " ")
    }

    /// Adds rows of a user up to a number.
    private static func fill(
        _ user: Int,
        upTo number: Int,
        writtenAt age: String = "0",
        in database: TestDatabase
    ) async throws {
        try await database.execute(
            """
            INSERT INTO hoga.journal (user_id, number, at, kind, written_at)
            SELECT \(user), n, now(), 'cash.put', now() - interval '\(age)'
            FROM generate_series(1, \(number)) AS n
            """
        )
    }

    @Test(
        "a kept row cannot be deleted, changed or made prunable",
        arguments: [
            "DELETE FROM hoga.journal", "DELETE FROM hoga.journal WHERE user_id = 1",
            "DELETE FROM hoga.journal WHERE number <= 2",
            "UPDATE hoga.journal SET kind = 'a.b'", "TRUNCATE hoga.journal",
            "INSERT INTO hoga.journal (user_id, number, at, kind) "
                + "VALUES (1, 1000000, now(), 'a.b')",
            "INSERT INTO hoga.journal (user_id, number, at, kind) VALUES (1, 3, now(), 'a.b')",
            "INSERT INTO hoga.journal (user_id, number, at, kind, written_at) "
                + "VALUES (1, 5, now(), 'a.b', '1970-01-01')",
            "INSERT INTO hoga.journal (user_id, number, at, kind, change) "
                + "VALUES (1, 5, now(), 'a.b', '3')",
            "SELECT hoga.prune_journal()",
            "SELECT set_config('app.user_id', '2', false); "
                + "SELECT hoga.prune_journal()",
        ]
    )
    func appendOnly(sql: String) async throws {
        try await SharedStand.with(users: ["me", "other"]) { stand async throws in
            for user in 1...2 { try await Self.fill(user, upTo: 4, in: stand.database) }
            _ = try? await Self.run(sql, in: stand.database)
            #expect(try await Self.numbers(stand.database) == "1|1 2 3 4\n2|1 2 3 4")
        }
    }

    @Test("a change prunes rows of more than 366 days ago, except the newest, of its user only")
    func age() async throws {
        try await SharedStand.with(users: ["me", "other"]) { stand async throws in
            let database = stand.database
            for user in 1...2 {
                try await Self.fill(user, upTo: 14, writtenAt: "367 days", in: database)
            }
            #expect(try await Self.run("SELECT hoga.prune_journal()", in: database) == "13")
            _ = try await stand.store.write(.putCash("1"), user: 1, at: 1)
            _ = try await stand.store.write(.putCash("2"), user: 1, at: 1)
            #expect(try await Self.numbers(database) == "1|15 16\n2|\(Self.text(1...14))")
        }
    }

    @Test("the leader prunes old rows of users who change nothing, and keeps the newest of each")
    func idleUsers() async throws {
        try await SharedStand.with { stand async throws in
            let database = stand.database
            try await database.execute(
                """
                INSERT INTO hoga.users (name, added_at)
                SELECT 'user' || n, now() FROM generate_series(1, 1002) AS n
                """
            )
            // More users than one transaction prunes; the last one has no rows.
            for user in [1, 2, 1_001] {
                try await Self.fill(user, upTo: 3, writtenAt: "367 days", in: database)
            }
            try await database.execute(
                """
                INSERT INTO hoga.journal (user_id, number, at, kind)
                SELECT 2, n, now(), 'cash.put' FROM generate_series(4, 5) AS n
                """
            )
            try await stand.leading().pruneJournals()
            #expect(try await Self.numbers(database) == "1|3\n2|4 5\n1001|3")
            // The number of changes goes on.
            _ = try await stand.store.write(.putCash("1"), user: 1, at: 1)
            #expect(try await Self.numbers(database) == "1|3 4\n2|4 5\n1001|3")
        }
    }

    @Test("the owner sets how many rows are kept and how long, and the service cannot")
    func terms() async throws {
        try await SharedStand.with(users: ["me"]) { stand async throws in
            let database = stand.database
            try await Self.fill(1, upTo: 15, writtenAt: "8 days", in: database)
            for sql in [
                "UPDATE hoga.journal_terms SET age_max = interval '1 day'",
                "DELETE FROM hoga.journal_terms", "SELECT * FROM hoga.journal_terms",
                "SELECT hoga.journal_limit_of(1)",
                "SELECT * FROM hoga.prune_journals('candles-live', 'me', 1, 0, 9)",
            ] {
                await #expect(throws: ChildProcess.Failure.self, "\(sql)") {
                    try await Self.run(sql, in: database)
                }
            }
            let leading = try await stand.leading()
            try await leading.pruneJournals()
            #expect(try await Self.numbers(database) == "1|\(Self.text(1...15))")
            let owner = "hoga_owner"
            try await database.execute("UPDATE hoga.journal_terms SET rows_max = 4", as: owner)
            try await leading.pruneJournals()
            #expect(try await Self.numbers(database) == "1|12 13 14 15")
            try await database.execute(
                "UPDATE hoga.journal_terms SET age_max = interval '7 days'",
                as: owner
            )
            _ = try await stand.store.write(.putCash("1"), user: 1, at: 1)
            #expect(try await Self.numbers(database) == "1|16")
            for terms in ["rows_max = 0", "age_max = interval '1 hour'"] {
                await #expect(throws: ChildProcess.Failure.self) {
                    try await database.execute("UPDATE hoga.journal_terms SET \(terms)", as: owner)
                }
            }
        }
    }

    @Test("without the lease nobody's journal is pruned")
    func lease() async throws {
        try await SharedStand.with(users: ["me"]) { stand async throws in
            try await Self.fill(1, upTo: 3, writtenAt: "367 days", in: stand.database)
            let lease = LeaseDTO(feed: "live", holder: "nobody", epoch: 1)
            let error = await failure { try await stand.store.fenced(by: lease).pruneJournals() }
            #expect(error?.code == .fenced)
            #expect(try await Self.numbers(stand.database) == "1|1 2 3")
        }
    }

    @Test("each sixteenth change prunes rows before the newest 10,000")
    func count() async throws {
        try await SharedStand.with(users: ["me"]) { stand async throws in
            try await Self.fill(1, upTo: 10_014, in: stand.database)
            for (amount, rows) in [("1", "1|10015|10015"), ("2", "17|10016|10000")] {
                _ = try await stand.store.write(.putCash(amount), user: 1, at: 1)
                let kept = try await stand.database.execute(
                    "SELECT min(number), max(number), count(*) FROM hoga.journal"
                )
                #expect(kept == rows)
            }
        }
    }

    @Test("0.1.0 appends and deletes old rows with its own statements, and its changes go through")
    func release1() async throws {
        try await SharedStand.with(users: ["me"]) { stand async throws in
            try await Self.fill(1, upTo: 10_000, in: stand.database)
            // The statements `note` and `trim_journal` of 0.1.0.
            _ = try await Self.run(
                """
                BEGIN;
                SELECT 1 FROM hoga.users WHERE id = 1 FOR NO KEY UPDATE;
                INSERT INTO hoga.journal (user_id, number, at, kind, subject)
                SELECT 1::bigint, coalesce(max(old.number), 0) + 1, now(), 'a.b', NULL
                FROM hoga.journal AS old WHERE old.user_id = 1;
                DELETE FROM hoga.journal WHERE user_id = 1
                    AND number <= (SELECT max(number) FROM hoga.journal WHERE user_id = 1) - 10000;
                COMMIT
                """,
                in: stand.database
            )
            let kept = try await stand.database.execute(
                "SELECT min(number), max(number), count(*) FROM hoga.journal"
            )
            #expect(kept == "2|10001|10000")
        }
    }

    @Test("no plan of the functions that 0.1.0 calls is compiled, because that takes 0.3 s a call")
    func plans() async throws {
        try await SharedStand.with(users: []) { stand async throws in
            let compiled = try await stand.database.execute(
                """
                SELECT count(*), count(*) FILTER (WHERE 'jit=off' = ANY (proconfig))
                FROM pg_proc WHERE pronamespace = 'hoga'::regnamespace
                    AND proname IN (
                        'journal_head', 'journal_limit', 'journal_limit_of', 'prune_journal'
                    )
                """
            )
            #expect(compiled == "4|4")
        }
    }
}
