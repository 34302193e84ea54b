import TestSupport
import Testing

@testable import App

@Suite(
    "The doctor looks at a deployment's database as the program would use it",
    .enabled(if: TestDatabase.isAvailable)
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

    @Test("a deployment that works is fine, though nobody writes candles yet")
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
                    "store schema": "ok", "store role": "ok", "store candles": "warn",
                    "store session": "ok", "store token": "ok",
                ]
            )
        }
    }

    @Test("a strange token and a session that is nowhere are told, each in its line")
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

    @Test("a database that was never migrated says so, and what to run")
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
