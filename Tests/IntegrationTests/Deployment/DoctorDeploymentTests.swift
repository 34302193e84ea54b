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
                    "store schema": "ok", "store role": "ok", "store candles": "warn",
                    "store session": "ok", "store token": "ok",
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
