import Domain
import HTTPServer
import NetworkAddresses
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Repeated requests", .tags(.threads))
struct RepeatedRequestTests {
    /// One request in one form.
    struct Form: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var target = "/v1/markets"
        var coding = "identity"
        var hasTag = false
        /// What the request costs.
        var units = 1

        var testDescription: String {
            "\(method) \(target) \(coding)\(hasTag ? " with its tag" : "")"
        }

        static let all = [
            Form(units: 3), Form(coding: "gzip", units: 5), Form(hasTag: true, units: 3),
            Form(coding: "gzip", hasTag: true, units: 5), Form(method: "HEAD", units: 3),
            Form(method: "HEAD", hasTag: true, units: 3),
            Form(target: "/v1/markets?limit=1&lang=en", units: 2),
            Form(target: "/v1/markets/XRP_KRW", units: 2),
            Form(target: "/v1/markets/XRP_KRW/trades?limit=1", coding: "gzip", hasTag: true),
        ]
    }

    @Test("responses are equal except for id, rate limit and date", arguments: Form.all)
    func sameFields(form: Form) throws {
        let page = "https://app.example"
        let markets = try MarketServiceFixture(
            rules: .sample.with { $0.corsOrigins = [page].compactMap { CrossOrigin($0) } }
        )
        markets.openDetail()
        func ask(_ tag: String) throws -> HTTPAnswer {
            try markets.served.ask(
                form.method,
                form.target,
                fields: [
                    "Accept-Encoding": form.coding, "If-None-Match": tag,
                    "Origin": page,
                ]
            )
        }
        let tag = try #require(try ask("\"none\"").fields["etag"])
        let answers = try (0..<6).map { _ in try ask(form.hasTag ? tag : "\"none\"") }
        let own: Set = ["x-request-id", "ratelimit", "date"]
        let fields = answers.map { $0.fields.filter { !own.contains($0.key) } }
        #expect(answers[0].status == (form.hasTag ? 304 : 200))
        #expect(fields[0]["access-control-allow-origin"] == page)
        #expect(Set(answers.map(\.status)).count == 1)
        #expect(Set(fields).count == 1 && Set(answers.map(\.body)).count == 1)
        #expect(Set(answers.map { $0.fields["x-request-id"] }).count == 6)
        let quota = form.hasTag ? "not-modified" : "client"
        for (index, answer) in answers.enumerated() {
            // The request for the tag was charged as well.
            let used = form.hasTag ? index + 1 : form.units * (index + 2)
            let left = ServiceConfiguration.sample.requestsPerClient - used
            let limit = answer.fields["ratelimit"]
            #expect(limit?.hasPrefix("\"\(quota)\";r=\(left);t=") == true, "\(limit ?? "")")
        }
    }

    @Test("every request is charged, on any connection, until the limit")
    func limits() throws {
        let markets = try MarketServiceFixture(rules: .sample.with { $0.requestsPerClient = 8 })
        let other = try TCPClient(port: markets.served.port)
        func askElsewhere() throws -> HTTPAnswer {
            try other.send("GET /v1/markets?markets=BTC_KRW HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return HTTPAnswer(try other.receiveAnswer())
        }
        for left in (0..<4).reversed() {
            let here = try markets.list(["markets": "BTC_KRW"])
            let there = try askElsewhere()
            #expect(here.status == 200 && there.status == 200)
            #expect(here.fields["ratelimit"]?.hasPrefix("\"client\";r=\(2 * left + 1);") == true)
            #expect(there.fields["ratelimit"]?.hasPrefix("\"client\";r=\(2 * left);") == true)
        }
        for answer in [
            try markets.list(["markets": "BTC_KRW"]), try askElsewhere(),
            try markets.list(["markets": "BTC_KRW"]),
        ] {
            #expect(answer.status == 429 && answer.fields["retry-after"] == "8")
            #expect(answer.fields["ratelimit"]?.hasPrefix("\"client\";r=0;") == true)
        }
        // Eight a minute: one refills in 7.5 seconds.
        markets.clock.advance(by: .milliseconds(7_500))
        #expect(try markets.list(["markets": "BTC_KRW"]).status == 200)
        #expect(try askElsewhere().status == 429)
    }

    @Test("304s are charged to a quota of their own")
    func notModified() throws {
        let markets = try MarketServiceFixture(
            rules: .sample.with {
                $0.requestsPerClient = 2
                $0.notModifiedPerClient = 5
            }
        )
        let tag = try #require(try markets.list(["markets": "BTC_KRW"]).fields["etag"])
        func ask() throws -> HTTPAnswer {
            try markets.served.ask(
                "GET",
                "/v1/markets?markets=BTC_KRW",
                fields: ["If-None-Match": tag]
            )
        }
        for left in (0..<5).reversed() {
            let answer = try ask()
            #expect(answer.status == 304)
            #expect(answer.fields["ratelimit"]?.hasPrefix("\"not-modified\";r=\(left);") == true)
        }
        // Beyond it a 304 costs what any answer does.
        let last = try ask()
        #expect(last.status == 304)
        #expect(last.fields["ratelimit"]?.hasPrefix("\"client\";r=0;") == true)
        #expect(try ask().status == 429)
        #expect(try markets.list(["markets": "BTC_KRW"]).status == 429)
    }

    @Test("a snapshot with changes makes a new document; the old tag no longer matches")
    func nextSnapshot() throws {
        let markets = try MarketServiceFixture()
        func ask(_ tag: String) throws -> HTTPAnswer {
            try markets.served.ask("GET", "/v1/markets", fields: ["If-None-Match": tag])
        }
        for number in Int64(0)..<5 {
            markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: FixedDecimal(744 + number)) }
            let list = try markets.list()
            #expect(list.body == markets.lists.bytes(MarketListQuery()).bytes)
            let tag = try #require(list.fields["etag"])
            for _ in 0..<4 { #expect(try ask(tag).status == 304) }
            // A snapshot without changes keeps the document.
            markets.wait(.milliseconds(100)) { _ in }
            for _ in 0..<4 { #expect(try ask(tag).status == 304) }
            markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: FixedDecimal(700 + number)) }
            let changed = try ask(tag)
            #expect(changed.status == 200 && changed.fields["etag"] != tag)
            #expect(changed.body == markets.lists.bytes(MarketListQuery()).bytes)
        }
    }

    @Test("a client's request id is kept; an invalid one is replaced each time")
    func names() throws {
        let markets = try MarketServiceFixture()
        func names(_ name: String) throws -> [String?] {
            try (0..<5).map { _ in
                try markets.served.ask("GET", "/v1/markets", fields: ["X-Request-Id": name])
                    .fields["x-request-id"]
            }
        }
        #expect(try names("my-1") == Array(repeating: "my-1", count: 5))
        #expect(try names("a b") == (1...5).map { "request-\($0)" })
        for _ in 0..<5 { #expect(markets.records.next().requestID == "my-1") }
        for number in 1...5 { #expect(markets.records.next().requestID == "request-\(number)") }
    }

    @Test("observers get a record of each request", arguments: ["GET", "HEAD"])
    func records(method: String) throws {
        let markets = try MarketServiceFixture()
        let count = try markets.list().body.count
        _ = markets.records.next()
        for number in 2...7 {
            markets.clock.advance(by: .milliseconds(100))
            _ = try markets.served.ask(method, "/v1/markets?limit=1000")
            let record = markets.records.next()
            #expect(record.requestID == "request-\(number)" && record.method == method)
            #expect(record.route == "/v1/markets" && record.path == "/v1/markets")
            #expect(record.status == 200 && record.isComplete && !record.isStream)
            #expect(record.byteCount == (method == "HEAD" ? 0 : count))
            #expect(record.duration == .zero)
            #expect(record.client == NetworkAddress(127, 0, 0, 1) && record.user == nil)
        }
    }
}
