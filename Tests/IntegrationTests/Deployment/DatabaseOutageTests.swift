import Domain
import Foundation
import TestSupport
import Testing
import UseCases

@testable import App

@Suite(
    "While the database is away nothing personal is kept, and everything else goes on",
    .enabled(if: TestDatabase.isAvailable)
)
struct DatabaseOutageTests {
    @Test("An instance waits for it from the start on, refuses changes meanwhile, and goes on")
    func fromTheStart() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            let relay = FaultyRelay(to: deployment.database.port)
            defer { relay.stop() }
            relay.conduct(.refusing)
            let url =
                "postgresql://hoga_app_login@127.0.0.1:\(relay.port)"
                + "/\(deployment.database.name)"
            try await deployment.instance(
                of: token,
                listens: false,
                clock: ContinuousClock(),
                url: url
            ) { instance in
                let isWaiting = try await instance.shows { cut in
                    guard case .waiting(let failure) = cut.status else { return false }
                    return failure.code == .unavailable
                }
                try #require(isWaiting, "it waits")
                let refused = await #expect(throws: StoreFailure.self) {
                    try await instance.personal.perform(.putCash("5"))
                }
                #expect(refused?.isRetryable == true)
                #expect(instance.latest.value.record.cash.value == nil)
                relay.conduct(.passing)
                try #require(try await instance.shows { $0.status == .ready }, "it reads")
                _ = try await instance.personal.perform(.putCash("6"))
                relay.conduct(.refusing)
                relay.cut()
                let isFailing = try await instance.shows { cut in
                    guard case .failing = cut.status else { return false }
                    // What was read last stays, and is said to be that.
                    return cut.record.cash.value == "6"
                }
                try #require(isFailing, "it says so")
                relay.conduct(.passing)
                try #require(try await instance.shows { $0.status == .ready }, "it works again")
            }
        }
    }

    @Test("A command says that it is away and ends; a service serves markets and waits for it")
    func processes() async throws {
        let environment = [
            // Nobody listens on the port that is for nothing.
            "HOGA_DATABASE_URL": "postgresql://hoga_app:s3cret@127.0.0.1:9/hoga",
            "HOGA_TOKEN": "hoga_" + String(repeating: "A", count: 43),
        ]
        try await onBlockingThread {
            let command = try HogaProcess.run(["cash"], environment: environment)
            #expect(command.status == 69)
            #expect(command.errors.contains("127.0.0.1:9"), "\(command.errors)")
            #expect(!command.errors.contains("s3cret"))
            let list = try HogaProcess.run(
                ["snapshot", "market-list", "--exchange", "simulated", "--limit", "1"],
                environment: environment
            )
            #expect(list.status == 0, "\(list.errors)")
            #expect(list.output.contains(#""phase":"ready""#))
        }
    }

    @Test("A service without its database is ready, says so, and takes it up when it comes")
    func service() async throws {
        try await Deployment.run { deployment in
            let relay = FaultyRelay(to: deployment.database.port)
            defer { relay.stop() }
            relay.conduct(.refusing)
            let name = deployment.database.name
            let url = "postgresql://hoga_app_login@127.0.0.1:\(relay.port)/\(name)"
            try await onBlockingThread {
                let service = try RunningProgram.service(environment: ["HOGA_DATABASE_URL": url])
                defer { service.end() }
                try service.text(with: "serving http")
                try service.text(with: "feed live")
                try service.text(with: #"store failed part="personal" code=unavailable"#)
                #expect(service.isRunning)
                relay.conduct(.passing)
                try service.text(with: #"store works part="personal""#)
                try service.text(with: "candles leading")
                relay.conduct(.refusing)
                relay.cut()
                try service.text(with: "candles following")
                relay.conduct(.passing)
                // It leads again, in a new epoch.
                try service.text(with: "epoch=2")
            }
        }
    }
}
