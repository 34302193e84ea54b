import Domain
import TestSupport
import Testing

@Suite("Changes and tags of users' documents follow the contract")
struct UserContractTests {
    @Test("tokens of one user with different scopes have different tags for the user's document")
    func scopes() async throws {
        try await ServedUsers.with { served in
            served.addToken(9, of: 1, scope: .read)
            served.addToken(10, of: 1)
            let client = try served.client()
            let answers = try [1, 9, 10].map { try client.ask("GET", "/v1/me", as: $0) }
            #expect(answers[0].tag != answers[1].tag && answers[0].tag == answers[2].tag)
            let fields: KeyValuePairs = ["If-None-Match": answers[0].tag]
            #expect(try client.ask("GET", "/v1/me", as: 10, fields).status == 304)
            let other = try client.ask("GET", "/v1/me", as: 9, fields)
            #expect(other.status == 200 && other.text.contains(#""scopes":["read"]"#))
            // Documents that do not depend on the scopes share theirs.
            let cash = try [1, 9].map { try client.ask("GET", "/v1/me/cash", as: $0).tag }
            #expect(cash[0] == cash[1])
        }
    }

    @Test("a PATCH is taken as a merge patch, a PUT is not")
    func mergePatch() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let patch = "application/merge-patch+json"
            let name = #"{"displayName":"min"}"#
            let me = try client.ask("PATCH", "/v1/me", as: 1, ["Content-Type": patch], body: name)
            #expect(me.status == 200 && me.text.contains(#""displayName":"min""#))
            let settings = try client.ask(
                "PATCH",
                "/v1/me/settings",
                as: 1,
                ["Content-Type": patch + "; charset=utf-8", "If-Match": "*"],
                body: #"{"depth":7}"#
            )
            #expect(settings.status == 200 && settings.text.contains(#""depth":7"#))
            let cash = try client.ask(
                "PUT",
                "/v1/me/cash",
                as: 1,
                ["Content-Type": patch],
                body: #"{"amount":"1"}"#
            )
            #expect(cash.status == 415 && cash.code == "unsupported_media_type")
        }
    }

    @Test("removed cash is unknown again, and removing it twice changes nothing")
    func removedCash() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let amount = #"{"amount":"1500"}"#
            #expect(try client.ask("PUT", "/v1/me/cash", as: 1, body: amount).status == 200)
            for _ in 0..<2 {
                let removed = try client.ask("DELETE", "/v1/me/cash", as: 1)
                #expect(removed.status == 204 && removed.body.isEmpty)
                let cash = try client.ask("GET", "/v1/me/cash", as: 1)
                #expect(cash.text.hasSuffix(#""revision":"u1-2","state":{"amount":null}}"#))
            }
            #expect(served.store.kept(of: UserID(1))?.cash == Revised(nil, revision: 2))
        }
    }

    @Test("an unknown market is refused by favorites as an unknown coin is by holdings")
    func unknownMarkets() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            for (market, words) in [
                ("BTD_KRW", "BTD_KRW: unknown market. Did you mean BTC_KRW"),
                ("QQQQQQ_KRW", "QQQQQQ_KRW: unknown market"),
            ] {
                let answer = try client.ask("PUT", "/v1/me/favorites/" + market, as: 1)
                #expect(answer.status == 404 && answer.code == "not_found")
                #expect(answer.text.contains(words))
            }
            let rows = #"{"rows":["BTC_KRW","BTD_KRW"]}"#
            let all = try client.ask(
                "PUT",
                "/v1/me/favorites",
                as: 1,
                ["If-Match": "*"],
                body: rows
            )
            #expect(all.status == 400 && all.parameter == "rows")
            #expect(all.text.contains("BTD_KRW: unknown market"))
            #expect(served.store.counts.changes == 0)
        }
    }

    @Test("a favorite that the exchange does not list any more can be put again and moved")
    func keptMarkets() async throws {
        try await ServedUsers.with { served in
            try served.store.changeElsewhere(.addFavorite("GONE_KRW"), of: UserID(1))
            let client = try served.client()
            func put(as user: Int) throws -> Int {
                try client.ask("PUT", "/v1/me/favorites/GONE_KRW", as: user).status
            }
            #expect(try put(as: 1) == 204)
            #expect(try put(as: 2) == 404)
            let order = try client.ask(
                "PUT",
                "/v1/me/favorites",
                as: 1,
                ["If-Match": "*"],
                body: #"{"rows":["BTC_KRW","GONE_KRW"]}"#
            )
            #expect(order.status == 200)
            #expect(
                served.store.kept(of: UserID(1))?.favorites.value == ["BTC_KRW", "GONE_KRW"]
            )
            #expect(try client.ask("DELETE", "/v1/me/favorites/GONE_KRW", as: 1).status == 204)
        }
    }
}
