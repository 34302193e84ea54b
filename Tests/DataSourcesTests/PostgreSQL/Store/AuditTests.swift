import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "The audit trail has each change by administrators, and nobody can alter it",
    .enabled(if: TestDatabase.isAvailable)
)
struct AuditTests {
    private static func token(_ byte: UInt8, expiresAt: Int64? = nil) -> NewTokenDTO {
        NewTokenDTO(
            sha256: [UInt8](repeating: byte, count: 32),
            scope: "read",
            madeAt: 1,
            expiresAt: expiresAt
        )
    }

    private static let all = AuditFilter(user: nil, from: nil, to: nil, rowsMax: 1_000)

    /// The rows about users, without their times: those of migrations come first.
    private static func rows(
        _ accounts: PostgreSQLUserAccounts,
        _ filter: AuditFilter = all
    ) async throws -> [String] {
        try await accounts.audit(filter).filter { $0.user != nil }.map { row in
            let token = row.token.map { " \($0)" } ?? ""
            let details = row.detailsJSON == "{}" ? "" : " \(row.detailsJSON)"
            return "\(row.role) \(row.administrator ?? "-") \(row.action) \(row.user ?? 0) "
                + "\(row.subject)\(token)\(details)"
        }
    }

    /// Adds a row of an age, which no role can do without disabling triggers of the table.
    private static func addRow(age: String, in database: TestDatabase) async throws {
        try await database.execute(
            """
            INSERT INTO hoga.audit (at, action, subject)
            VALUES (clock_timestamp() - interval '\(age)', 'old.row', '\(age)')
            """
        )
    }

