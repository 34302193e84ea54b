import PresentationHTTP
import TestSupport
import Testing

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

    @Test("304s have a quota of their own")
    func notModified() throws {
        let markets = try MarketServiceFixture(
            rules: .sample.with {
                $0.requestsPerClient = 2
                $0.notModifiedPerClient = 4
            }
        )
        func ask(_ tag: String) throws -> HTTPAnswer {
            try markets.served.ask("GET", "/v1/markets", fields: ["If-None-Match": tag])
        }
        let tag = try #require(try markets.list().fields["etag"])
        for left in [3, 2, 1, 0] {
            let answer = try ask(tag)
            #expect(answer.status == 304)
            #expect(answer.fields["ratelimit"]?.hasPrefix("\"not-modified\";r=\(left);") == true)
        }
        #expect(try ask(tag).status == 429)
        let other = try ask("\"other\"")
        #expect(other.status == 200)
        #expect(other.fields["ratelimit"]?.hasPrefix("\"client\";r=0;") == true)
        #expect(try ask("\"other\"").status == 429)
        // Both quotas are used up: the request is rejected unread.
        #expect(try markets.list().status == 429)
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
