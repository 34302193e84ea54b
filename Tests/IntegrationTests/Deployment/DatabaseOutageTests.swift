import Domain
import Foundation
import TestSupport
import Testing
import UseCases

@testable import App

@Suite(
    "Database outages",
    .enabled(if: TestDatabase.isAvailable),
    .tags(.threads),
    .ownThread,
    .timeLimit(.minutes(4))
)
struct DatabaseOutageTests {
    @Test("an instance started without its database refuses changes until the database returns")
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
                let isWaiting = try await instance.shows { state in
                    guard case .waiting(let failure) = state.status else { return false }
                    return failure.code == .unavailable
                }
                try #require(isWaiting, "it waits")
                let refused = await #expect(throws: StoreFailure.self) {
                    try await instance.user.perform(.putCash("5"))
                }
                #expect(refused?.isRetryable == true)
                #expect(instance.user.state.value.record.cash.value == nil)
                relay.conduct(.passing)
                try #require(try await instance.shows { $0.status == .ready }, "it reads")
                _ = try await instance.user.perform(.putCash("6"))
                relay.conduct(.refusing)
                relay.cut()
                let isFailing = try await instance.shows { state in
                    guard case .failing = state.status else { return false }
                    // The last data stay and are marked as stale.
                    return state.record.cash.value == "6"
                }
                try #require(isFailing, "it says so")
                relay.conduct(.passing)
                try #require(try await instance.shows { $0.status == .ready }, "it works again")
            }
        }
    }

    @Test("without the database commands fail, and a service serves markets")
    func processes() async throws {
        let environment = [
            // Nothing listens on port 9.
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

    @Test("a service whose session is a pooler says so, and learns of changes all the same")
    func pooledSession() async throws {
        try await Deployment.run { deployment in
            let pooler = try TestPooler(to: deployment.database.port, serverConnectionsMax: 4)
            let name = deployment.database.name
            let pooled = "postgresql://hoga_app_login@127.0.0.1:\(pooler.port)/\(name)"
            try await onBlockingThread {
                let service = try RunningProgram.service(
                    environment: [
                        "HOGA_DATABASE_URL": pooled, "HOGA_DATABASE_SESSION_URL": pooled,
                    ]
                )
                defer { service.end() }
                try service.text(with: #"store failed part="news" code=unavailable"#)
                #expect(service.isRunning)
            }
            withExtendedLifetime(pooler) {}
        }
    }

    @Test("a service without its database is ready, and uses the database once it is there")
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
                // The instance leads again in a new epoch.
                try service.text(with: "epoch=2")
            }
        }
    }

    @Test("a database that answers but takes no change is told until a change succeeds")
    func full() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            let url = deployment.database.appURL
            let service = try await onBlockingThread {
                try ServiceInstance(["HOGA_DATABASE_URL": url])
            }
            // Changes go on all the time, as many users make them.
            let shows = { @Sendable (text: String) async throws -> Bool in
                try await onBlockingThread {
                    while !Task.isCancelled {
                        for method in ["PUT", "DELETE"] {
                            _ = try service.ask(method, "/v1/me/favorites/BTC_KRW", as: token)
                        }
                        if try service.readiness().text.contains(text) { return true }
                        // Slowly enough for the client's quota.
                        Thread.sleep(forTimeInterval: 0.25)
                    }
                    return false
                }
            }
            #expect(try await shows(#""store":{"state":"ready""#))
            try await deployment.database.execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RAISE disk_full; END $$;
                CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON hoga.favorites
                EXECUTE FUNCTION refuse()
                """
            )
            #expect(try await shows(#""store":{"state":"failing","failure":"full""#))
            try await deployment.database.execute("DROP TRIGGER refuse ON hoga.favorites")
            #expect(try await shows(#""store":{"state":"ready""#))
        }
    }
}
