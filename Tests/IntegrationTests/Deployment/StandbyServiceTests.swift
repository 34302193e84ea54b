import Foundation
import TestSupport
import Testing

@Suite(
    "A service beside a standby",
    .enabled(if: TestDatabase.isAvailable),
    .ownThread,
    .timeLimit(.minutes(4))
)
struct StandbyServiceTests {
    /// A primary with the roles of a deployment and the user kim, and its standby.
    private struct Servers {
        let primary: TestCluster
        let standby: TestCluster
        /// kim's token.
        let token: String
    }

    private static func servers() async throws -> Servers {
        let primary = try await TestCluster.make()
        let token = try await onBlockingThread {
            _ = try ChildProcess.output([
                TestDatabase.programsFolder + "/psql", "-Xqc",
                "CREATE ROLE hoga_app NOLOGIN; CREATE ROLE hoga_service LOGIN IN ROLE hoga_app",
                primary.url,
            ])
            _ = try hoga(primary, "migrate", "up")
            _ = try hoga(primary, "user", "add", "kim")
            return try hoga(primary, "user", "token", "new", "kim")
        }
        return Servers(primary: primary, standby: try await primary.standby(), token: token)
    }

    /// Runs a command as the owner, and returns its output.
    private static func hoga(_ cluster: TestCluster, _ arguments: String...) throws -> String {
        let outcome = try HogaProcess.run(
            arguments,
            environment: ["HOGA_DATABASE_URL": cluster.url]
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func url(_ cluster: TestCluster, _ options: String = "") -> String {
        "postgresql://hoga_service@127.0.0.1:\(cluster.port)/postgres\(options)"
    }

    @Test(
        "on a standby alone, as its address says, it serves markets and users, and changes nothing"
    )
    func readOnly() async throws {
        let servers = try await Self.servers()
        let token = servers.token
        try await onBlockingThread {
            let instance = try ServiceInstance([
                "HOGA_DATABASE_URL": Self.url(servers.standby, "?target_session_attrs=standby")
            ])
            #expect(try instance.ask("GET", "/v1/markets", as: nil).status == 200)
            let me = try instance.answer(to: "/v1/me", as: token) { $0.status == 200 }
            #expect(me.text.contains(#""name":"kim""#))
            let refused = try instance.ask("PUT", "/v1/me/favorites/BTC_KRW", as: token)
            #expect(refused.status == 403)
            #expect(refused.text.contains(#""code":"read_only""#))
            let tokens = try instance.ask("GET", "/v1/me/tokens", as: token)
            #expect(tokens.status == 200 && tokens.text.contains(#""current":true"#))
            for (method, path) in [("POST", "/v1/me/tokens"), ("DELETE", "/v1/me/tokens/1")] {
                let body = #"{"scopes":["read"]}"#
                let answer = try instance.ask(method, path, as: token, body: body)
                #expect(answer.text.contains(#""code":"read_only""#), "\(method)")
            }
            try Self.wait(instance, for: #""ready":true"#)
            try Self.wait(instance, for: #""state":"ready","failure":null"#)
            let readiness = try instance.readiness()
            #expect(readiness.text.contains(#""readOnly":true"#))
            #expect(!readiness.text.contains(#""candles""#), "it takes no lease")
            // The refusal is no failure of the store.
            #expect(try instance.ask("GET", "/v1/me/favorites", as: token).status == 200)
        }
    }

    @Test(
        "with a primary and a standby it reads candles from the standby and writes to the primary"
    )
    func history() async throws {
        let servers = try await Self.servers()
        let token = servers.token
        try await onBlockingThread {
            let instance = try ServiceInstance([
                "HOGA_DATABASE_URL": Self.url(servers.primary),
                "HOGA_DATABASE_READ_URL": Self.url(servers.standby),
            ])
            try Self.wait(instance, for: #""history":{"standby":true"#)
            // Read-your-writes: users' data come from the primary.
            #expect(try instance.ask("PUT", "/v1/me/favorites/BTC_KRW", as: token).status == 204)
            let mine = try instance.ask("GET", "/v1/me/favorites", as: token)
            #expect(mine.text.contains("BTC_KRW"))
            try Self.wait(instance, for: #""readOnly":false"#)
        }
        try await servers.standby.perform(.stop)
    }

    /// Reads the instance's state until it contains a text.
    private static func wait(_ instance: ServiceInstance, for text: String) throws {
        while !Task.isCancelled {
            if try instance.readiness().text.contains(text) { return }
            Thread.sleep(forTimeInterval: 0.01)
        }
        Issue.record("the state never had \(text)")
    }
}
