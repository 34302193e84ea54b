import PresentationHTTP
import Testing

@Suite("Pages of configured origins may read answers, and nobody else's")
struct CrossOriginTests {
    private static let page = "https://app.example"
    private let markets: MarketServiceFixture

    init() throws {
        markets = try MarketServiceFixture(
            rules: .sample.with { $0.corsOrigins = [Self.page].compactMap { CrossOrigin($0) } }
        )
    }

    @Test("An answer says who may read it, and which fields scripts may")
    func answers() throws {
        let answer = try markets.served.ask("GET", "/v1/markets", fields: ["Origin": Self.page])
        #expect(answer.fields["access-control-allow-origin"] == Self.page)
        #expect(
            answer.fields["access-control-expose-headers"]
                == "ETag, RateLimit, Retry-After, X-Request-Id"
        )
        #expect(answer.fields["vary"] == "Accept-Encoding, Origin")
        let problem = try markets.served.ask("GET", "/nowhere", fields: ["Origin": Self.page])
        #expect(problem.fields["access-control-allow-origin"] == Self.page)
        #expect(problem.fields["vary"] == "Origin")
    }

    @Test("A browser's question is answered with what the address takes")
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

    @Test("A stranger's page is allowed nothing", arguments: ["https://evil.example", "null", "*"])
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

    @Test("Without origins nothing is told, and OPTIONS is no method")
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