    @Test("every administrative call writes one row with role and administrator")
    func calls() async throws {
        try await SharedStand.with { stand async throws in
            let accounts = PostgreSQLUserAccounts(pool: stand.owner, administrator: "lee")
            _ = try await accounts.addUser(name: "kim", at: 1)
            _ = try await accounts.addToken(Self.token(1), of: "kim", limit: 9)
            let end: Int64 = 4_000_000_000_000_000
            _ = try await accounts.addToken(Self.token(2, expiresAt: end), of: "kim", limit: 9)
            try await accounts.revokeToken(number: 1, at: 5)
            try await accounts.revokeToken(number: 1, at: 6)
            try await accounts.setUser(name: "kim", isDisabled: true)
            try await accounts.setUser(name: "kim", isDisabled: true)
            try await accounts.setUser(name: "kim", isDisabled: false)
            try await accounts.removeUser(name: "kim")
            #expect(
                try await Self.rows(accounts) == [
                    "hoga_owner lee user.add 1 kim",
                    #"hoga_owner lee token.add 1 kim 1 {"scope": "read"}"#,
                    #"hoga_owner lee token.add 1 kim 2 "#
                        + #"{"scope": "read", "expires": "2096-10-02T07:06:40Z"}"#,
                    "hoga_owner lee token.revoke 1 kim 1", "hoga_owner lee user.disable 1 kim",
                    "hoga_owner lee user.enable 1 kim", "hoga_owner lee user.remove 1 kim",
                ]
            )
            #expect(try await stand.database.execute("SELECT count(*) FROM hoga.users") == "0")
        }
    }

    @Test("a token that a user makes or revokes is noted with the number of the token in use")
    func ownTokens() async throws {
        try await SharedStand.with(users: ["kim"]) { stand async throws in
            let accounts = PostgreSQLUserAccounts(pool: stand.owner, administrator: "lee")
            var first = Self.token(1)
            first.scope = "write"
            _ = try await accounts.addToken(first, of: "kim", limit: 9)
            let limits = TokenLimitsDTO(valid: 9, perDay: 9)
            let made = try await stand.store.addOwnToken(
                Self.token(2),
                by: first.sha256,
                limits: limits
            )
            for number in [made.number, made.number, 99] {
                _ = try await stand.store.revokeOwnToken(number: number, by: first.sha256, at: 1)
            }
            #expect(
                try await Self.rows(accounts).suffix(2) == [
                    #"hoga_app_login - token.add 1 kim 2 {"scope": "read", "byToken": "1"}"#,
                    #"hoga_app_login - token.revoke 1 kim 2 {"byToken": "1"}"#,
                ]
            )
            // The next change of the same connection is the administrator's again.
            try await accounts.revokeToken(number: 1, at: 5)
            #expect(
                try await Self.rows(accounts).last == "hoga_owner lee token.revoke 1 kim 1"
            )
        }
    }

    @Test("an administrator whom the service states is not noted for a user's own token")
    func statedAdministrator() async throws {
        try await SharedStand.with(users: ["kim"]) { stand async throws in
            let accounts = PostgreSQLUserAccounts(pool: stand.owner, administrator: "lee")
            var first = Self.token(1)
            first.scope = "write"
            _ = try await accounts.addToken(first, of: "kim", limit: 9)
            try await stand.database.execute(
                """
                BEGIN;
                SELECT set_config('app.administrator', 'lee', true),
                    set_config('app.token_id', '77', true);
                SELECT hoga.revoke_own_token(decode(repeat('01', 32), 'hex'), 1);
                COMMIT
                """,
                as: "hoga_app_login"
            )
            #expect(
                try await Self.rows(accounts).last
                    == #"hoga_app_login - token.revoke 1 kim 1 {"byToken": "1"}"#
            )
        }
    }

    @Test("changes by hand and by 0.1.0 are noted, without an administrator")
    func byHand() async throws {
        try await SharedStand.with(users: ["kim", "lee"]) { stand async throws in
            let accounts = PostgreSQLUserAccounts(pool: stand.owner)
            _ = try await accounts.addToken(Self.token(1), of: "kim", limit: 9)
            try await stand.database.execute(
                """
                UPDATE hoga.users SET name = 'park' WHERE id = 1;
                UPDATE hoga.api_tokens SET scope = 'write';
                UPDATE hoga.api_tokens SET used_at = now();
                UPDATE hoga.users SET display_name = 'x', cash_revision = 1;
                DELETE FROM hoga.api_tokens
                """,
                as: "hoga_owner"
            )
            #expect(
                try await Self.rows(accounts).dropFirst(2) == [
                    #"hoga_owner - token.add 1 kim 1 {"scope": "read"}"#,
                    #"hoga_owner - user.rename 1 kim {"name": "park"}"#,
                    #"hoga_owner - token.change 1 park 1 {"scope": "write"}"#,
                    "hoga_owner - token.remove 1 park 1",
                ]
            )
        }
    }

    @Test("a change that is rolled back leaves no row")
    func rolledBack() async throws {
        try await SharedStand.with(users: ["kim"]) { stand async throws in
            let accounts = PostgreSQLUserAccounts(pool: stand.owner)
            let before = try await Self.rows(accounts)
            let error = await failure {
                _ = try await accounts.addToken(Self.token(1), of: "kim", limit: 0)
            }
            #expect(error?.code == .tooMany)
            try await stand.database.execute(
                "BEGIN; DELETE FROM hoga.users; ROLLBACK",
                as: "hoga_owner"
            )
            #expect(try await Self.rows(accounts) == before)
        }
    }

    @Test("migrations and repaired privileges are noted with the administrator")
    func migrations() async throws {
        try await SharedStand.with { stand async throws in
            try await stand.database.execute("REVOKE SELECT ON hoga.users FROM hoga_app")
            _ = try await PostgreSQLSchema(pool: stand.owner, administrator: "lee").migrate()
            let rows = try await PostgreSQLUserAccounts(pool: stand.owner).audit(Self.all)
            #expect(rows.first?.action == "migration.apply")
            #expect(rows.first?.subject == "0008_audit_and_news_age")
            #expect(rows.last?.action == "privileges.grant")
            #expect(rows.last?.administrator == "lee")
        }
    }

    @Test(
        "no statement of the service or of the owner changes or removes a row",
        arguments: ["hoga_app_login", "hoga_owner"],
        [
            "UPDATE hoga.audit SET subject = 'x'", "DELETE FROM hoga.audit",
            "DELETE FROM hoga.audit WHERE user_id = 1", "TRUNCATE hoga.audit",
            "UPDATE hoga.audit SET at = '1970-01-01'",
            "INSERT INTO hoga.audit (id, action, subject) VALUES (1, 'a.b', 'x')",
        ]
    )
    func appendOnly(role: String, sql: String) async throws {
        try await SharedStand.with(users: ["kim"]) { stand async throws in
            let before = try await stand.database.execute("SELECT * FROM hoga.audit ORDER BY id")
            #expect(before.contains("user.add"))
            await #expect(throws: ChildProcess.Failure.self) {
                try await stand.database.execute(sql, as: role)
            }
            let after = try await stand.database.execute("SELECT * FROM hoga.audit ORDER BY id")
            #expect(after == before)
        }
    }

    @Test("the service can neither read nor add a row")
    func closed() async throws {
        try await SharedStand.with { stand async throws in
            for statement in [
                "SELECT * FROM hoga.audit", "SELECT hoga.note_audit('a.b', 1, 'x')",
                "INSERT INTO hoga.audit (action, subject) VALUES ('a.b', 'x')",
            ] {
                await #expect(throws: ChildProcess.Failure.self) {
                    try await stand.database.execute(statement, as: "hoga_app_login")
                }
            }
        }
    }

    @Test("the next row removes rows of more than three years ago, and no other")
    func age() async throws {
        try await SharedStand.with { stand async throws in
            try await Self.addRow(age: "3 years 1 hour", in: stand.database)
            try await Self.addRow(age: "2 years 364 days", in: stand.database)
            _ = try await PostgreSQLUserAccounts(pool: stand.owner).addUser(name: "kim", at: 1)
            let old = try await stand.database.execute(
                "SELECT subject FROM hoga.audit WHERE action = 'old.row'"
            )
            #expect(old == "2 years 364 days")
        }
    }

    @Test("rows are found by time, and by present, former and removed names of their user")
    func filters() async throws {
        try await SharedStand.with(users: ["kim", "lee"]) { stand async throws in
            let accounts = PostgreSQLUserAccounts(pool: stand.owner)
            try await stand.database.execute("UPDATE hoga.users SET name = 'park' WHERE id = 1")
            let all = try await accounts.audit(Self.all)
            for name in ["kim", "park"] {
                var filter = Self.all
                filter.user = name
                #expect(try await accounts.audit(filter).map(\.user) == [1, 1], "\(name)")
            }
            try await accounts.removeUser(name: "park")
            var filter = Self.all
            filter.user = "kim"
            let actions = try await accounts.audit(filter).map(\.action)
            #expect(actions == ["user.add", "user.rename", "user.remove"])
            filter.user = "nobody"
            #expect(try await accounts.audit(filter) == [])

            let last = try #require(all.last)
            filter = AuditFilter(user: nil, from: last.at, to: last.at + 1, rowsMax: 9)
            #expect(try await accounts.audit(filter) == [last])
            filter = AuditFilter(user: nil, from: nil, to: last.at, rowsMax: 9)
            #expect(try await accounts.audit(filter) == all.dropLast().suffix(9))
            filter = AuditFilter(user: nil, from: nil, to: last.at, rowsMax: 1)
            #expect(try await accounts.audit(filter) == [all[all.count - 2]])
        }
    }
}
