import Domain
import Foundation
import TestSupport
import Testing

@Suite(
    "hoga user with a database",
    .enabled(if: TestDatabase.isAvailable),
    .ownThread,
    .timeLimit(.minutes(4))
)
struct UserCommandTests {
    @Test("two users cannot see each other's data")
    func sideBySide() async throws {
        try await Deployment.run { deployment in
            let kim = try await deployment.added("kim")
            let lee = try await deployment.added("이 나")
            #expect(AccessToken(kim) != nil && AccessToken(lee) != nil && kim != lee)
            for (token, market, cash) in [(kim, "BTC_KRW", "5"), (lee, "ETH_KRW", "7")] {
                #expect(try await deployment.user(token, "favorites", "add", market).status == 0)
                #expect(try await deployment.user(token, "cash", cash).status == 0)
            }
            for (token, market, cash) in [(kim, "BTC_KRW", "5"), (lee, "ETH_KRW", "7")] {
                let list = try await deployment.user(token, "favorites", "list")
                #expect(list.output == "1 \(market)\n")
                #expect(try await deployment.user(token, "cash").output == cash + "\n")
            }
            let me = try await deployment.user(lee, "snapshot", "me")
            #expect(me.output.contains(#""name":"이 나""#), "\(me.errors)")
            #expect(me.output.contains(#""revision":"u2-"#))
        }
    }

    @Test("users are listed, not added twice, exported, and removed with their data")
    func life() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            #expect(try await deployment.user(token, "cash", "5").status == 0)
            #expect(try await deployment.user(token, "favorites", "add", "BTC_KRW").status == 0)
            let again = try await deployment.owner("user", "add", "kim")
            #expect(again.status == 64)
            for name in ["", " kim", "a\nb", String(repeating: "x", count: 65)] {
                let outcome = try await deployment.owner("user", "add", name)
                #expect(outcome.status == 64, "\(name)")
                #expect(outcome.errors.contains("NAME:"))
            }
            let list = try await deployment.owner("user", "list").output
            let fields = list.split(separator: "\t")
            #expect(list.hasPrefix("1\t20") && fields.count == 4, "\(list)")
            #expect(fields.dropFirst(2) == ["enabled", "kim\n"])

