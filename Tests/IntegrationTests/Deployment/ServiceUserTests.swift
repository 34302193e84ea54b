import Foundation
import TestSupport
import Testing

@Suite("Users of running services", .ownThread, .timeLimit(.minutes(4)))
struct ServiceUserTests {
    @Test(
        "two services on one database agree on all user data",
        .enabled(if: TestDatabase.isAvailable)
    )
    func twoServices() async throws {
        try await Deployment.run { deployment in
            let kim = try await deployment.added("kim")
            let lee = try await deployment.added("lee")
            let reader = try await deployment.token(of: "kim", "--scope", "read")
            let url = deployment.database.appURL
            try await onBlockingThread {
                let first = try ServiceInstance(
                    ["HOGA_DATABASE_URL": url, "HOGA_DATABASE_SESSION_URL": url]
                )
                // The service does not listen and polls each second.
                let second = try ServiceInstance(["HOGA_DATABASE_URL": url])
                try Self.agree(first, second, kim: kim, lee: lee)
                let refused = try second.ask("PUT", "/v1/me/favorites/BTC_KRW", as: reader)
                #expect(refused.status == 403)
                #expect(try second.ask("GET", "/v1/me", as: reader).status == 200)
            }
        }
    }

    @Test(
        "a change counts as news on the streams of the other instance",
        .enabled(if: TestDatabase.isAvailable)
    )
    func newsLatency() async throws {
        try await Deployment.run { deployment in
            let kim = try await deployment.added("kim")
            let url = deployment.database.appURL
            try await onBlockingThread {
                let first = try ServiceInstance(["HOGA_DATABASE_URL": url])
                let second = try ServiceInstance(["HOGA_DATABASE_URL": url])
                let stream = try second.stream("/v1/me/stream?documents=portfolio", as: kim)
                let count = "hoga_news_latency_seconds_count"
                #expect(try second.metric(count) == 0)
                let path = "/v1/me/favorites/BTC_KRW"
                // A change within a round trip of the stream's first state does not count.
                while try second.metric(count) == 0, !Task.isCancelled {
                    for method in ["PUT", "DELETE"] {
                        #expect(try first.ask(method, path, as: kim).status == 204)
                    }
                    Thread.sleep(forTimeInterval: 0.5)
                }
                #expect(try second.metric("hoga_news_latency_seconds_sum") ?? 0 > 0)
                #expect(try first.metric(count) == 0, "no stream is open there")
                withExtendedLifetime(stream) {}
            }
        }
    }

