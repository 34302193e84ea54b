import TestSupport
import Testing

@testable import App

@Suite(
    "hoga doctor with a database",
    .enabled(if: TestDatabase.isAvailable),
    .ownThread,
    .timeLimit(.minutes(4))
)
struct DoctorDeploymentTests {
    private func lines(_ outcome: HogaProcess.Outcome) -> [String: String] {
        let found = outcome.output.split(separator: "\n").filter { $0.contains("store ") }
        return Dictionary(
            found.compactMap { line in
                let words = line.split(separator: " ")
                guard words.count > 2, ["ok", "warn", "FAIL"].contains(words[0]) else { return nil }
                return ("\(words[1]) \(words[2])", String(words[0]))
            }
        ) { first, _ in first }
    }

    @Test("a working deployment passes even without a candle writer")
    func works() async throws {
        try await Deployment.run { deployment in
            let outcome = try await deployment.hoga(
                ["doctor", "--exchange", "simulated"],
                [
                    "HOGA_DATABASE_URL": deployment.database.appURL,
                    "HOGA_DATABASE_SESSION_URL": deployment.database.appURL,
                    "HOGA_TOKEN": try await deployment.added("kim"),
                ]
            )
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(
                lines(outcome) == [
                    "store schema": "ok", "store role": "ok", "store writes": "ok",
                    "store TLS": "ok", "store candles": "warn", "store session": "ok",
                    "store token": "ok",
                ]
            )
        }
    }

    @Test("an unknown token and an unreachable session fail in their own lines")
    func broken() async throws {
        try await Deployment.run { deployment in
            let outcome = try await deployment.hoga(
                ["doctor", "--exchange", "simulated"],
                [
                    "HOGA_DATABASE_URL": deployment.database.appURL,
                    "HOGA_DATABASE_SESSION_URL": "postgresql://me@127.0.0.1:1/none",
                    "HOGA_TOKEN": "hoga_" + String(repeating: "A", count: 43),
                ]
            )
            #expect(outcome.status == 69)
            let lines = lines(outcome)
            #expect(lines["store schema"] == "ok")
            #expect(lines["store session"] == "FAIL")
            #expect(lines["store token"] == "FAIL")
            #expect(!(outcome.output + outcome.errors).contains("AAAA"))
        }
    }

    @Test("a database that is read-only by default fails with the setting to change")
    func readOnlyDefault() async throws {
        try await Deployment.run { deployment in
            try await deployment.database.execute(
                """
                ALTER DATABASE \(deployment.database.name) SET default_transaction_read_only = on
                """
            )
            let outcome = try await deployment.hoga(
                ["doctor", "--exchange", "simulated"],
                ["HOGA_DATABASE_URL": deployment.database.appURL]
            )
            #expect(outcome.status == 69)
            let lines = lines(outcome)
            #expect(lines["store schema"] == "ok")
            #expect(lines["store writes"] == "FAIL", "\(outcome.output)")
            #expect(outcome.output.contains("default_transaction_read_only is on"))
            #expect(outcome.output.contains("ALTER DATABASE"))
        }
    }

    @Test("a standby fails with the advice to use the primary, and both together pass")
    func standby() async throws {
        let primary = try await TestCluster.make()
        let migrated = try await onBlockingThread {
            try HogaProcess.run(
                ["migrate", "up"],
                environment: ["HOGA_DATABASE_URL": primary.url]
            )
        }
        try #require(migrated.status == 0, "\(migrated.errors)")
        let standby = try await primary.standby()
        let alone = "postgresql://postgres@127.0.0.1:\(standby.port)/postgres"
        let both =
            "postgresql://postgres@127.0.0.1:\(standby.port),127.0.0.1:\(primary.port)/postgres"
        // Its address says that it makes no changes.
        let declared = alone + "?target_session_attrs=standby"
        for (url, expected) in [(alone, "FAIL"), (both, "ok"), (declared, "ok")] {
            let outcome = try await onBlockingThread {
                try HogaProcess.run(
                    ["doctor", "--exchange", "simulated"],
                    environment: ["HOGA_DATABASE_URL": url]
                )
            }
            #expect(lines(outcome)["store writes"] == expected, "\(outcome.output)")
            #expect(outcome.output.contains("the server is a standby") == (expected == "FAIL"))
        }
        for (read, expected) in [(alone, "ok"), ("postgresql://127.0.0.1:1/none", "FAIL")] {
            let outcome = try await onBlockingThread {
                try HogaProcess.run(
                    ["doctor", "--exchange", "simulated"],
                    environment: [
                        "HOGA_DATABASE_URL": primary.url, "HOGA_DATABASE_READ_URL": read,
                    ]
                )
            }
            #expect(lines(outcome)["store standby"] == expected, "\(outcome.output)")
            #expect(outcome.output.contains("HOGA_DATABASE_READ_URL") == (expected == "FAIL"))
        }
    }

    @Test("an unmigrated database fails with the command to run")
    func unmigrated() async throws {
        try await TestDatabase.with { database in
            let outcome = try await onBlockingThread {
                try HogaProcess.run(
                    ["doctor", "--exchange", "simulated"],
                    environment: ["HOGA_DATABASE_URL": database.ownerURL]
                )
            }
            #expect(outcome.status == 69)
            #expect(lines(outcome)["store schema"] == "FAIL")
            #expect(outcome.output.contains("hoga migrate up"))
        }
    }
}
