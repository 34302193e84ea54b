import Foundation
import TestSupport
import Testing

@Suite(
    "Incompatible database schemas",
    .enabled(if: TestDatabase.isAvailable),
    .ownThread,
    .timeLimit(.minutes(4))
)
struct IncompatibleSchemaTests {
    /// The statement that makes the schema incompatible, and a text of the error.
    private static let faults: [(sql: String, words: String)] = [
        (
            """
            INSERT INTO hoga.schema_migrations (number, name, sha256, runs_with, applied_at)
            VALUES (9999, '9999_later', repeat('0', 64), 9999, now())
            """, "upgrade hoga"
        ),
        (
            "UPDATE hoga.schema_migrations SET sha256 = repeat('0', 64) WHERE number = 1",
            "0001_people"
        ),
        ("DELETE FROM hoga.schema_migrations", "hoga migrate up"),
    ]

    @Test("every command that uses the store refuses it and changes nothing")
    func refusals() async throws {
        for fault in Self.faults {
            try await Deployment.run { deployment in
                let token = try await deployment.added("kim")
                let database = deployment.database
                try await database.execute(fault.sql)
                for arguments in [
                    ["cash", "5"], ["cash"], ["favorites", "add", "BTC_KRW"],
                    ["favorites", "list"], ["holdings", "put", "BTC", "1"], ["snapshot", "me"],
                    ["snapshot", "portfolio"],
                ] {
                    let outcome = try await deployment.hoga(
                        arguments,
                        ["HOGA_DATABASE_URL": database.appURL, "HOGA_TOKEN": token]
                    )
                    #expect(outcome.status == 69, "\(arguments) \(outcome.errors)")
                    #expect(outcome.errors.contains(fault.words), "\(arguments) \(outcome.errors)")
                    #expect(outcome.output.isEmpty)
                }
                for arguments in [
                    ["user", "add", "lee"], ["user", "list"], ["user", "disable", "kim"],
                    ["user", "remove", "kim", "--yes"], ["user", "token", "new", "kim"],
                    ["user", "export", "kim"], ["user", "token", "revoke", "1"],
                ] {
                    let outcome = try await deployment.hoga(
                        arguments,
                        ["HOGA_DATABASE_URL": database.ownerURL]
                    )
                    #expect(outcome.status == 69, "\(arguments) \(outcome.errors)")
                    #expect(outcome.errors.contains(fault.words), "\(arguments) \(outcome.errors)")
                }
                for (table, count) in [
                    ("users", "1"), ("api_tokens", "1"), ("cash", "0"), ("favorites", "0"),
                    ("holdings", "0"), ("journal", "0"),
                ] {
                    let found = try await database.execute("SELECT count(*) FROM hoga.\(table)")
                    #expect(found == count, "\(table)")
                }
                let disabled = try await database.execute(
                    "SELECT count(*) FROM hoga.users WHERE disabled_at IS NOT NULL"
                )
                #expect(disabled == "0")
            }
        }
    }
}