    private static func agree(
        _ first: ServiceInstance,
        _ second: ServiceInstance,
        kim: String,
        lee: String
    ) throws {
        #expect(try first.ask("GET", "/v1/me", as: kim).text.contains(#""name":"kim""#))
        #expect(try second.ask("GET", "/v1/me", as: lee).text.contains(#""name":"lee""#))
        let path = "/v1/me/favorites"
        let before = try second.ask("GET", path, as: kim)
        #expect(before.status == 200)
        let made = try first.ask(
            "PUT",
            path,
            as: kim,
            ["If-Match": before.tag],
            body: #"{"rows":["ETH_KRW","BTC_KRW"]}"#
        )
        #expect(made.status == 200)
        #expect(made.tag != before.tag)
        let there = try second.answer(to: path, as: kim) { $0.tag == made.tag }
        #expect(there.text == made.text)
        #expect(try second.ask("GET", path, as: kim, ["If-None-Match": made.tag]).status == 304)
        // A stale revision is refused on every instance.
        for instance in [first, second] {
            let late = try instance.ask(
                "PUT",
                path,
                as: kim,
                ["If-Match": before.tag],
                body: #"{"rows":[]}"#
            )
            #expect(late.status == 412)
        }
        // A change at the second service reaches the first.
        let holding = #"{"quantity":"0.25","averagePrice":"100"}"#
        #expect(
            try second.ask("PUT", "/v1/me/holdings/BTC", as: kim, body: holding).status == 204
        )
        let held = try first.answer(to: "/v1/me/holdings", as: kim) { $0.text.contains("BTC") }
        #expect(held.text.contains(#""quantity":"0.25""#))
        // Rows of other users are invisible: nothing of kim's is lee's.
        #expect(try first.ask("DELETE", "/v1/me/holdings/BTC", as: lee).status == 404)
        for address in [path, "/v1/me/holdings", "/v1/me/portfolio"] {
            let text = try first.ask("GET", address, as: lee).text
            #expect(!text.contains("0.25") && !text.contains("kim"))
        }
    }

    @Test("a revoked token is refused by every service", .enabled(if: TestDatabase.isAvailable))
    func revoked() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            let other = try await deployment.token(of: "kim")
            let url = deployment.database.appURL
            let instances = try await onBlockingThread {
                try [
                    ServiceInstance(["HOGA_DATABASE_URL": url]),
                    ServiceInstance(["HOGA_DATABASE_URL": url]),
                ]
            }
            for instance in instances {
                let status = try await onBlockingThread {
                    try instance.ask("GET", "/v1/me", as: token).status
                }
                #expect(status == 200)
            }
            let outcome = try await deployment.owner("user", "token", "revoke", "1")
            try #require(outcome.status == 0, "\(outcome.errors)")
            for instance in instances {
                try await onBlockingThread {
                    let answer = try instance.answer(to: "/v1/me", as: token) { $0.status == 401 }
                    #expect(answer.status == 401)
                    #expect(try instance.ask("GET", "/v1/me", as: other).status == 200)
                }
            }
        }
    }

    /// Makes a token with another one over one instance, and revokes it over the other.
    private static func circulate(
        _ first: ServiceInstance,
        _ second: ServiceInstance,
        _ token: String
    ) throws {
        let path = "/v1/me/tokens"
        let made = try first.ask(
            "POST",
            path,
            as: token,
            body: #"{"scopes":["read"],"note":"거실 화면"}"#
        )
        #expect(made.status == 201, "\(made.text)")
        let text = String(try #require(made.text.firstMatch(of: /"token":"([^"]+)"/)).1)
        let number = try #require(made.text.firstMatch(of: /"number":(\d+)/)).1
        let list = try second.ask("GET", path, as: text).text
        #expect(list.contains(#""note":"거실 화면","current":true"#))
        #expect(list.contains(#""current":false"#) && !list.contains("hoga_"))
        #expect(try second.ask("PUT", "/v1/me/favorites/BTC_KRW", as: text).status == 403)
        #expect(try second.ask("POST", path, as: text, body: #"{"scopes":["read"]}"#).status == 403)
        #expect(try second.ask("DELETE", "\(path)/\(number)", as: token).status == 204)
        for instance in [first, second] {
            let answer = try instance.answer(to: "/v1/me", as: text) { $0.status == 401 }
            #expect(answer.status == 401)
        }
        #expect(try !first.ask("GET", path, as: token).text.contains("거실"))
    }

    @Test(
        "a token that a user makes works on every service until the user revokes it",
        .enabled(if: TestDatabase.isAvailable)
    )
    func ownTokens() async throws {
        try await Deployment.run { deployment in
            let token = try await deployment.added("kim")
            let stranger = try await deployment.added("lee")
            let url = deployment.database.appURL
            try await onBlockingThread {
                let first = try ServiceInstance(
                    ["HOGA_DATABASE_URL": url, "HOGA_DATABASE_SESSION_URL": url]
                )
                let second = try ServiceInstance(["HOGA_DATABASE_URL": url])
                try Self.circulate(first, second, token)
                #expect(try first.ask("DELETE", "/v1/me/tokens/1", as: stranger).status == 404)
                #expect(try first.ask("GET", "/v1/me", as: token).status == 200)
            }
            let trail = try await deployment.owner("user", "audit", "--user", "kim").output
            #expect(trail.contains("token.add\tkim\ttoken=3 byToken=1"), "\(trail)")
            #expect(trail.contains("token.revoke\tkim\ttoken=3 byToken=1"), "\(trail)")
        }
    }

    @Test(
        "while the database is unreachable cached user data and markets are served",
        .enabled(if: TestDatabase.isAvailable)
    )
    func away() async throws {
        try await Deployment.run { deployment in
            let kim = try await deployment.added("kim")
            let relay = FaultyRelay(to: deployment.database.port)
            defer { relay.stop() }
            let url =
                "postgresql://hoga_app_login@127.0.0.1:\(relay.port)/\(deployment.database.name)"
            try await onBlockingThread {
                let instance = try ServiceInstance(["HOGA_DATABASE_URL": url])
                let known = try instance.ask("GET", "/v1/me/settings", as: kim)
                #expect(known.status == 200)
                relay.conduct(.refusing)
                relay.cut()
                let refused = try instance.ask("PUT", "/v1/me/favorites/BTC_KRW", as: kim)
                #expect(refused.status == 503)
                #expect(refused.fields["retry-after"] != nil)
                #expect(!refused.text.contains("\(relay.port)"))
                // The tag also tells whether the document is old, which a slow machine makes it.
                let cached = try instance.ask("GET", "/v1/me/settings", as: kim)
                #expect(cached.status == 200 && cached.text == known.text, "\(cached)")
                #expect(try instance.ask("GET", "/v1/markets", as: nil).status == 200)
                relay.conduct(.passing)
                let back = try instance.answer(to: "/v1/me/cash", as: kim) { $0.status == 200 }
                #expect(back.status == 200)
            }
        }
    }

    @Test("a service of a file store requires a token and shows changes by commands")
    func file() async throws {
        let folder = NSTemporaryDirectory() + "hoga-home-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let home = ["XDG_DATA_HOME": folder]
        try await onBlockingThread {
            let made = try HogaProcess.run(["user", "token", "new", "local"], environment: home)
            try #require(made.status == 0, "\(made.errors)")
            let token = made.output.trimmingCharacters(in: .newlines)
            let instance = try ServiceInstance(home)
            #expect(try instance.ask("GET", "/v1/me", as: nil).status == 401)
            let me = try instance.ask("GET", "/v1/me", as: token)
            #expect(me.text.contains(#""name":"local""#))
            #expect(
                try instance.ask("PUT", "/v1/me/favorites/BTC_KRW", as: token).status == 204
            )
            let added = try HogaProcess.run(["favorites", "add", "ETH_KRW"], environment: home)
            #expect(added.status == 0)
            let shown = try instance.answer(to: "/v1/me/favorites", as: token) {
                $0.text.contains("ETH_KRW")
            }
            #expect(shown.text.contains(#"{"market":"BTC_KRW","position":1}"#))
            #expect(shown.text.contains(#"{"market":"ETH_KRW","position":2}"#))
            try Self.circulate(instance, instance, token)
            let revoked = try HogaProcess.run(["user", "token", "revoke", "1"], environment: home)
            #expect(revoked.status == 0)
            let shut = try instance.answer(to: "/v1/me", as: token) { $0.status == 401 }
            #expect(shut.status == 401)
        }
    }
}
