import PresentationHTTP
import Testing

@Suite("CORS")
struct CrossOriginTests {
    private static let page = "https://app.example"
    private let markets: MarketServiceFixture

    init() throws {
        markets = try MarketServiceFixture(
            rules: .sample.with { $0.corsOrigins = [Self.page].compactMap { CrossOrigin($0) } }
        )
    }

    @Test("a response names the allowed origin and the exposed fields")
    func answers() throws {
        let answer = try markets.served.ask("GET", "/v1/markets", fields: ["Origin": Self.page])
        #expect(answer.fields["access-control-allow-origin"] == Self.page)
        #expect(
            answer.fields["access-control-expose-headers"]
                == "Age, ETag, RateLimit, Retry-After, X-Request-Id"
        )
        #expect(answer.fields["vary"] == "Accept-Encoding, Origin")
        let problem = try markets.served.ask("GET", "/nowhere", fields: ["Origin": Self.page])
        #expect(problem.fields["access-control-allow-origin"] == Self.page)
        #expect(problem.fields["vary"] == "Origin")
    }

    @Test("a preflight is answered with the route's methods")
    func preflight() throws {
        let answer = try markets.served.ask(
            "OPTIONS",
            "/v1/me/settings",
            fields: ["Origin": Self.page, "Access-Control-Request-Method": "PATCH"]
        )
        #expect(answer.status == 204)
        #expect(answer.fields["access-control-allow-origin"] == Self.page)
        #expect(answer.fields["access-control-allow-methods"] == "GET, HEAD, PATCH")
        let accepted = try #require(answer.fields["access-control-allow-headers"])
        #expect(accepted.contains("Authorization") && accepted.contains("If-Match"))
        #expect(answer.fields["access-control-allow-credentials"] == nil)
    }

    @Test("an unknown origin gets no permission", arguments: ["https://evil.example", "null", "*"])
    func strangers(origin: String) throws {
        let answer = try markets.served.ask("GET", "/v1/markets", fields: ["Origin": origin])
        #expect(answer.status == 200)
        #expect(answer.fields["access-control-allow-origin"] == nil)
        let question = try markets.served.ask(
            "OPTIONS",
            "/v1/markets",
            fields: ["Origin": origin, "Access-Control-Request-Method": "GET"]
        )
        #expect(question.status == 204)
        #expect(!question.fields.keys.contains { $0.hasPrefix("access-control") })
    }

    @Test("without origins there are no CORS fields, and OPTIONS is 405")
    func off() throws {
        let markets = try MarketServiceFixture()
        let answer = try markets.served.ask("GET", "/v1/markets", fields: ["Origin": Self.page])
        #expect(!answer.fields.keys.contains { $0.hasPrefix("access-control") })
        #expect(answer.fields["vary"] == "Accept-Encoding")
        let question = try markets.served.ask(
            "OPTIONS",
            "/v1/markets",
            fields: ["Origin": Self.page, "Access-Control-Request-Method": "GET"]
        )
        #expect(question.status == 405 && question.fields["allow"] == "GET, HEAD")
    }
}
