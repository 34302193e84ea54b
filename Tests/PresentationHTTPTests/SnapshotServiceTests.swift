import Foundation
import Domain
import ViewStates
import TestSupport
import Testing

@Suite(
    "The public service answers /v1/markets with shared bytes and everything else with a problem",
    .tags(.threads)
)
struct SnapshotServiceTests {
    @Test("a list has the producer's bytes and must be revalidated")
    func list() throws {
        let markets = try MarketServiceFixture()
        let answer = try markets.list()
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "application/json")
        #expect(answer.fields["cache-control"] == "no-cache")
        #expect(answer.fields["content-length"] == "\(answer.body.count)")
        #expect(answer.fields["date"] != nil)
        #expect(answer.body == markets.lists.bytes(MarketListQuery()).bytes)
        let document = try JSONDecoder().decode(MarketListDocument.self, from: Data(answer.body))
        #expect(document == markets.lists.document(MarketListQuery()))
    }

    @Test("readers of a revision get the same bytes, new ones after a change")
    func revisions() throws {
        let markets = try MarketServiceFixture()
        let first = try markets.list()
        #expect(try markets.list().body == first.body)
        markets.wait(.milliseconds(100)) { _ in }
        #expect(try markets.list().body == first.body)
        markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: "744") }
        let second = try markets.list()
        #expect(try first.json["revision"] == .string("epoch-1"))
        #expect(try second.json["revision"] == .string("epoch-2"))
        let price = try second.json["state"]?["rows"]?.elements?[2]["priceText"]
        #expect(price == .string("744.0"))
    }

    @Test("spellings of one query get one document")
    func oneQuestion() throws {
        let markets = try MarketServiceFixture()
        let bodies = try [
            [:], ["tab": "markets"], ["sort": "popularity", "direction": "desc"],
            ["limit": "01000"],
        ].map { (parameters: KeyValuePairs<String, String>) in try markets.list(parameters).body }
        #expect(Set(bodies).count == 1)
    }

    @Test("HEAD is answered as GET without a body")
    func head() throws {
        let markets = try MarketServiceFixture()
        let get = try markets.served.ask("GET", "/v1/markets?limit=2")
        let head = try markets.served.ask("HEAD", "/v1/markets?limit=2")
        #expect(head.status == 200)
        for field in ["content-type", "content-length", "cache-control"] {
            #expect(head.fields[field] == get.fields[field] && head.fields[field] != nil)
        }
        // Had a body followed, it would be taken for the head of the next answer.
        #expect(try markets.served.ask("GET", "/v1/markets?limit=2").body == get.body)
        #expect(try markets.served.ask("HEAD", "/v1/markets?limit=0").status == 400)
    }

    @Test("about names the feed, with a revision per kind of feed")
    func aboutSource() throws {
        let markets = try MarketServiceFixture()
        var revisions: [OrderedJSON] = []
        for kind in [FeedKind.live, .simulated, .live] {
            markets.wait(.milliseconds(100)) { $0.apply(.feed(.identified(kind))) }
            let answer = try markets.served.ask("GET", "/v1/about")
            #expect(try answer.json["source"]?["feed"] == .string(kind.rawValue))
            let revision = try #require(try answer.json["revision"])
            let tag = try #require(answer.fields["etag"])
            #expect(tag == "\"\(revision.text ?? "").ko\"")
            revisions.append(revision)
        }
        #expect(revisions[0] == revisions[2] && revisions[0] != revisions[1])
    }

    @Test("about is in the language asked for, with a tag of its own")
    func aboutLanguage() throws {
        let markets = try MarketServiceFixture()
        func ask(_ target: String) throws -> (notice: String, license: String, tag: String) {
            let answer = try markets.served.ask("GET", target)
            let state = try #require(try answer.json["state"])
            let license = state["licenses"]?.elements?.first?["text"]?.text
            return (
                try #require(state["notice"]?.text), try #require(license),
                try #require(answer.fields["etag"])
            )
        }
        let (plain, korean) = (try ask("/v1/about"), try ask("/v1/about?lang=ko"))
        let english = try ask("/v1/about?lang=en")
        #expect(plain == korean && korean.tag != english.tag)
        #expect(korean.notice.contains("투자 권유") && korean.license.contains("전문"))
        #expect(english.notice.contains("investment advice"))
        #expect(english.license.contains("full text"))
    }

    @Test(
        "an unknown path is 404",
        arguments: [
            "/v1", "/v1/", "/v1/markets/", "/V1/MARKETS", "/v2/markets",
            "//v1/markets", "/v1/markets%20",
            "/healthz", "/readyz", "/%22%0a", "/" + String(repeating: "x", count: 4_000),
        ]
    )
    func notFound(target: String) throws {
        let answer = try MarketServiceFixture().served.ask("GET", target)
        #expect(answer.status == 404)
        #expect(answer.fields["content-type"] == "application/problem+json")
        #expect(try answer.json["code"] == .string("not_found"))
        #expect(answer.body.count < 1_000)
    }

    @Test(
        "an unsupported method is 405 with Allow",
        arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", "X", "CONNECT2"]
    )
    func methodNotAllowed(method: String) throws {
        let answer = try MarketServiceFixture().served.ask(method, "/v1/markets")
        #expect(answer.status == 405)
        #expect(answer.fields["allow"] == "GET, HEAD")
        #expect(answer.fields["content-type"] == "application/problem+json")
        #expect(try answer.json["code"] == .string("method_not_allowed"))
    }

    @Test("hundreds of different queries get their own documents, repeatedly")
    func manyQuestions() throws {
        let markets = try MarketServiceFixture()
        for round in 0..<2 {
            for offset in 0..<300 {
                let json = try markets.list(["offset": "\(offset)"]).json
                #expect(json["state"]?["query"]?["offset"] == .number("\(offset)"), "\(round)")
            }
        }
    }

    @Test("concurrent clients get complete documents whose revisions only grow")
    func manyClients() async throws {
        let markets = try MarketServiceFixture()
        let port = markets.served.port
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { try Self.readMany(port: port) }
            }
            for number in Int64(0)..<200 {
                markets.wait(.milliseconds(100)) {
                    $0.trade("XRP_KRW", at: FixedDecimal(700 + number % 7))
                }
            }
            try await group.waitForAll()
        }
    }

    private static func readMany(port: UInt16) throws {
        let client = try TCPClient(port: port)
        var last = 0
        for _ in 0..<50 {
            try client.send("GET /v1/markets HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = try HTTPAnswer(client.receiveAnswer())
            let revision = try #require(try answer.json["revision"]?.text)
            let number = try #require(Int(revision.dropFirst("epoch-".count)))
            #expect(answer.status == 200 && number >= last)
            last = number
        }
    }
}