            try await deployment.database.execute(
                """
                UPDATE hoga.users SET alerts_revision = 1, alerts_logged = 1;
                INSERT INTO hoga.alert_rules (user_id, number, text, feed, created_at)
                SELECT id, 1, 'BTC_KRW > 5', 'live', now() FROM hoga.users;
                INSERT INTO hoga.alert_states (user_id, rule, market, fired_at, state)
                SELECT id, 1, 'BTC_KRW', now(), '' FROM hoga.users;
                INSERT INTO hoga.alert_log (
                    user_id, number, rule, market, at, value, is_rise, rule_text, feed, stored_at
                )
                SELECT id, 1, 1, 'BTC_KRW', now(), 5.50, true, 'BTC_KRW > 5', 'live', now()
                FROM hoga.users
                """
            )
            let export = try await deployment.owner("user", "export", "kim")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(export.output.utf8))
                    as? [String: Any]
            )
            #expect(object["cash"] as? String == "5")
            #expect(object["favorites"] as? [String] == ["BTC_KRW"])
            #expect((object["journal"] as? [Any])?.count == 2)
            let alerts = try #require(object["alerts"] as? [[String: Any]])
            #expect(alerts.map { $0["rule"] as? String } == ["BTC_KRW > 5"])
            let log = try #require(object["alertLog"] as? [[String: Any]])
            #expect(log.map { $0["value"] as? String } == ["5.5"])
            #expect((object["tokens"] as? [Any])?.count == 1)
            #expect(!export.output.contains(token.dropFirst(5)))

            let unmeant = try await deployment.owner("user", "remove", "kim")
            #expect(unmeant.status == 64 && unmeant.errors.contains("--yes"))
            #expect(try await deployment.user(token, "cash").output == "5\n")
            #expect(try await deployment.owner("user", "remove", "kim", "--yes").status == 0)
            let gone = try await deployment.user(token, "cash")
            #expect(gone.status == 78 && gone.errors.contains("HOGA_TOKEN"), "\(gone.errors)")
            let unknown = try await deployment.owner("user", "export", "kim")
            #expect(unknown.status == 64 && unknown.errors.contains("no user 'kim'"))
            #expect(try await deployment.owner("user", "remove", "kim", "--yes").status == 64)
            for table in [
                "users", "favorites", "cash", "journal", "api_tokens", "alert_rules",
                "alert_states", "alert_log",
            ] {
                let count = try await deployment.database.execute(
                    "SELECT count(*) FROM hoga.\(table)"
                )
                #expect(count == "0", "\(table)")
            }
        }
    }

    @Test("a file of users is imported completely, or refused with its wrong lines")
    func importing() async throws {
        try await Deployment.run { deployment in
            let folder = URL.temporaryDirectory.appending(path: "hoga-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "users.csv")
            func run(_ text: String) async throws -> HogaProcess.Outcome {
                try Data(text.utf8).write(to: file)
                return try await deployment.owner("user", "import", file.path)
            }
            let lines = (1...1_000).map { "user\($0),\"이름, \($0)\"\r\n" }.joined()
            let outcome = try await run("name,displayName\r\n" + lines)
            #expect(outcome.output == "1000 users added\n", "\(outcome.errors)")
            let again = try await run("name,displayName\nkim,\nuser7,\nlee,\nuser9,x\n")
            #expect(again.status == 64)
            #expect(again.errors.contains("line 3: the user exists"))
            #expect(again.errors.contains("line 5: the user exists"))
            let wrong = try await run("name,displayName\nkim,\n lee,\nkim,x\n")
            #expect(wrong.status == 64)
            #expect(wrong.errors.contains("line 3: name: it begins or ends with a space"))
            #expect(wrong.errors.contains("line 4: the name is on line 2 too"))
            let list = try await deployment.owner("user", "list").output
            #expect(list.split(separator: "\n").count == 1_000)
            let token = try await deployment.token(of: "user12")
            let me = try await deployment.user(token, "snapshot", "me")
            #expect(me.output.contains(#""displayName":"이름, 12""#), "\(me.output)")
        }
    }

    @Test("a rotated token is replaced by one of the same scope and lifetime")
    func rotating() async throws {
        try await Deployment.run { deployment in
            _ = try await deployment.added("kim")
            let former = try await deployment.token(of: "kim", "--scope", "read", "--expires", "9d")
            #expect(try await deployment.user(former, "cash").status == 0)
            let rotated = try await deployment.owner("user", "token", "rotate", "2")
            #expect(rotated.errors.contains("token 3 replaces token 2, which is revoked"))
            #expect(rotated.errors.contains("scope read, valid until 20"), "\(rotated.errors)")
            let token = rotated.output.trimmingCharacters(in: .newlines)
            #expect(try await deployment.user(former, "cash").status == 78)
            #expect(try await deployment.user(token, "cash").status == 0)
            #expect(try await deployment.user(token, "cash", "5").status == 78)
            let lifetime = try await deployment.database.execute(
                "SELECT extract(day FROM expires_at - made_at) FROM hoga.api_tokens WHERE id = 3"
            )
            #expect(lifetime == "9")
            let overlapping = try await deployment.owner(
                "user",
                "token",
                "rotate",
                "3",
                "--overlap",
                "1h",
                "--expires",
                "never"
            )
            #expect(overlapping.errors.contains("which is valid until 20"))
            #expect(overlapping.errors.contains("valid until it is revoked"))
            #expect(try await deployment.user(token, "cash").status == 0)
            for arguments in [["2"], ["99"], ["x"], ["3", "--overlap", "never"]] {
                let outcome = try await deployment.hoga(
                    ["user", "token", "rotate"] + arguments,
                    ["HOGA_DATABASE_URL": deployment.database.ownerURL]
                )
                #expect(outcome.status == 64, "\(arguments)")
                #expect(outcome.output.isEmpty)
            }
        }
    }

    @Test("a token's note is listed, exported, and kept by a rotation unless it names another")
    func notes() async throws {
        try await Deployment.run { deployment in
            _ = try await deployment.added("kim")
            _ = try await deployment.token(of: "kim", "--note", "거실 화면")
            func notes() async throws -> [Substring] {
                let list = try await deployment.owner("user", "token", "list", "kim").output
                return list.split(separator: "\n").map { line in
                    line.range(of: " note=").map { line[$0.upperBound...] } ?? ""
                }
            }
            #expect(try await notes() == ["", "거실 화면"])
            _ = try await deployment.owner("user", "token", "rotate", "2")
            _ = try await deployment.owner("user", "token", "rotate", "3", "--note", "b")
            _ = try await deployment.owner("user", "token", "rotate", "4", "--note", "")
            #expect(try await notes() == ["", "거실 화면", "거실 화면", "b", ""])
            let export = try await deployment.owner("user", "export", "kim").output
            #expect(export.contains(#""note" : "거실 화면""#))
            let long = String(repeating: "x", count: 101)
            let refused = try await deployment.owner("user", "token", "new", "kim", "--note", long)
            #expect(refused.status == 64 && refused.errors.contains("--note: too long"))
        }
    }

    @Test("a token has a scope, expires, is revoked, and is disabled with its user")
    func tokens() async throws {
        try await Deployment.run { deployment in
            let write = try await deployment.added("kim")
            let read = try await deployment.token(of: "kim", "--scope", "read")
            let short = try await deployment.token(of: "kim", "--expires", "1s")
            #expect(try await deployment.user(read, "cash").status == 0)
            let refused = try await deployment.user(read, "cash", "5")
            #expect(refused.status == 78 && refused.errors.contains("--scope write"))
            #expect(try await deployment.user(write, "cash").output == "-\n")
            let me = try await deployment.user(read, "snapshot", "me")
            #expect(me.output.contains(#""scopes":["read"]"#))

            // The token expires by the database's clock.
            var ended = try await deployment.user(short, "cash")
            for _ in 0..<1_000 where ended.status == 0 {
                ended = try await deployment.user(short, "cash")
            }
            #expect(ended.status == 78 && ended.errors.contains("expired"))

            let list = try await deployment.owner("user", "token", "list", "kim").output
            let lines = list.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[0].hasPrefix("1 write made=20"))
            #expect(lines[0].contains("revoked=never used=20"))
            for text in [write, read, short] { #expect(!list.contains(text.suffix(43))) }

            #expect(try await deployment.owner("user", "token", "revoke", "2").status == 0)
            #expect(try await deployment.owner("user", "token", "revoke", "2").status == 0)
            #expect(try await deployment.owner("user", "token", "revoke", "99").status == 64)
            #expect(try await deployment.user(read, "cash").status == 78)
            #expect(try await deployment.owner("user", "disable", "kim").status == 0)
            #expect(try await deployment.owner("user", "list").output.contains("\tdisabled\tkim\n"))
            #expect(try await deployment.user(write, "cash").status == 78)
            #expect(try await deployment.owner("user", "enable", "kim").status == 0)
            #expect(try await deployment.user(write, "cash").status == 0)
            #expect(try await deployment.owner("user", "disable", "lee").status == 64)
        }
    }

    @Test("user audit prints changes with their administrator as text or JSON, for the owner only")
    func audit() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            let url = deployment.database.ownerURL
            let revoked = try await deployment.hoga(
                ["user", "token", "revoke", "1"],
                ["HOGA_DATABASE_URL": url, "HOGA_ADMINISTRATOR": "이 나"]
            )
            #expect(revoked.status == 0, "\(revoked.errors)")
            #expect(try await deployment.owner("user", "remove", "kim", "--yes").status == 0)
            let audit = try await deployment.owner("user", "audit", "--user", "kim")
            let rows = audit.output.split(separator: "\n").map { $0.split(separator: "\t") }
            #expect(
                rows.map { $0[3] } == ["user.add", "token.add", "token.revoke", "user.remove"],
                "\(audit.output)\(audit.errors)"
            )
            #expect(rows.allSatisfy { $0[1] == "hoga_owner" && $0[4] == "kim" })
            #expect(rows[2].dropFirst(2) == ["이 나", "token.revoke", "kim", "token=1"])
            #expect(rows[1].last?.hasPrefix("token=1 expires=20") == true)
            #expect(!audit.output.contains(token.suffix(43)))

            let all = try await deployment.owner("user", "audit", "--json")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [String: Any]
            )
            let entries = try #require(object["rows"] as? [[String: Any]])
            #expect(entries.first?["action"] as? String == "migration.apply")
            #expect(entries.first?["user"] is NSNull)
            #expect(entries.last?["action"] as? String == "user.remove")
            let few = try await deployment.owner("user", "audit", "--rows", "1")
            #expect(few.output.split(separator: "\n").count == 1)
            #expect(few.errors.contains("only the newest 1 rows"))
            let none = try await deployment.owner("user", "audit", "--from", "2099-01-01")
            #expect(none.status == 0 && none.output.isEmpty)
            for arguments in [
                ["--from", "x"], ["--rows", "0"], ["--from", "2026-01-02", "--to", "2026-01-01"],
            ] {
                let outcome = try await deployment.hoga(
                    ["user", "audit"] + arguments,
                    ["HOGA_DATABASE_URL": url]
                )
                #expect(outcome.status == 64, "\(arguments)")
            }
            let service = try await deployment.user(nil, "user", "audit")
            #expect(service.status == 69 && service.output.isEmpty)
        }
    }

    @Test("a missing or invalid token is refused at the start with a remedy")
    func withoutToken() async throws {
        try await Deployment.run { deployment in
            for arguments in [
                ["watch"], ["favorites", "list"], ["cash", "5"], ["snapshot", "portfolio"],
            ] {
                let outcome = try await deployment.hoga(
                    arguments,
                    ["HOGA_DATABASE_URL": deployment.database.appURL]
                )
                #expect(outcome.status == 78, "\(arguments)")
                #expect(outcome.errors.contains("HOGA_TOKEN_FILE"))
                #expect(outcome.errors.contains("hoga user token new"))
            }
            let unknown = "hoga_" + String(repeating: "A", count: 43)
            for arguments in [["watch", "--exchange", "simulated"], ["holdings", "list"]] {
                let outcome = try await deployment.hoga(
                    arguments,
                    ["HOGA_DATABASE_URL": deployment.database.appURL, "HOGA_TOKEN": unknown]
                )
                #expect(outcome.status == 78, "\(arguments)")
                #expect(outcome.errors.contains("unknown, expired or revoked"))
                #expect(!outcome.errors.contains(unknown))
            }
        }
    }

    @Test("the program's role cannot manage users, and the owner's cannot read user data")
    func roles() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            for arguments in [
                ["user", "list"], ["user", "add", "x"], ["user", "export", "kim"],
                ["user", "disable", "kim"], ["user", "enable", "kim"],
                ["user", "remove", "kim", "--yes"], ["user", "token", "new", "kim"],
                ["user", "token", "list", "kim"], ["user", "token", "revoke", "1"],
                ["migrate", "up"],
            ] {
                let outcome = try await deployment.hoga(
                    arguments,
                    ["HOGA_DATABASE_URL": deployment.database.appURL]
                )
                if arguments[0] == "migrate" {
                    // No migration is pending, so no rights are needed.
                    #expect(outcome.status == 0)
                } else {
                    #expect(outcome.status == 69, "\(arguments) \(outcome.output)")
                    #expect(outcome.output.isEmpty)
                    let words = "Connect as the owner of the tables"
                    #expect(outcome.errors.contains(words), "\(outcome.errors)")
                }
            }
            for url in [deployment.database.ownerURL, deployment.database.adminURL] {
                for arguments in [
                    ["cash"], ["watch", "--exchange", "simulated"],
                    ["serve", "--exchange", "simulated", "--listen", "127.0.0.1:0"],
                ] {
                    let outcome = try await deployment.hoga(
                        arguments,
                        ["HOGA_DATABASE_URL": url, "HOGA_TOKEN": token]
                    )
                    #expect(outcome.status == 69, "\(arguments)")
                    #expect(outcome.errors.contains("hoga_app"), "\(outcome.errors)")
                }
            }
        }
    }

    @Test("store path hides the password, backup needs the owner, and check reports the schema")
    func store() async throws {
        try await Deployment.run { deployment in
            let database = deployment.database
            let url =
                "postgresql://hoga_app_login:s3cret@127.0.0.1:\(database.port)"
                + "/\(database.name)"
            let path = try await deployment.hoga(["store", "path"], ["HOGA_DATABASE_URL": url])
            #expect(path.status == 0)
            #expect(path.output.contains(database.name) && !path.output.contains("s3cret"))
            let backup = try await deployment.hoga(
                ["store", "backup", "/tmp/x"],
                ["HOGA_DATABASE_URL": url]
            )
            #expect(backup.status == 69)
            #expect(backup.errors.contains("Connect as the owner"))
            #expect(!backup.errors.contains("s3cret"))
            let check = try await deployment.hoga(["store", "check"], ["HOGA_DATABASE_URL": url])
            #expect(check.status == 0, "\(check.errors)")
            #expect(check.output.contains("role hoga_app_login\n"))
            #expect(check.output.contains("0001_people applied"))
            #expect(check.output.contains("lease none"))
            #expect(check.output.hasSuffix("sound\n"))
            let verify = try await deployment.user(nil, "migrate", "verify")
            #expect(verify.status == 0, "\(verify.errors)")
            let again = try await deployment.owner("migrate", "up")
            #expect(again.output == "nothing to do: the schema is up to date\n")
        }
    }

    @Test("serve and watch refuse an unmigrated database with a remedy")
    func unmigrated() async throws {
        try await TestDatabase.with { database in
            let deployment = Deployment(database: database)
            let unknown = "hoga_" + String(repeating: "A", count: 43)
            for arguments in [
                ["serve", "--exchange", "simulated", "--listen", "127.0.0.1:0"], ["watch"],
                ["cash"],
            ] {
                let outcome = try await deployment.hoga(
                    arguments,
                    ["HOGA_DATABASE_URL": database.appURL, "HOGA_TOKEN": unknown]
                )
                #expect(outcome.status == 69, "\(arguments): \(outcome.errors)")
                #expect(outcome.errors.contains("hoga migrate up"), "\(outcome.errors)")
            }
        }
    }
}
