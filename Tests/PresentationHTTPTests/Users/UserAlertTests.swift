import Domain
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Alert rules and the log over HTTP")
struct UserAlertTests {
    private static let path = "/v1/me/alerts"

    private static func add(
        _ rule: String,
        _ client: UsersClient,
        as token: Int = 1
    ) throws -> HTTPAnswer {
        try client.ask("POST", path, as: token, body: #"{"rule":"\#(rule)"}"#)
    }

    @Test("a new rule is answered with its row, its place and the tag of all rules")
    func adding() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let made = try Self.add("btc > 150,000,000 again 10m", client)
            #expect(made.status == 201)
            #expect(made.fields["location"] == "/v1/me/alerts/1")
            #expect(made.tag == #""u1-1""#)
            let row = #"""
                {"id":"1","rule":"BTC_KRW > 150000000 again 10m",\#
                "ruleText":"BTC 150,000,000원 이상으로 상승 · 반복(10분 간격)",\#
                "state":"active","stateText":"감시 중","feed":"live",\#
                "createdAt":"2026-11-20T21:03:10.000000+09:00","expiresAt":null,\#
                "note":null,"lastFiredAt":null}
                """#
            let head = #"{"schema":"alert","version":1,"revision":"u1-1","state":"#
            #expect(made.text == head + row + "}")
            let list = try client.ask("GET", Self.path, as: 1)
            #expect(list.tag == #""u1-1""#)
            let all = #"{"schema":"alerts","version":1,"revision":"u1-1","state":{"rows":["#
            let rest = #"],"log":[],"unseen":0}}"#
            #expect(list.text == all + row + rest)
            let same = try client.ask("GET", Self.path, as: 1, ["If-None-Match": list.tag])
            #expect(same.status == 304)
            let english = try client.ask("GET", Self.path + "?lang=en", as: 1)
            #expect(english.text.contains("BTC rises to 150,000,000 KRW or above"))
            let other = try client.ask(
                "POST",
                Self.path + "?lang=en",
                as: 1,
                body: #"{"rule":"all listed"}"#
            )
            #expect(other.text.contains(#""ruleText":"Any market is listed""#))
            // Another user has none.
            let stranger = try client.ask("GET", Self.path, as: 2)
            #expect(stranger.text.contains(#""rows":[],"log":[]"#))
        }
    }

    @Test(
        "an invalid rule is a 400 that names the word and its column",
        arguments: [
            ("BTC spred > 3", "'spred' at column 5: expected >, <", true),
            ("BTD > 3", "'BTD' at column 1: unknown market. Did you mean BTC", false),
            ("BTC > 3 until 2020-01-01", "the rule has already ended", false),
            ("BTC turnover 61m > 3", "'61m' at column 14: turnover takes 1m to 60m", false),
            ("", "column 1: missing a market such as BTC, favorites, all or portfolio", true),
        ]
    )
    func invalid(rule: String, words: String, hasChoices: Bool) async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let made = try Self.add(rule, client)
            #expect(made.status == 400 && made.code == "invalid_parameter")
            #expect(made.parameter == "rule")
            #expect(made.text.contains(words), "\(made.text)")
            #expect(made.text.contains("a rule, e.g. BTC > 150000000") != hasChoices)
            #expect(served.store.counts.changes == 0)
        }
    }

    @Test(
        "a body that is no rule is refused",
        arguments: [
            (#"{"rule":5}"#, "rule"), (#"{}"#, "rule"), (#"{"rule":"all listed","x":1}"#, "x"),
            (#"{"rule":null}"#, "rule"),
            (#"{"rule":"\#(String(repeating: "x", count: 501))"}"#, "rule"),
        ]
    )
    func bodies(body: String, parameter: String) async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            let answer = try client.ask("POST", Self.path, as: 1, body: body)
            #expect(answer.status == 400 && answer.parameter == parameter)
            let patch = "application/merge-patch+json"
            let typed = try client.ask(
                "POST",
                Self.path,
                as: 1,
                ["Content-Type": patch],
                body: body
            )
            #expect(typed.status == 415)
        }
    }

    @Test("a user has at most 200 rules; one more is refused with the remedy")
    func bound() async throws {
        try await ServedUsers.with { served in
            let user = UserID(1)
            let rule = try AlertRule.parse("BTC > 1", feed: .live)
            for _ in 0..<AlertRule.rulesMax {
                try served.store.changeElsewhere(.addAlert(rule, at: .noon()), of: user)
            }
            let client = try served.client()
            let refused = try Self.add("BTC > 2", client)
            #expect(refused.status == 400 && refused.parameter == "rule")
            #expect(refused.text.contains("at most 200 alerts. Remove one first"))
            let tag: KeyValuePairs = ["If-Match": "*"]
            #expect(try client.ask("DELETE", Self.path + "/7", as: 1, tag).status == 204)
            #expect(try Self.add("BTC > 2", client).status == 201)
        }
    }

    @Test("changing and removing a rule needs the current tag")
    func conditions() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            #expect(try Self.add("BTC > 150000000", client).status == 201)
            let one = Self.path + "/1"
            let body = #"{"rule":"BTC > 160000000"}"#
            for (method, body) in [("PUT", body), ("DELETE", nil)] {
                let missing = try client.ask(method, one, as: 1, body: body)
                #expect(missing.status == 428 && missing.code == "precondition_required")
                for tag in [#""u1-0""#, #"W/"u1-1""#, #""u2-1""#, #""u1-01""#, #""u1-1-old""#] {
                    let late = try client.ask(method, one, as: 1, ["If-Match": tag], body: body)
                    #expect(late.status == 412 && late.code == "precondition_failed", "\(tag)")
                }
                let vain = try client.ask(
                    method,
                    one,
                    as: 1,
                    ["If-Match": "*", "If-None-Match": "*"],
                    body: body
                )
                #expect(vain.status == 400 && vain.parameter == "If-None-Match")
            }
            let changed = try client.ask("PUT", one, as: 1, ["If-Match": #""u1-1""#], body: body)
            #expect(changed.status == 200 && changed.tag == #""u1-2""#)
            #expect(changed.text.contains(#""id":"1","rule":"BTC_KRW > 160000000""#))
            let removed = try client.ask("DELETE", one, as: 1, ["If-Match": changed.tag])
            #expect(removed.status == 204 && removed.body.isEmpty)
            #expect(served.store.kept(of: UserID(1))?.alerts.value.rules == [])
        }
    }

    @Test("an unknown rule is not found, whoever asks")
    func unknown() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            #expect(try Self.add("BTC > 150000000", client).status == 201)
            let any: KeyValuePairs = ["If-Match": "*"]
            let body = #"{"rule":"BTC > 160000000"}"#
            for (id, token) in [("2", 1), ("0", 1), ("01", 1), ("x", 1), ("-1", 1), ("1", 2)] {
                let one = Self.path + "/" + id
                for (method, body) in [("PUT", body), ("DELETE", nil)] {
                    let answer = try client.ask(method, one, as: token, any, body: body)
                    #expect(answer.status == 404 && answer.code == "not_found", "\(method) \(id)")
                }
            }
            #expect(served.store.counts.changes == 1)
            #expect(try client.ask("GET", Self.path + "/1", as: 1).status == 405)
            #expect(try client.ask("DELETE", Self.path, as: 1).status == 405)
        }
    }

    @Test("a token with scope read reads alerts and changes nothing")
    func scopes() async throws {
        try await ServedUsers.with { served in
            served.addToken(9, of: 1, scope: .read)
            let client = try served.client()
            #expect(try client.ask("GET", Self.path, as: 9).status == 200)
            #expect(try client.ask("GET", Self.path + "/log", as: 9).status == 200)
            let any: KeyValuePairs = ["If-Match": "*"]
            let rule = #"{"rule":"all listed"}"#
            for (method, path, body) in [
                ("POST", "", rule), ("PUT", "/1", rule), ("DELETE", "/1", nil),
                ("PATCH", "/log", #"{"seenThrough":"1"}"#),
            ] {
                let answer = try client.ask(method, Self.path + path, as: 9, any, body: body)
                #expect(answer.status == 403 && answer.code == "forbidden_scope", "\(method)")
            }
            #expect(served.store.counts.changes == 0)
        }
    }

    @Test("an expired rule changes the document and its tag, and either tag changes rules")
    func expiry() async throws {
        try await ServedUsers.with { served in
            let rule = try AlertRule.parse("BTC > 1 until 2026-11-20T21:03", feed: .live)
            try served.store.changeElsewhere(.addAlert(rule, at: .noon()), of: UserID(1))
            let client = try served.client()
            let list = try client.ask("GET", Self.path, as: 1)
            #expect(list.tag == #""u1-1.1""#)
            #expect(list.text.contains(#""revision":"u1-1""#))
            #expect(list.text.contains(#""state":"expired","stateText":"기간 만료""#))
            let one = Self.path + "/1"
            let body = #"{"rule":"BTC > 2"}"#
            let put = try client.ask("PUT", one, as: 1, ["If-Match": list.tag], body: body)
            #expect(put.status == 200 && put.tag == #""u1-2""#)
            #expect(try client.ask("DELETE", one, as: 1, ["If-Match": put.tag]).status == 204)
        }
    }

    private static func ids(_ answer: HTTPAnswer) throws -> [String] {
        try answer.json["state"]?["rows"]?.elements?.compactMap { $0["id"]?.text } ?? []
    }

    @Test("the log pages from the newest alert, and the store is read beyond the newest 100 only")
    func log() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            #expect(try Self.add("BTC > 1 again 0s", client).status == 201)
            let count = 250
            for number in 1...count {
                let price = FixedDecimal(Int64(number))
                try served.store.fire(1, of: UserID(1), "BTC_KRW", price, at: .noon(number))
            }
            let log = Self.path + "/log"
            let newest = try client.ask("GET", log, as: 1)
            #expect(try Self.ids(newest) == (151...count).reversed().map(String.init))
            #expect(served.store.counts.logReadings == 0)
            var pages: [String] = []
            var before = ""
            while true {
                let page = try Self.ids(client.ask("GET", log + "?limit=60" + before, as: 1))
                pages += page
                guard let last = page.last else { break }
                before = "&before=" + last
            }
            #expect(pages == (1...count).reversed().map(String.init))
            #expect(served.store.counts.logReadings == 4)
            let row = try client.ask("GET", log + "?limit=1&lang=en", as: 1)
            let expected = #"""
                "state":{"rows":[{"id":"250","alert":"1","rule":"BTC_KRW > 1 again 0s",\#
                "feed":"live","alertText":"BTC rose to 1.000 KRW or above",\#
                "market":"BTC_KRW","at":"2026-11-20T12:04:10.000000+09:00",\#
                "price":"250","priceText":"250.0 KRW","direction":"up",\#
                "late":false,"reason":null,"reasonText":null,\#
                "storedAt":"2026-11-20T12:04:10.020000+09:00","seen":false}]}}
                """#
            #expect(row.text.hasSuffix(expected))
            let same = try client.ask(
                "GET",
                log + "?limit=1&lang=en",
                as: 1,
                ["If-None-Match": row.tag]
            )
            #expect(same.status == 304)
            for query in ["limit=0", "limit=201", "before=0", "before=x", "since=1"] {
                #expect(try client.ask("GET", log + "?" + query, as: 1).status == 400, "\(query)")
            }
        }
    }

    @Test("alerts are marked as seen up to one of them, never back")
    func seen() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            #expect(try Self.add("BTC > 1 again 0s", client).status == 201)
            for number in 1...3 {
                try served.store.fire(1, of: UserID(1), "BTC_KRW", "2", at: .noon(number))
            }
            let log = Self.path + "/log"
            func mark(_ id: String) throws -> Int {
                try client.ask("PATCH", log, as: 1, body: #"{"seenThrough":\#(id)}"#).status
            }
            func unseen() throws -> OrderedJSON? {
                try client.ask("GET", Self.path, as: 1).json["state"]?["unseen"]
            }
            #expect(try unseen() == .number("3"))
            let before = try client.ask("GET", log, as: 1)
            #expect(try mark(#""2""#) == 204)
            #expect(try unseen() == .number("1"))
            #expect(try mark(#""1""#) == 204)
            #expect(try mark(#""0""#) == 204)
            #expect(try unseen() == .number("1"))
            let after = try client.ask("GET", log, as: 1)
            #expect(before.tag != after.tag)
            let rows = try #require(after.json["state"]?["rows"]?.elements)
            #expect(rows.map { $0["seen"] } == [.boolean(false), .boolean(true), .boolean(true)])
            // A mark ends with the log.
            #expect(try mark(#""99""#) == 204)
            #expect(served.store.kept(of: UserID(1))?.alerts.value.seenThrough == 3)
            for id in ["2", "null", #""""#, #""x""#, #""-1""#, #""01""#] {
                #expect(try mark(id) == 400, "\(id)")
            }
        }
    }
}
