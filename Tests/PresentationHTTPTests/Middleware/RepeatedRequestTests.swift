import Domain
import HTTPServer
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite(
    "A question that a connection puts again is answered as the first time, and charged",
    .tags(.threads)
)
struct RepeatedRequestTests {
    /// One question in one form.
    struct Form: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var target = "/v1/markets"
        var coding = "identity"
        var hasTag = false

        var testDescription: String {
            "\(method) \(target) \(coding)\(hasTag ? " with its tag" : "")"
        }

        static let all = [
            Form(), Form(coding: "gzip"), Form(hasTag: true), Form(coding: "gzip", hasTag: true),
            Form(method: "HEAD"), Form(method: "HEAD", hasTag: true),
            Form(target: "/v1/markets?limit=1&lang=en"), Form(target: "/v1/markets/XRP_KRW"),
            Form(target: "/v1/markets/XRP_KRW/trades?limit=1", coding: "gzip", hasTag: true),
        ]
    }

    /// Whether something about the request was remembered.
    private func isRemembered(_ markets: MarketServiceFixture) throws -> Bool {
        let request = try #require(markets.requests.all.last)
        return request.memory.answer is RepeatedRequest
    }

    @Test("All but its name and what is left is the same, by the byte", arguments: Form.all)
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
        // The handler saw the first; if it had to make the document, the second, too.
        #expect(markets.requests.all.count <= 1 + (form.hasTag ? 2 : 1))
        #expect(try isRemembered(markets))
        let own: Set = ["x-request-id", "ratelimit", "date"]
        let fields = answers.map { $0.fields.filter { !own.contains($0.key) } }
        #expect(answers[0].status == (form.hasTag ? 304 : 200))
        #expect(fields[0]["access-control-allow-origin"] == page)
        #expect(Set(answers.map(\.status)).count == 1)
        #expect(Set(fields).count == 1 && Set(answers.map(\.body)).count == 1)
        #expect(Set(answers.map { $0.fields["x-request-id"] }).count == 6)
        let quota = form.hasTag ? "not-modified" : "client"
        let first = form.hasTag ? 1 : 2
        for (index, answer) in answers.enumerated() {
            let left = ServiceConfiguration.sample.requestsPerClient - first - index
            let limit = answer.fields["ratelimit"]
            #expect(limit?.hasPrefix("\"\(quota)\";r=\(left);t=") == true, "\(limit ?? "")")
        }
    }

    @Test("Each is charged, on whatever connection, and the one too many is refused")
    func limits() throws {
        let markets = try MarketServiceFixture(rules: .sample.with { $0.requestsPerClient = 8 })
        let other = try TCPClient(port: markets.served.port)
        func askElsewhere() throws -> HTTPAnswer {
            try other.send("GET /v1/markets HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return HTTPAnswer(try other.receiveAnswer())
        }
        for left in (0..<4).reversed() {
            let here = try markets.list()
            let there = try askElsewhere()
            #expect(here.status == 200 && there.status == 200)
            #expect(here.fields["ratelimit"]?.hasPrefix("\"client\";r=\(2 * left + 1);") == true)
            #expect(there.fields["ratelimit"]?.hasPrefix("\"client\";r=\(2 * left);") == true)
        }
        #expect(try isRemembered(markets))
        for answer in [try markets.list(), try askElsewhere(), try markets.list()] {
            #expect(answer.status == 429 && answer.fields["retry-after"] == "8")
            #expect(answer.fields["ratelimit"]?.hasPrefix("\"client\";r=0;") == true)
        }
        // Eight in a minute: the next one comes after seven seconds and a half.
        markets.clock.advance(by: .milliseconds(7_500))
        #expect(try markets.list().status == 200)
        #expect(try askElsewhere().status == 429)
    }

    @Test("What has not changed is charged apart, and to the last one")
    func notModified() throws {
        let markets = try MarketServiceFixture(
            rules: .sample.with {
                $0.requestsPerClient = 2
                $0.notModifiedPerClient = 5
            }
        )
        let tag = try #require(try markets.list().fields["etag"])
        func ask() throws -> HTTPAnswer {
            try markets.served.ask("GET", "/v1/markets", fields: ["If-None-Match": tag])
        }
        for left in (0..<5).reversed() {
            let answer = try ask()
            #expect(answer.status == 304)
            #expect(answer.fields["ratelimit"]?.hasPrefix("\"not-modified\";r=\(left);") == true)
        }
        #expect(try isRemembered(markets))
        #expect(try ask().status == 429)
        let list = try markets.list()
        #expect(list.status == 200)
        #expect(list.fields["ratelimit"]?.hasPrefix("\"client\";r=0;") == true)
    }

    @Test("The next cut brings the next document, and the tag of the last one is of no use")
    func nextCut() throws {
        let markets = try MarketServiceFixture()
        func ask(_ tag: String) throws -> HTTPAnswer {
            try markets.served.ask("GET", "/v1/markets", fields: ["If-None-Match": tag])
        }
        for number in Int64(0)..<5 {
            markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: FixedDecimal(744 + number)) }
            let list = try markets.list()
            #expect(list.body == markets.cutter.bytes(MarketListQuery()).bytes)
            let tag = try #require(list.fields["etag"])
            for _ in 0..<4 { #expect(try ask(tag).status == 304) }
            #expect(try isRemembered(markets))
            // A cut that changes nothing is another cut, and the same document.
            markets.wait(.milliseconds(100)) { _ in }
            for _ in 0..<4 { #expect(try ask(tag).status == 304) }
            markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: FixedDecimal(700 + number)) }
            let changed = try ask(tag)
            #expect(changed.status == 200 && changed.fields["etag"] != tag)
            #expect(changed.body == markets.cutter.bytes(MarketListQuery()).bytes)
        }
    }

    @Test("The client's name for its requests stays, and what is no name is replaced each time")
    func names() throws {
        let markets = try MarketServiceFixture()
        func names(_ name: String) throws -> [String?] {
            try (0..<5).map { _ in
                try markets.served.ask("GET", "/v1/markets", fields: ["X-Request-Id": name])
                    .fields["x-request-id"]
            }
        }
        #expect(try names("my-1") == Array(repeating: "my-1", count: 5))
        #expect(try isRemembered(markets))
        #expect(try names("a b") == (1...5).map { "request-\($0)" })
        #expect(try isRemembered(markets))
        for _ in 0..<5 { #expect(markets.records.next().requestID == "my-1") }
        for number in 1...5 { #expect(markets.records.next().requestID == "request-\(number)") }
    }

    @Test("Observers are told of each request by itself", arguments: ["GET", "HEAD"])
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
            #expect(record.status == 200 && record.isWhole && !record.isStream)
            #expect(record.byteCount == (method == "HEAD" ? 0 : count))
            // From when this one came, not the first.
            #expect(record.duration == .zero)
            #expect(record.client == NetworkAddress(127, 0, 0, 1) && record.user == nil)
        }
        #expect(try isRemembered(markets))
    }

    @Test(
        "After a second what it asks for is followed anew",
        arguments: ["/v1/markets/XRP_KRW", "/v1/markets/XRP_KRW/trades", "/v1/assets"]
    )
    func validity(target: String) throws {
        let markets = try MarketServiceFixture(rules: .withoutTransfers)
        markets.openDetail()
        func looks(after wait: Duration) throws -> Int {
            let count = markets.looks.all.count
            markets.clock.advance(by: wait)
            #expect(try markets.served.ask("GET", target).status == 200)
            return markets.looks.all.count - count
        }
        _ = try looks(after: .zero)
        #expect(try looks(after: .zero) > 0, "remembered here")
        for _ in 0..<3 {
            for wait in [0, 1, 499, 499] as [Int64] {
                #expect(try looks(after: .milliseconds(wait)) == 0)
            }
            #expect(try looks(after: .milliseconds(1)) > 0)
        }
    }

    @Test("Nothing is remembered of what needed a token, or came with a body")
    func forgotten() throws {
        let shut = try MarketServiceFixture(
            rules: .sample.with { $0.requiresToken = true },
            personal: OpenRoom()
        )
        let token = AccessToken(randomBytes: Array(repeating: 1, count: AccessToken.byteCount))
        for _ in 0..<4 {
            let answer = try shut.served.ask(
                "GET",
                "/v1/markets",
                fields: ["Authorization": "Bearer \(token.text)"]
            )
            #expect(answer.status == 200 && answer.fields["ratelimit"]?.contains("token") == true)
            #expect(try !isRemembered(shut))
            #expect(try shut.served.ask("GET", "/v1/markets").status == 401)
        }
        let markets = try MarketServiceFixture()
        let client = try TCPClient(port: markets.served.port)
        for _ in 0..<4 {
            let head = "GET /v1/markets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"
            try client.send(head + "{}")
            #expect(try HTTPAnswer(client.receiveAnswer()).status == 200)
            #expect(try !isRemembered(markets))
        }
    }
}

/// A room that knows every token.
private struct OpenRoom: UserAPI {
    func grant(
        of token: AccessToken,
        reply: @escaping @Sendable (Result<TokenGrant, Problem>) -> Void
    ) {
        reply(
            .success(TokenGrant(user: UserID(7), name: "kim", scope: .read, expiresAt: nil))
        )
    }

    func answer(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        reply: @escaping @Sendable (RouteResponse) -> Void
    ) {
        reply(.problem(Problem(code: .storeUnavailable, detail: "away")))
    }

    func stream(
        _ query: UserStreamQuery,
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ token: AccessToken,
        reply: @escaping @Sendable (Result<UserStream, Problem>) -> Void
    ) {
        reply(.failure(Problem(code: .storeUnavailable, detail: "away")))
    }
}
