import NetworkAddresses
import TestSupport
import ViewStates
import Testing

@testable import PresentationHTTP

@Suite("Rate limits", .tags(.threads))
struct RateLimitTests {
    @Test("a client beyond its limit gets 429 until it refills; others are unaffected")
    func limit() throws {
        let markets = try MarketServiceFixture(
            rules: .sample.with {
                $0.requestsPerClient = 3
                $0.trustedProxies = ["127.0.0.0/8"].compactMap { AddressRange($0) }
            }
        )
        func ask(_ client: String) throws -> HTTPAnswer {
            try markets.served.ask("GET", "/nowhere", fields: ["X-Forwarded-For": client])
        }
        for left in [2, 1, 0] {
            let answer = try ask("203.0.113.1")
            #expect(answer.status == 404)
            let time = (3 - left) * 20
            #expect(answer.fields["ratelimit"] == "\"client\";r=\(left);t=\(time)")
            #expect(
                answer.fields["ratelimit-policy"]
                    == "\"client\";q=3;w=60, \"not-modified\";q=1000000;w=60"
            )
        }
        let refused = try ask("203.0.113.1")
        #expect(refused.status == 429 && refused.fields["retry-after"] == "20")
        #expect(try refused.json["code"] == .string("rate_limited"))
        #expect(try ask("203.0.113.2").status == 404)
        // The same household of IPv6 is one client.
        for last in 1...3 { #expect(try ask("2001:db8::\(last)").status == 404) }
        #expect(try ask("2001:db8:0:ff:ffff::1").status == 429)
        #expect(try ask("2001:db8:0:100::1").status == 404)
        markets.clock.advance(by: .seconds(20))
        #expect(try ask("203.0.113.1").status == 404)
        #expect(try ask("203.0.113.1").status == 429)
    }

    @Test("a document is charged by its rows and its coding before it is made")
    func cost() throws {
        let markets = try MarketServiceFixture(rules: .sample.with { $0.requestsPerClient = 100 })
        markets.openDetail()
        func left(_ target: String, _ fields: KeyValuePairs<String, String> = [:]) throws -> String?
        {
            let answer = try markets.served.ask("GET", target, fields: fields)
            markets.clock.advance(by: .seconds(60))
            return answer.fields["ratelimit"]?.split(separator: ";").dropFirst().first
                .map(String.init)
        }
        #expect(try left("/v1/about") == "r=99")
        #expect(try left("/v1/markets?limit=10") == "r=98")
        #expect(try left("/v1/markets?limit=10&revision=epoch-1") == "r=99")
        #expect(try left("/v1/markets") == "r=97")
        #expect(try left("/v1/markets", ["Accept-Encoding": "gzip"]) == "r=95")
        #expect(try left("/v1/markets/XRP_KRW/candles?count=800") == "r=95")
        #expect(try left("/v1/markets/XRP_KRW/candles?count=0") == "r=99")
        #expect(try left("/nowhere") == "r=99")
    }

    @Test("304s have a quota of their own; beyond it they cost as much as other answers")
    func notModified() throws {
        let markets = try MarketServiceFixture(
            rules: .sample.with {
                $0.requestsPerClient = 2
                $0.notModifiedPerClient = 4
            }
        )
        func ask(_ tag: String) throws -> HTTPAnswer {
            try markets.served.ask(
                "GET",
                "/v1/markets?markets=BTC_KRW",
                fields: ["If-None-Match": tag]
            )
        }
        func list() throws -> HTTPAnswer {
            try markets.served.ask("GET", "/v1/markets?markets=BTC_KRW")
        }
        let tag = try #require(try list().fields["etag"])
        for left in [3, 2, 1, 0] {
            let answer = try ask(tag)
            #expect(answer.status == 304)
            #expect(answer.fields["ratelimit"]?.hasPrefix("\"not-modified\";r=\(left);") == true)
        }
        let dear = try ask(tag)
        #expect(dear.status == 304)
        #expect(dear.fields["ratelimit"]?.hasPrefix("\"client\";r=0;") == true)
        // The quota is used up: nothing is read or made.
        #expect(try ask(tag).status == 429)
        #expect(try ask("\"other\"").status == 429)
        #expect(try list().status == 429)
    }

    @Test("a conditional request beyond the limit has no document made")
    func conditional() throws {
        let markets = try MarketServiceFixture(rules: .sample.with { $0.requestsPerClient = 1 })
        #expect(try markets.served.ask("GET", "/nowhere").status == 404)
        markets.openDetail()
        for number in 1...20 {
            let target = "/v1/markets/XRP_KRW/candles?count=\(number)"
            let answer = try markets.served.ask(
                "GET",
                target,
                fields: ["If-None-Match": "\"x\"", "Accept-Encoding": "gzip"]
            )
            #expect(answer.status == 429)
        }
        #expect(markets.documents.cache.size.keys == 0)
    }

    @Test("a stream is charged as a request, whatever its tags")
    func streams() throws {
        let markets = try MarketServiceFixture(rules: .sample.with { $0.requestsPerClient = 1 })
        func ask() throws -> Int {
            // A connection of its own: that of a stream is closed behind it.
            let client = try TCPClient(port: markets.served.port)
            try client.send(
                "HEAD /v1/stream HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \"x\"\r\n\r\n"
            )
            return HTTPAnswer(header: try client.receiveHeader(), body: []).status
        }
        #expect(try ask() == 200)
        #expect(try ask() == 429)
    }
}
