import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A user never reads or writes another user's rows",
    .enabled(if: TestDatabase.isAvailable)
)
struct IsolationTests {
    private static let role = "hoga_app_login"

    /// Runs the body with two users, of whom the second has rows in every table.
    private static func with(_ body: (SharedStand) async throws -> Void) async throws {
        try await SharedStand.with(users: ["me", "stranger"]) { stand async throws in
            for write in [
                TestChange.addFavorite("SECRET_KRW", limit: 9), .putCash("12345"),
                .putSettings(UserRecordSamples.settings, expecting: nil),
                .putHolding(.init(asset: "SECRET", quantity: "2", averagePrice: "7"), limit: 9),
                .putDisplayName("secret"), .putAlertRule(UserRecordSamples.rule),
            ] { _ = try await stand.store.write(write, user: 2, at: 1) }
            try await stand.database.execute(
                """
                INSERT INTO hoga.alert_states (user_id, rule, market, fired_at, state)
                VALUES (2, 2, 'SECRET_KRW', now(), 'secret');
                INSERT INTO hoga.alert_log (
                    user_id, number, rule, market, at, value, is_rise, rule_text, feed, stored_at
                ) VALUES (2, 1, 2, 'SECRET_KRW', now(), 1, true, 'secret', 'live', now());
                INSERT INTO hoga.webhooks (user_id, url, secret, created_at, since)
                VALUES (2, 'https://secret.example', 'secret', now(), 0);
                INSERT INTO hoga.webhook_progress (user_id, feed, tried_through)
                VALUES (2, 'live', 1);
                INSERT INTO hoga.webhook_failures (
                    user_id, number, feed, attempts, retry_at, failed_at, failure
                ) VALUES (2, 1, 'live', 1, now(), now(), 'secret')
                """
            )
            let token = NewTokenDTO(
                sha256: Array(repeating: 2, count: 32),
                scope: "write",
                madeAt: 1,
                expiresAt: nil
            )
            _ = try await PostgreSQLUserAccounts(pool: stand.owner)
                .addToken(token, of: "stranger", limit: 9)
            let before = try await contents(of: stand.database)
            try await body(stand)
            #expect(try await contents(of: stand.database) == before)
        }
    }

