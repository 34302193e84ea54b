import Compression
import Domain
import TestSupport
import Testing
import ViewStates

@Suite("Pages of lists over HTTP")
struct ListPageTests {
    private let markets: MarketServiceFixture

    init() throws { markets = try MarketServiceFixture() }

    private func get(
        _ query: String,
        _ fields: KeyValuePairs<String, String> = [:]
    ) throws -> HTTPAnswer {
        try markets.served.ask("GET", "/v1/markets?" + query, fields: fields)
    }

    /// Changes prices and the order by price.
    private func move() {
        markets.wait(.seconds(3)) { sample in
            sample.trade("XRP_KRW", at: "999999999")
            sample.trade("BTC_KRW", at: "1")
        }
    }

    @Test(
        "pages of a revision continue the list as it was",
        arguments: [
            "limit=1", "limit=2&sort=price", "limit=1&sort=name&direction=desc&lang=en",
            "limit=1&tab=popular&q=ETH", "limit=1&markets=XRP_KRW,ETH_BTC,BTC_KRW",
            "limit=2&tab=popular",
            "limit=1&period=1H&sort=changeRate", "offset=1&limit=1&quote=KRW",
        ]
    )
    func pages(query: String) throws {
        let whole = try #require(
            try get(query.replacing(/limit=./, with: "limit=9")).json["state"]?["rows"]?.elements
        )
        let first = try get(query)
        let revision = try #require(try first.json["revision"]?.text)
        var rows = try #require(try first.json["state"]?["rows"]?.elements)
        let limit = rows.count
        while rows.count < whole.count {
            move()
            let skipped = rows.count + (query.hasPrefix("offset") ? 1 : 0)
            let others = query.replacing("offset=1&", with: "")
            let page = try get("\(others)&offset=\(skipped)&revision=\(revision)")
            #expect(page.status == 200)
            #expect(try page.json["revision"] == .string(revision))
            #expect(try page.json["asOf"] == first.json["asOf"])
            rows += try #require(try page.json["state"]?["rows"]?.elements)
        }
        #expect(limit > 0 && rows == whole)
        #expect(try get(query).json["revision"] != .string(revision))
    }

    @Test("a page has a tag of its own, is answered with 304 and compressed")
    func conditional() throws {
        let revision = try #require(try get("limit=2").json["revision"]?.text)
        move()
        let target = "limit=2&offset=2&revision=\(revision)"
        let page = try get(target)
        let tag = try #require(page.fields["etag"])
        let others = try ["offset=0&limit=2", "offset=1&limit=2", "offset=2&limit=1"].map {
            try get("\($0)&revision=\(revision)").fields["etag"]
        }
        #expect(!others.contains(tag))
        #expect(page.fields["cache-control"] == "no-cache")
        #expect(try get(target, ["If-None-Match": tag]).status == 304)
        let packed = try get(target, ["Accept-Encoding": "gzip"])
        #expect(packed.fields["content-encoding"] == "gzip" && packed.fields["etag"] != tag)
        #expect(Gzip.decompressed(packed.body, bytesMax: 1 << 20) == page.body)
        let known = try #require(packed.fields["etag"])
        let again = try get(target, ["Accept-Encoding": "gzip", "If-None-Match": known])
        #expect(again.status == 304)
        let head = try markets.served.ask("HEAD", "/v1/markets?" + target)
        #expect(head.status == 200 && head.fields["content-length"] == "\(page.body.count)")
    }

    @Test("after a minute a page is 410, also with a tag, and the detail has the remedy")
    func expired() throws {
        let revision = try #require(try get("limit=2").json["revision"]?.text)
        let target = "limit=2&offset=2&revision=\(revision)"
        let tag = try #require(try get(target).fields["etag"])
        markets.wait(.seconds(60)) { $0.trade("BTC_KRW", at: "1") }
        for fields in [[:], ["If-None-Match": tag]] as [KeyValuePairs<String, String>] {
            let answer = try get(target, fields)
            #expect(answer.status == 410)
            #expect(try answer.json["code"] == .string("cursor_expired"))
            let detail = try #require(try answer.json["detail"]?.text)
            #expect(detail.contains(revision) && detail.contains("without revision"))
        }
    }

    @Test(
        "unknown revisions are 410, malformed ones 400",
        arguments: [
            ("other-1", 410), ("epoch-999", 410), ("epoch-00", 410), ("epoch-u1-1", 410),
            ("epoch-99999999999999999999", 410), ("", 400), ("1", 400), ("epoch", 400),
            ("epoch-", 400), ("epoch-x", 400), ("epoch_1-1", 400), ("epoch--1", 400),
        ]
    )
    func unknown(revision: String, status: Int) throws {
        _ = try get("limit=2")
        let answer = try get("limit=2&offset=2&revision=\(revision)")
        #expect(answer.status == status)
        #expect(answer.parameter == (status == 400 ? "revision" : nil))
    }

    @Test("streams and snapshots have no pages of a revision")
    func refused() throws {
        for target in [
            "/v1/stream?revision=epoch-1", "/v1/stream?documents=assets&revision=epoch-1",
            "/v1/stream?market-list.revision=epoch-1",
            "/v1/snapshot?market-list.revision=epoch-1", "/v1/assets?revision=epoch-1",
        ] {
            let answer = try markets.served.ask("GET", target)
            #expect(answer.status == 400, "\(target)")
            #expect(answer.parameter?.hasSuffix("revision") == true, "\(target)")
        }
    }

    @Test("a user's lists have pages with the user's marks, which no other user reads")
    func ofUsers() async throws {
        try await ServedUsers.with { served in
            let client = try served.client()
            for market in ["XRP_KRW", "BTC_KRW", "ETH_KRW"] {
                let put = try client.ask("PUT", "/v1/me/favorites/" + market, as: 1)
                #expect(put.status == 204)
            }
            for query in ["tab=favorites", "sort=name"] {
                let target = "/v1/me/markets?\(query)&limit=2"
                let first = try client.ask("GET", target, as: 1)
                let revision = try #require(try first.json["revision"]?.text)
                #expect(revision.hasPrefix("epoch-u1-"))
                let whole = try client.ask("GET", "/v1/me/markets?\(query)", as: 1)
                let rows = try #require(try whole.json["state"]?["rows"]?.elements)
                served.publish { $0.trade("ETH_KRW", at: "2") }
                _ = try client.ask("DELETE", "/v1/me/favorites/BTC_KRW", as: 1)
                let next = "\(target)&offset=2&revision=\(revision)"
                let page = try client.ask("GET", next, as: 1)
                #expect(try page.json["state"]?["rows"]?.elements == Array(rows[2...].prefix(2)))
                #expect(page.fields["cache-control"] == "private, no-cache")
                let known = try client.ask("GET", next, as: 1, ["If-None-Match": page.tag])
                #expect(known.status == 304)
                for (path, token) in [("/v1/me/markets", 2), ("/v1/markets", 1)] {
                    let other = path + "?sort=name&limit=2&offset=2&revision=\(revision)"
                    #expect(try client.ask("GET", other, as: token).code == "cursor_expired")
                }
                _ = try client.ask("PUT", "/v1/me/favorites/BTC_KRW", as: 1)
            }
        }
    }
}
