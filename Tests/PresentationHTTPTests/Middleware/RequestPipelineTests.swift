import Compression
import HTTPServer
import NetworkAddresses
import PresentationHTTP
import TestSupport
import Testing

@Suite("Request pipeline")
struct RequestPipelineTests {
    @Test("a valid request id is kept, any other is replaced")
    func names() throws {
        let served = try MarketServiceFixture().served
        let kept = try served.ask("GET", "/v1/markets", fields: ["X-Request-Id": "my-1"])
        #expect(kept.fields["x-request-id"] == "my-1")
        let problem = try served.ask("GET", "/nowhere", fields: ["X-Request-Id": "my-2"])
        #expect(try problem.json["requestId"] == .string("my-2"))
        let strange = try served.ask("GET", "/v1/markets", fields: ["X-Request-Id": "a b"])
        #expect(strange.fields["x-request-id"] == "request-1")
    }

    @Test("tags differ by content, coding and query")
    func tags() throws {
        let markets = try MarketServiceFixture(rules: .withoutTransfers)
        func tag(_ target: String, _ coding: String = "identity") throws -> String {
            let answer = try markets.served.ask(
                "GET",
                target,
                fields: ["Accept-Encoding": coding]
            )
            return try #require(answer.fields["etag"])
        }
        let questions = ["/v1/markets", "/v1/markets?limit=1", "/v1/assets", "/v1/about"]
        let tags = try questions.flatMap { [try tag($0), try tag($0, "gzip")] }
        #expect(Set(tags).count == tags.count)
        #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
        markets.wait(.milliseconds(100)) { _ in }
        #expect(try tag("/v1/markets") == tags[0])
        #expect(try tag("/v1/markets?tab=markets&quote=KRW") == tags[0])
        markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: "744") }
        #expect(try tag("/v1/markets") != tags[0])
        #expect(try tag("/v1/about") == tags[6])
    }

    @Test("a matching tag is answered with 304", arguments: ["identity", "gzip"])
    func notModified(coding: String) throws {
        let markets = try MarketServiceFixture()
        let first = try markets.served.ask(
            "GET",
            "/v1/markets",
            fields: ["Accept-Encoding": coding]
        )
        let tag = try #require(first.fields["etag"])
        for list in [tag, "W/" + tag, "\"x\", " + tag, "*"] {
            let again = try markets.served.ask(
                "GET",
                "/v1/markets",
                fields: ["Accept-Encoding": coding, "If-None-Match": list]
            )
            #expect(again.status == 304 && again.body.isEmpty)
            for field in ["etag", "cache-control", "vary"] {
                #expect(again.fields[field] == first.fields[field], "\(field)")
            }
            #expect(again.fields["content-type"] == nil)
            // Some clients would wait for the bytes that a Content-Length announces.
            #expect(again.fields["content-length"] == nil)
        }
        let other = coding == "gzip" ? "identity" : "gzip"
        let mixed = try markets.served.ask(
            "GET",
            "/v1/markets",
            fields: ["Accept-Encoding": other, "If-None-Match": tag]
        )
        #expect(mixed.status == 200)
        markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: "744") }
        let changed = try markets.served.ask(
            "GET",
            "/v1/markets",
            fields: ["Accept-Encoding": coding, "If-None-Match": tag]
        )
        #expect(changed.status == 200)
    }

    @Test("gzip has the same content, and only on request")
    func gzip() throws {
        let markets = try MarketServiceFixture()
        let plain = try markets.list()
        #expect(plain.fields["content-encoding"] == nil)
        #expect(plain.fields["vary"] == "Accept-Encoding")
        let packed = try markets.served.ask(
            "GET",
            "/v1/markets",
            fields: ["Accept-Encoding": "br, gzip;q=0.5"]
        )
        #expect(packed.fields["content-encoding"] == "gzip")
        #expect(packed.fields["vary"] == "Accept-Encoding")
        #expect(packed.body.count < plain.body.count)
        #expect(Gzip.decompressed(packed.body, bytesMax: 1 << 20) == plain.body)
        let refused = try markets.served.ask(
            "GET",
            "/v1/markets",
            fields: ["Accept-Encoding": "gzip;q=0"]
        )
        #expect(refused.body == plain.body)
        let problem = try markets.served.ask(
            "GET",
            "/nowhere",
            fields: ["Accept-Encoding": "gzip"]
        )
        #expect(problem.fields["content-encoding"] == nil)
    }

    @Test("a finished request is recorded with route, status and client")
    func records() throws {
        let markets = try MarketServiceFixture(
            rules: .sample.with { $0.trustedProxies = Self.loopback }
        )
        let list = try markets.served.ask(
            "GET",
            "/v1/markets",
            fields: ["X-Forwarded-For": "203.0.113.9"]
        )
        let first = markets.records.next()
        #expect(first.requestID == "request-1" && first.method == "GET" && first.status == 200)
        #expect(first.route == "/v1/markets" && first.path == "/v1/markets")
        #expect(first.byteCount == list.body.count && first.isComplete && !first.isStream)
        #expect(first.client == NetworkAddress(203, 0, 113, 9) && first.user == nil)
        _ = try markets.served.ask("HEAD", "/v1/markets/BTC_KRW/candles?count=0")
        let second = markets.records.next()
        #expect(second.method == "HEAD" && second.status == 400 && second.byteCount == 0)
        #expect(second.route == "/v1/markets/{market}/candles")
        _ = try markets.served.ask("BREW", "/pot%0a")
        let third = markets.records.next()
        #expect(third.method == "other" && third.status == 404 && third.route == nil)
        #expect(third.path == "/pot\n")
    }

    @Test(
        "a browser takes no answer but the page's files for a page",
        arguments: [
            ("GET", "/v1/markets", [:], 200), ("HEAD", "/v1/markets", [:], 200),
            ("GET", "/v1/markets", ["If-None-Match": "*"], 304), ("GET", "/nowhere", [:], 404),
            ("POST", "/v1/markets", [:], 405), ("GET", "/openapi.json", [:], 200),
            // Refused before it has a route.
            ("GET", "/v1/markets", ["Content-Length": "x"], 400),
        ] as [(String, String, KeyValuePairs<String, String>, Int)]
    )
    func contentProtection(
        method: String,
        target: String,
        fields: KeyValuePairs<String, String>,
        status: Int
    ) throws {
        let answer = try MarketServiceFixture().served.ask(method, target, fields: fields)
        #expect(answer.status == status)
        // Each once: a second value would be joined to the first.
        #expect(answer.fields["x-content-type-options"] == "nosniff")
        #expect(
            answer.fields["content-security-policy"]
                == "default-src 'none'; frame-ancestors 'none'"
        )
    }

    @Test("a malformed request is answered with a problem")
    func refusals() throws {
        let markets = try MarketServiceFixture()
        let answer = try markets.served.ask("GET", "/v1/markets?q=%ff")
        #expect(answer.status == 400)
        #expect(answer.fields["content-type"] == "application/problem+json")
        let problem = try answer.json
        #expect(problem["code"] == .string("invalid_parameter"))
        #expect(problem["parameter"] == .string("request"))
        #expect(problem["allowed"]?.elements?.isEmpty == false)
    }

    private static let loopback = ["127.0.0.1"].compactMap { AddressRange($0) }
}