    @Test("a user is set for one transaction: later ones of the same connection have none")
    func localUser() async throws {
        try await SharedStand.with(users: ["me"], connections: 1) { stand async throws in
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await stand.store.record(of: 1) },
                { _ = try await stand.store.write(.putCash("1"), user: 1, at: 1) },
                { _ = try await stand.store.changeCount(of: 1) },
                { _ = try await stand.store.journal(user: 1, newest: 5) },
                { try await stand.store.checkWriting(of: 1) },
                // Rolled back.
                { _ = try? await stand.store.record(of: 999) },
                {
                    _ = try? await stand.store.update(
                        1,
                        entry: .init(at: 1, kind: "a.b", subject: nil)
                    ) {
                        _ throws(StoreError) in throw StoreError(.conflict, "no")
                    }
                },
            ]
            let backend = try await stand.app.number("SELECT pg_backend_pid()::bigint")
            for (index, call) in calls.enumerated() {
                try await call()
                let row = try await stand.app.read(
                    """
                    SELECT coalesce(current_setting('app.user_id', true), ''),
                        (SELECT count(*) FROM hoga.users), pg_backend_pid()::bigint
                    """
                )[0]
                #expect(try row.text(0).isEmpty, "call \(index)")
                #expect(try row.integer(1) == 0, "call \(index) leaves no rows in sight")
                #expect(try row.integer(2) == backend)
            }
        }
    }

    /// Every row of the second user, as seen by the superuser.
    private static func contents(of database: TestDatabase) async throws -> String {
        var contents = ""
        for table in try await tables(database) {
            let column = table.name == "users" ? "id" : "user_id"
            contents += try await database.execute(
                """
                SELECT '\(table.name)', kept.ctid, kept.xmin, kept FROM hoga.\(table.name) AS kept
                WHERE \(column) = 2 ORDER BY kept.ctid
                """
            )
        }
        return contents
    }

    /// A table with rows of users.
    private struct Table {
        var name: String
        var columns: [String]
        var key: String { name == "users" ? "id" : "user_id" }
    }

    /// Read from the catalog, so that new tables are included.
    private static func tables(_ database: TestDatabase) async throws -> [Table] {
        let lines = try await database.execute(
            """
            SELECT class.relname, string_agg(quote_ident(part.attname), ',' ORDER BY part.attnum)
            FROM pg_class AS class
            JOIN pg_attribute AS part ON part.attrelid = class.oid AND part.attnum > 0
            WHERE class.relnamespace = 'hoga'::regnamespace AND class.relkind IN ('r', 'p')
                AND NOT class.relispartition
            GROUP BY class.relname
            HAVING class.relname = 'users' OR 'user_id' = ANY (array_agg(part.attname))
            ORDER BY class.relname
            """
        )
        return lines.split(separator: "\n").map { line in
            let parts = line.split(separator: "|")
            return Table(
                name: String(parts[0]),
                columns: parts[1].split(separator: ",").map(String.init)
            )
        }
    }

    /// The answer to a statement of hoga_app: rows, or `ERROR` if it is refused.
    private static func answer(
        _ sql: String,
        as user: String?,
        _ database: TestDatabase
    ) async throws -> String {
        let set = user.map { "SET app.user_id = '\($0)'; " } ?? ""
        do {
            return try await database.execute(set + sql, as: role)
        } catch let failure as ChildProcess.Failure {
            // Refused for lack of permission, by row-level security, or because the number is
            // generated; api_tokens has no policy that could be dropped.
            let isRefused = ["42501", "428C9", "42704"].contains(where: failure.text.contains)
            #expect(isRefused, "\(sql): \(failure.text)")
            return "ERROR"
        }
    }

    // MARK: The repository's calls

    @Test("each call with a user treats another user's rows as missing")
    func calls() async throws {
        try await Self.with { stand async throws in
            // Missing users and other users: the store is called as user 1, and the rows of others
            // are hidden from the transaction.
            // The role may not read tables of tokens, of access and of the audit trail at all.
            let closed = ["api_tokens", "access_changes", "audit"]
            for table in try await Self.tables(stand.database)
            where !closed.contains(table.name) {
                let seen = try await Self.answer(
                    "SELECT count(*) FROM hoga.\(table.name) WHERE \(table.key) <> 1",
                    as: "1",
                    stand.database
                )
                #expect(seen == "0", "\(table.name)")
            }
            let store = stand.store
            var messages: Set<String> = []
            for call in 0..<3 {
                do throws(StoreError) {
                    switch call {
                    case 0: _ = try await store.record(of: 77)
                    case 1: _ = try await store.changeCount(of: 77)
                    default: _ = try await store.write(.putCash("1"), user: 77, at: 1)
                    }
                    Issue.record("call \(call) answered")
                } catch {
                    #expect(error.code == .unavailable)
                    messages.insert(error.detail)
                }
            }
            #expect(messages.count == 1)
            #expect(try await store.journal(user: 77, newest: 9) == [])
            #expect(try await store.record(of: 1) == UserRecordDTO(name: "me"))
            #expect(try await store.journal(user: 1, newest: 9) == [])
        }
    }

    @Test("a statement on another user's rows in one's own transaction does nothing")
    func statements() async throws {
        try await Self.with { stand async throws in
            // The program's own statements with the wrong number.
            let two = PostgreSQLValue.integer(2)
            let patience = PostgreSQLStore.TransactionTimeouts.short.values(times: 1)
            let settings = [two] + UserRecordSamples.settings.values
            let reads = [
                Statements.readUserRecord(two, Statements.logRowsMax),
                Statements.readChangeCount(two), Statements.readJournal(two, .integer(9)),
                Statements.lockUser(two), Statements.readAlertLog(two, .null, .integer(9)),
                Statements.readWebhook(two), Statements.readDeadLetters(two, .integer(9)),
            ]
            let writes = [
                Statements.rewriteUser(two), Statements.removeFavorites(two),
                Statements.removeFavorite(two, .text("SECRET_KRW")),
                Statements.removeHolding(two, .text("SECRET")),
                Statements.putDisplayName(two, .text("x")),
                Statements.removeAlertRule(two, .integer(2)),
                Statements.putAlertsSeen(two, .integer(1)), Statements.removeWebhook(two),
                Statements.putWebhook(two, .text("https://x"), .bytes([1]), .time(1)),
            ]
            let refused = [
                Statements.appendFavorites(two, .texts(["X_KRW"])),
                Statements.putSettings(values: settings),
                Statements.putHolding(two, .text("X"), .text("1"), .null),
                Statements.putHolding(two, .text("SECRET"), .text("1"), .null),
                Statements.putCash(two, .text("1")),
                Statements.recordChange(
                    values: [two, .time(1), .text("a.b"), .null]
                        + Array(repeating: .integer(1), count: 6)
                ),
                Statements.putAlertRule(values: [two] + UserRecordSamples.rule.values),
            ]
            for user in ["1", ""] {
                let settle = Statements.settleUser(values: [.text(user)] + patience)
                for statement in reads {
                    let rows = try await stand.app.perform([settle, statement], as: .reading)
                    #expect(rows[1].isEmpty, "\(statement.sql)")
                }
                for statement in writes {
                    let rows = try await stand.app.perform([settle, statement], as: .writing)
                    #expect(rows[1].changedRows == 0, "\(statement.sql)")
                }
                for statement in refused {
                    let error = await failure {
                        try await stand.app.perform([settle, statement], as: .writing)
                    }
                    #expect(error?.detail.contains("42501") == true, "\(statement.sql)")
                }
            }
        }
    }

    // MARK: Raw SQL

    @Test(
        "raw SQL as hoga_app reaches no row of another user",
        arguments: [nil, "", "1"] as [String?]
    )
    func rawSQL(user: String?) async throws {
        try await Self.with { stand async throws in
            let database = stand.database
            let tables = try await Self.tables(database)
            #expect(tables.count >= 13)
            for table in tables {
                let name = "hoga.\(table.name)"
                let columns = table.columns.joined(separator: ", ")
                let reads = [
                    "SELECT 1 FROM \(name) WHERE \(table.key) = 2",
                    "SELECT kept::text FROM \(name) AS kept WHERE \(table.key) <> 1",
                    "COPY (SELECT * FROM \(name) WHERE \(table.key) <> 1) TO STDOUT",
                    "SELECT 1 FROM \(name) WHERE \(table.key) = 2 FOR UPDATE",
                    "SELECT 1 FROM \(name) WHERE \(table.key) = 2 FOR KEY SHARE",
                    "WITH gone AS (DELETE FROM \(name) WHERE \(table.key) = 2 RETURNING 1) "
                        + "SELECT * FROM gone",
                    "SELECT most_common_vals FROM pg_stats WHERE schemaname = 'hoga' "
                        + "AND tablename = '\(table.name)'",
                ]
                for sql in reads {
                    let answer = try await Self.answer(sql, as: user, database)
                    #expect(answer == "" || answer == "ERROR", "\(sql): \(answer)")
                }
                for column in table.columns {
                    let plain = "UPDATE \(name) SET \(column) = \(column)"
                    for sql in [plain, plain + " WHERE \(table.key) = 2"] {
                        _ = try await Self.answer(sql, as: user, database)
                    }
                }
                for sql in [
                    "DELETE FROM \(name)", "DELETE FROM \(name) WHERE \(table.key) = 2",
                    "TRUNCATE \(name)", "TRUNCATE \(name) CASCADE",
                    "INSERT INTO \(name) SELECT * FROM \(name) WHERE \(table.key) = 2",
                    "COPY \(name) (\(columns)) FROM PROGRAM 'true'",
                    "ALTER TABLE \(name) DISABLE ROW LEVEL SECURITY",
                    "DROP POLICY own_rows ON \(name)",
                    "CREATE TRIGGER tells AFTER INSERT ON \(name) "
                        + "EXECUTE FUNCTION suppress_redundant_updates_trigger()",
                ] {
                    // A statement allowed on one's own rows does not reach another user's.
                    if user == "1", sql == "DELETE FROM \(name)" { continue }
                    _ = try await Self.answer(sql, as: user, database)
                }
            }
        }
    }

    @Test("no setting gives more access", arguments: [nil, "1"] as [String?])
    func tricks(user: String?) async throws {
        try await Self.with { stand async throws in
            let database = stand.database
            for sql in [
                "SET row_security = off; SELECT count(*) FROM hoga.favorites WHERE user_id <> 1",
                "SET ROLE hoga_owner", "SET ROLE postgres", "SET SESSION AUTHORIZATION postgres",
                "SELECT * FROM hoga.api_tokens", "SELECT nextval('hoga.users_id_seq')",
                "INSERT INTO hoga.users (name, added_at) VALUES ('x', now())",
                "UPDATE hoga.users SET name = 'x'", "UPDATE hoga.users SET disabled_at = now()",
                "UPDATE hoga.users SET id = 9", "CREATE TABLE hoga.mine (a int)",
                "CREATE FUNCTION hoga.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "SELECT hoga.make_partition('candles_1m', 'x', now(), now())",
                "SELECT hoga.extend_partitions('candles_1m', now())",
                "SELECT hoga.drop_oldest_partition('candles_1m', now())",
                "UPDATE hoga.schema_migrations SET sha256 = 'x'",
                "ALTER ROLE hoga_app BYPASSRLS",
                "DROP TABLE hoga.journal", "DROP SCHEMA hoga CASCADE",
            ] {
                #expect(try await Self.answer(sql, as: user, database) == "ERROR", "\(sql)")
            }
            // A function runs with the rights of its caller.
            let own = try await Self.answer(
                """
                CREATE FUNCTION pg_temp.look(market text) RETURNS boolean LANGUAGE plpgsql COST 1
                AS 'BEGIN RAISE EXCEPTION USING ERRCODE = 22000, MESSAGE = market; END';
                SELECT count(*) FROM hoga.favorites WHERE pg_temp.look(market)
                """,
                as: user,
                database
            )
            #expect(own == "0")
            // The functions of tokens return what a token allows, and nothing for a wrong one.
            for (call, expected) in [
                ("find_token('\\x00')", ""), ("own_tokens('\\x00')", ""),
                ("revoke_own_token('\\x00', 1)", "unauthorized"),
                (
                    "add_own_token('\\x00', sha256('x'), 'write', NULL, NULL, 9, 9)",
                    "unauthorized|||"
                ),
            ] {
                let answer = try await Self.answer(
                    "SELECT * FROM hoga.\(call)",
                    as: user,
                    database
                )
                #expect(answer == expected)
            }
        }
    }

    @Test("every table is either free of user data or under row-level security")
    func catalog() async throws {
        try await Self.with { stand async throws in
            for table in try await Self.tables(stand.database) where table.name != "api_tokens" {
                let isHidden = try await stand.database.execute(
                    "SELECT row_security_active('hoga.\(table.name)')",
                    as: Self.role
                )
                #expect(isHidden == "t", "\(table.name)")
            }
            // Tables without a user's number are listed here, so that a new table needs a decision.
            let others = try await stand.database.execute(
                """
                SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class AS class
                WHERE relnamespace = 'hoga'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
                    AND NOT relispartition AND relname <> 'users' AND NOT EXISTS (
                        SELECT FROM pg_attribute
                        WHERE attrelid = class.oid AND attname = 'user_id'
                    )
                """
            )
            #expect(
                others == "alert_values candle_coverage candle_late candle_rollups candle_spans "
                    + "candle_writing candles closes coin_names instance_lease journal_terms "
                    + "market_alerts market_warnings readings schema_migrations"
            )
            // Functions with the owner's rights have a fixed search path and named callers.
            let open = try await stand.database.execute(
                """
                SELECT proname FROM pg_proc WHERE pronamespace = 'hoga'::regnamespace AND (
                    NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (proconfig), false)
                    OR proacl IS NULL OR EXISTS (
                        SELECT FROM aclexplode(proacl) WHERE grantee = 0
                    )
                )
                """
            )
            #expect(open == "")
        }
    }

    @Test("a role without row-level security is refused", arguments: [true, false])
    func openRoles(isSuperuser: Bool) async throws {
        try await Self.with { stand async throws in
            let url = isSuperuser ? stand.database.adminURL : stand.database.ownerURL
            try await withPool(url) { pool async throws in
                let store = PostgreSQLStore(pool: pool, slowness: 30)
                for call in 0..<5 {
                    let error = await failure {
                        switch call {
                        case 0: _ = try await store.record(of: 1)
                        case 1: _ = try await store.write(.putCash("5"), user: 1, at: 1)
                        case 2: _ = try await store.changeCount(of: 1)
                        case 3: try await store.checkWriting(of: 1)
                        default: _ = try await store.journal(user: 1, newest: 1)
                        }
                    }
                    #expect(error?.code == .unavailable)
                    #expect(error?.detail.contains("connect as a member of hoga_app") == true)
                }
            }
            #expect(try await stand.store.record(of: 1) == UserRecordDTO(name: "me"))
        }
    }
}
