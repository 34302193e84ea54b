import Domain
import TestSupport
import Testing

@testable import PresentationHTTP
@testable import UseCases

@Suite("The routes of users")
struct UserServiceTests {
    @Test("without a valid token every route answers 401 and tells how to get one")
    func unauthorized() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            for token in [nil, 7] {
                let answer = try client.ask("GET", "/v1/me", as: token)
                #expect(answer.status == 401)
                #expect(answer.code == "unauthorized")
                #expect(answer.fields["www-authenticate"] == "Bearer")
                #expect(!answer.text.contains("user1"))
            }
            let broken = try client.ask("GET", "/v1/me", as: nil, ["Authorization": "Bearer x"])
            #expect(broken.status == 401)
        }
    }

    @Test("the ETag of a stored document is its revision in the store")
    func documents() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let me = try client.ask("GET", "/v1/me", as: 2)
            #expect(
                me.text
                    == #"{"schema":"me","version":1,"revision":"u2-0","state":{"name":"user2","#
                    + #""displayName":null,"scopes":["read","write"]}}"#
            )
            #expect(me.tag == #""u2-0.read.write""#)
            #expect(me.fields["cache-control"] == "private, no-cache")
            #expect(me.fields["vary"]?.contains("Authorization") == true)
            let same = try client.ask("GET", "/v1/me", as: 2, ["If-None-Match": me.tag])
            #expect(same.status == 304)
            for path in ["favorites", "settings", "holdings", "cash"] {
                let answer = try client.ask("GET", "/v1/me/" + path, as: 1)
                #expect(answer.status == 200)
                #expect(answer.tag == #""u1-0""#)
                #expect(try answer.json.keys == ["schema", "version", "revision", "state"])
                let head = try client.ask("HEAD", "/v1/me/" + path, as: 1)
                #expect(head.tag == answer.tag)
            }
            let portfolio = try client.ask("GET", "/v1/me/portfolio?lang=en", as: 1)
            #expect(portfolio.status == 200)
            #expect(portfolio.tag.hasPrefix(#""epoch-u1-"#))
            let list = try client.ask("GET", "/v1/me/markets?tab=favorites", as: 1)
            #expect(list.status == 200)
            #expect(try list.json.keys?.contains("asOf") == true)
        }
    }

    @Test("adding and removing a favorite is idempotent")
    func favorites() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            for _ in 0..<2 {
                let put = try client.ask("PUT", "/v1/me/favorites/krw-btc", as: 1)
                #expect(put.status == 204)
                #expect(put.body.isEmpty)
            }
            #expect(served.store.kept(of: UserID(1))?.favorites.value == ["BTC_KRW"])
            let list = try client.ask("GET", "/v1/me/favorites", as: 1)
            #expect(list.text.hasSuffix(#""state":{"rows":[{"market":"BTC_KRW","position":1}]}}"#))
            #expect(list.tag == #""u1-1""#)
            for _ in 0..<2 {
                #expect(
                    try client.ask("DELETE", "/v1/me/favorites/BTC_KRW", as: 1).status == 204
                )
            }
            #expect(served.store.kept(of: UserID(1))?.favorites == Revised([], revision: 2))
            #expect(try client.ask("PUT", "/v1/me/favorites/nonsense", as: 1).status == 404)
            #expect(try client.ask("POST", "/v1/me/favorites/BTC_KRW", as: 1).status == 405)
        }
    }

    @Test("a document is replaced only with its current ETag")
    func conditions() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let path = "/v1/me/favorites"
            let body = #"{"rows":["ETH_KRW",{"market":"KRW-BTC","position":2}]}"#
            func put(_ fields: KeyValuePairs<String, String>) throws -> HTTPAnswer {
                try client.ask("PUT", path, as: 1, fields, body: body)
            }
            #expect(try put([:]).status == 428)
            #expect(try put([:]).code == "precondition_required")
            for tag in [#""u1-1""#, #"W/"u1-0""#, #""u2-0""#, #""u1-00""#, "u1-0", #""u1-0"#] {
                let refused = try put(["If-Match": tag])
                #expect(refused.status == 412)
                #expect(refused.code == "precondition_failed")
            }
            #expect(served.store.counts.changes == 1)
            let made = try put(["If-Match": #""u1-5" , "u1-0""#])
            #expect(made.status == 200)
            #expect(made.tag == #""u1-1""#)
            #expect(made.text == (try client.ask("GET", path, as: 1).text))
            #expect(try put(["If-Match": #""u1-0""#]).status == 412)
            #expect(try put(["If-Match": "*"]).tag == #""u1-1""#)
            #expect(served.store.kept(of: UserID(1))?.favorites.value == ["ETH_KRW", "BTC_KRW"])
        }
    }

    @Test("an unsupported condition is refused and changes nothing")
    func vainConditions() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let cash = #"{"amount":"5"}"#
            let changes: [(String, String, String?)] = [
                ("PUT", "/v1/me/cash", cash), ("PATCH", "/v1/me", #"{"displayName":"a"}"#),
                ("PUT", "/v1/me/favorites/BTC_KRW", nil),
                ("DELETE", "/v1/me/favorites/BTC_KRW", nil),
                ("PUT", "/v1/me/holdings/BTC", #"{"quantity":"1","averagePrice":null}"#),
                ("DELETE", "/v1/me/holdings/BTC", nil),
            ]
            for (method, path, body) in changes {
                for name in ["If-Match", "If-None-Match"] {
                    let answer = try client.ask(method, path, as: 1, [name: "*"], body: body)
                    #expect(answer.status == 400 && answer.parameter == name, "\(method) \(path)")
                }
            }
            let both = try client.ask(
                "PUT",
                "/v1/me/favorites",
                as: 1,
                ["If-Match": "*", "If-None-Match": "*"],
                body: #"{"rows":[]}"#
            )
            #expect(both.parameter == "If-None-Match")
            #expect(served.store.counts.changes == 0)
            #expect(try client.ask("PUT", "/v1/me/cash", as: 1, body: cash).status == 200)
        }
    }

    @Test("a patch of settings answers with the changed document")
    func settings() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let changed = try client.ask(
                "PATCH",
                "/v1/me/settings",
                as: 2,
                ["If-Match": #""u2-0""#, "Content-Type": "application/json; charset=utf-8"],
                body: #"{"theme":"light","depth":7,"averages":[20,5],"pinFavorites":false}"#
            )
            #expect(changed.status == 200)
            #expect(changed.tag == #""u2-1""#)
            let kept = try #require(served.store.kept(of: UserID(2))?.settings.value)
            #expect(kept.theme == .light)
            #expect(kept.depth == 7)
            #expect(kept.averages == [5, 20])
            #expect(!kept.pinFavorites)
            #expect(kept.tab == .markets)
        }
    }

    @Test("a market's layout is in the settings unless it shows all panes")
    func marketLayout() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            func patch(_ value: String) throws -> HTTPAnswer {
                try client.ask(
                    "PATCH",
                    "/v1/me/settings",
                    as: 2,
                    ["If-Match": "*"],
                    body: #"{"marketLayout":\#(value)}"#
                )
            }
            let plain = try client.ask("GET", "/v1/me/settings", as: 2).text
            #expect(!plain.contains("marketLayout"))
            // A merge patch removes a member with null.
            for (revision, reset) in [(2, #""all""#), (4, "null")] {
                let changed = try patch(#""chart-book""#)
                #expect(changed.text.hasSuffix(#""lang":"ko","marketLayout":"chart-book"}}"#))
                #expect(changed.tag == #""u2-\#(revision - 1)""#)
                let kept = served.store.kept(of: UserID(2))?.settings.value.marketLayout
                #expect(kept == .chartAndBook)
                let again = try patch(reset).text
                #expect(again == plain.replacing("u2-0", with: "u2-\(revision)"))
            }
            let refused = try patch(#""book""#)
            #expect(refused.status == 400 && refused.code == "invalid_parameter")
            #expect(refused.parameter == "marketLayout")
            #expect(refused.text.contains(#""allowed":["all","chart-book","chart"]"#))
        }
    }

    @Test("a holding of a delisted coin can be changed by its holder only")
    func heldUnknown() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let holding = Holding(
                asset: try #require(Asset(symbol: "GONE")),
                quantity: "1",
                averagePrice: nil
            )
            try served.store.changeElsewhere(.putHolding(holding), of: UserID(1))
            let body = #"{"quantity":"2","averagePrice":null}"#
            func put(as user: Int) throws -> Int {
                try client.ask("PUT", "/v1/me/holdings/GONE", as: user, body: body).status
            }
            #expect(try put(as: 1) == 204)
            #expect(try put(as: 2) == 404)
            #expect(served.store.kept(of: UserID(1))?.holdings.value.map(\.quantity) == ["2"])
            #expect(served.store.kept(of: UserID(2))?.holdings.value.isEmpty == true)
        }
    }

    @Test("holdings, cash and name are set, and removing a missing holding answers 404")
    func holdings() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let path = "/v1/me/holdings/btc"
            let body = #"{"quantity":"0.5","averagePrice":null}"#
            #expect(try client.ask("PUT", path, as: 1, body: body).status == 204)
            #expect(try client.ask("GET", "/v1/me/holdings", as: 1).text.contains(#""BTC""#))
            // Another user has no such holding.
            #expect(try client.ask("DELETE", path, as: 2).code == "not_found")
            #expect(served.store.kept(of: UserID(1))?.holdings.value.count == 1)
            #expect(try client.ask("DELETE", path, as: 1).status == 204)
            #expect(try client.ask("DELETE", path, as: 1).status == 404)
            for (coin, word) in [
                ("KRW", "no coin"), ("BTD", "Did you mean BTC"), ("QQQQ", "QQQQ:"),
            ] {
                let answer = try client.ask("PUT", "/v1/me/holdings/" + coin, as: 1, body: body)
                #expect(answer.status == 404 && answer.code == "not_found")
                #expect(answer.text.contains(word))
            }
            #expect(served.store.counts.changes == 2)
            let cash = try client.ask("PUT", "/v1/me/cash", as: 1, body: #"{"amount":"10.50"}"#)
            #expect(cash.text.hasSuffix(#""revision":"u1-1","state":{"amount":"10.5"}}"#))
            let name = try client.ask(
                "PATCH",
                "/v1/me",
                as: 1,
                body: #"{"displayName":"\uBBF8\uB098"}"#
            )
            #expect(name.text.contains(#""displayName":"미나""#))
            let none = try client.ask("PATCH", "/v1/me", as: 1, body: #"{"displayName":null}"#)
            #expect(none.tag == #""u1-2.read.write""#)
        }
    }

    @Test("a read-only token reads and is refused changes")
    func readOnly() async throws {
        try await ServedUsers.with { served in
            served.addToken(9, of: 1, scope: .read)
            let client = try served.client()
            #expect(try client.ask("GET", "/v1/me", as: 9).text.contains(#""scopes":["read"]"#))
            let put = try client.ask("PUT", "/v1/me/favorites/BTC_KRW", as: 9)
            #expect(put.status == 403)
            #expect(put.code == "forbidden_scope")
            #expect(served.store.counts.changes == 0)
        }
    }

    @Test("while the store is unreachable cached records are served and changes answer 503")
    func away() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            #expect(try client.ask("GET", "/v1/me/settings", as: 1).status == 200)
            served.store.fail(StoreFailure(.unavailable, "postgresql://secret is away"))
            served.store.notify(.anybody)
            #expect(try client.ask("GET", "/v1/me/settings", as: 1).status == 200)
            for (method, token) in [("PUT", 1), ("DELETE", 1), ("DELETE", 2)] {
                let answer = try client.ask(method, "/v1/me/favorites/BTC_KRW", as: token)
                #expect(answer.status == 503)
                #expect(answer.code == "store_unavailable")
                #expect(answer.fields["retry-after"] != nil)
                #expect(!answer.text.contains("secret"))
            }
            #expect(try client.ask("GET", "/v1/markets", as: nil).status == 200)
            let reported = served.failures.all
            #expect(!reported.isEmpty && reported.allSatisfy { $0?.code == .unavailable })
        }
    }

    @Test("each change tells whether the store made it, unless there was nothing to write")
    func changeResults() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let path = "/v1/me/favorites/BTC_KRW"
            #expect(try client.ask("GET", "/v1/me/favorites", as: 1).status == 200)
            for _ in 1...2 { #expect(try client.ask("PUT", path, as: 1).status == 204) }
            let refused = try client.ask("PUT", "/v1/me/favorites/B%20C", as: 1)
            #expect((400..<500).contains(refused.status))
            served.store.fail(StoreFailure(.full, "no space left"))
            #expect(try client.ask("DELETE", path, as: 1).status == 503)
            #expect(served.changes.all.map { $0?.code } == [nil, .full])
        }
    }

    @Test("while streams fill the memory for users, new users get 503 with that reason")
    func fullMemory() async throws {
        var rules = ServiceConfiguration.sample
        rules.userBytesMax = 2 * UserStateEntries.userBytes + 1_000
        try await ServedUsers.with(users: 3, rules: rules) { served in
            let client = try served.client()
            #expect(try client.ask("GET", "/v1/me/settings", as: 1).status == 200)
            #expect(try client.ask("GET", "/v1/me/settings", as: 3).status == 200)
            let streams = try (1...2).map { token -> UsersClient in
                let stream = try served.client()
                try stream.send("GET", "/v1/me/stream?documents=portfolio", as: token)
                #expect(try stream.receive(until: "}\n\n\r\n").contains("event: snapshot"))
                return stream
            }
            let answer = try client.ask("GET", "/v1/me/settings", as: 3)
            #expect(answer.status == 503 && answer.fields["retry-after"] != nil)
            #expect(answer.text.contains("the memory for users' data is full"))
            #expect(try client.ask("GET", "/v1/me/settings", as: 2).status == 200)
            #expect(served.failures.all.isEmpty, "it is no failure of the store")
            withExtendedLifetime(streams) {}
        }
    }

    @Test("data read before an outage have an age and another tag, and include its own changes")
    func age() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            #expect(try client.ask("PUT", "/v1/me/favorites/BTC_KRW", as: 1).status == 204)
            for target in ["/v1/me/favorites", "/v1/me/portfolio"] {
                let fresh = try client.ask("GET", target, as: 1)
                let tag = try #require(fresh.fields["etag"])
                #expect(fresh.status == 200 && fresh.fields["age"] == nil)
                served.store.fail(StoreFailure(.unavailable, "away"))
                served.store.notify(.anybody)
                let old = try client.ask("GET", target, as: 1, ["If-None-Match": tag])
                #expect(old.status == 200, "the client may have newer data")
                #expect(old.fields["age"].flatMap { Int($0) } != nil)
                let oldTag = try #require(old.fields["etag"])
                #expect(oldTag != tag)
                #expect(target.hasSuffix("portfolio") || old.text.contains("BTC_KRW"))
                let again = try client.ask("GET", target, as: 1, ["If-None-Match": oldTag])
                #expect(again.status == 304 && again.fields["age"] != nil)
                served.store.fail(nil)
                // The store is not asked again for a second after a failure.
                var last = again
                while last.fields["age"] != nil {
                    last = try client.ask("GET", target, as: 1)
                }
                #expect(target.hasSuffix("portfolio") || last.fields["etag"] == tag)
            }
        }
    }

    @Test("the token of a removed user is answered with 401")
    func removed() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            #expect(try client.ask("GET", "/v1/me", as: 1).status == 200)
            served.store.removeUser(UserID(1))
            #expect(try client.ask("PUT", "/v1/me/favorites/BTC_KRW", as: 1).status == 401)
            #expect(try client.ask("GET", "/v1/me", as: 1).status == 401)
            #expect(try client.ask("GET", "/v1/me", as: 2).status == 200)
        }
    }

    @Test("an unknown query parameter is refused by name")
    func parameters() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            for target in ["/v1/me?a=1", "/v1/me/favorites?a=1", "/v1/me/portfolio?a=1"] {
                let answer = try client.ask("GET", target, as: 1)
                #expect(answer.status == 400)
                #expect(answer.parameter == "a")
            }
            let put = try client.ask("PUT", "/v1/me/favorites/BTC_KRW?a=1", as: 1)
            #expect(put.parameter == "a")
            #expect(served.store.counts.changes == 0)
        }
    }

    @Test("invalid tokens are looked up a bounded number of times; valid ones are unaffected")
    func unknownTokens() async throws {
        let rules = ServiceConfiguration.sample.with { $0.unknownTokensPerClient = 3 }
        try await ServedUsers.with(rules: rules) { served in
            let client = try served.client()
            for number in 1...2 {
                #expect(try client.ask("GET", "/v1/me", as: number).status == 200)
            }
            let statuses = try (101...106).map { try client.ask("GET", "/v1/me", as: $0).status }
            #expect(statuses == [401, 401, 401, 429, 429, 429])
            #expect(try client.ask("GET", "/v1/me", as: 1).status == 200)
        }
    }

    @Test("a portfolio stream follows the record and ends when the token is revoked")
    func stream() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            try client.send("GET", "/v1/me/stream?documents=portfolio", as: 1)
            let first = try client.receive(until: "}\n\n\r\n")
            #expect(first.contains("event: snapshot\nid: epoch-u1-"))
            let other = try served.client()
            let cash = #"{"amount":"4321"}"#
            #expect(try other.ask("PUT", "/v1/me/cash", as: 2, body: cash).status == 200)
            #expect(try other.ask("PUT", "/v1/me/cash", as: 1, body: cash).status == 200)
            #expect(try client.receive(until: "4321").contains("event: patch"))
            served.revoke(1)
            #expect(try client.receive(until: "event: bye").contains("event: bye"))
            #expect(try other.ask("GET", "/v1/me", as: 1).status == 401)
        }
    }

    @Test("one stream carries several documents")
    func severalDocuments() async throws {
        try await ServedUsers.with(rules: .withoutTransfers) { served in
            let client = try served.client()
            let target =
                "/v1/me/stream?documents=portfolio,market-list,assets&market-list.tab=favorites"
            try client.send("GET", target, as: 1)
            let first = try client.receive(until: "}\n\n\r\n")
            #expect(first.contains("event: snapshot\nid: epoch-u1-"))
            #expect(first.contains(#""schema":"snapshot""#))
            for name in ["market-list", "assets", "portfolio"] {
                #expect(first.contains("\"\(name)\":{"))
            }
            let other = try served.client()
            #expect(try other.ask("PUT", "/v1/me/favorites/XRP_KRW", as: 1).status == 204)
            let patch = try client.receive(until: #""path":"market-list.rows""#)
            #expect(patch.contains(#""favorite":{"position":1}"#))
            let cash = #"{"amount":"4321"}"#
            #expect(try other.ask("PUT", "/v1/me/cash", as: 1, body: cash).status == 200)
            #expect(try client.receive(until: "4321").contains(#""path":"portfolio.cash""#))
            served.publish { $0.transfers(["BTC": (false, true)]) }
            let assets = try client.receive(until: #""path":"assets.rows""#)
            #expect(assets.contains("suspended"))
        }
    }

    @Test("a user's stream of public documents equals the public one and ends with the token")
    func publicDocuments() async throws {
        try await ServedUsers.with(rules: .withoutTransfers) { served in
            let client = try served.client()
            try client.send("GET", "/v1/me/stream?documents=assets", as: 1)
            let first = try client.receive(until: "}\n\n\r\n")
            #expect(first.contains(#""schema":"assets""#) && !first.contains("epoch-u1-"))
            served.revoke(1)
            #expect(try client.receive(until: "event: bye").contains("event: bye"))
            let missing = try served.client()
                .ask("GET", "/v1/me/stream?documents=market-detail&market=NOPE_KRW", as: 2)
            #expect(missing.code == "not_found")
        }
    }
}
