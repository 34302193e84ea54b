import Foundation
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Streams over HTTP", .tags(.threads))
struct StreamOverHTTPTests {
    /// A stream as a client sees it.
    private final class Reader {
        let head: HTTPAnswer
        private let client: TCPClient
        private var text = ""

        init(_ markets: MarketServiceFixture, _ target: String, lastEventID: String? = nil) throws {
            client = try TCPClient(port: markets.served.port)
            let resume = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
            try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(resume)\r\n")
            head = HTTPAnswer(header: try client.receiveHeader(), body: [])
        }

        /// The next event's lines.
        func event() throws -> [String] {
            while true {
                if let end = text.range(of: "\n\n") {
                    defer { text.removeSubrange(..<end.upperBound) }
                    return text[..<end.lowerBound].components(separatedBy: "\n")
                }
                try readChunk()
            }
        }

        /// Whether nothing follows the events that were read.
        func isOver() throws -> Bool {
            try #require(text.isEmpty)
            return try client.receive(count: 5) == Array("0\r\n\r\n".utf8)
        }

        private func readChunk() throws {
            var digits: [UInt8] = []
            while digits.suffix(2) != [13, 10] { digits += try client.receive(count: 1) }
            let size = String(decoding: digits.dropLast(2), as: UTF8.self)
            let count = try #require(Int(size, radix: 16))
            try #require(count > 0, "the stream is over")
            text += String(decoding: try client.receive(count: count), as: UTF8.self)
            _ = try client.receive(count: 2)
        }
    }

    @Test("the document comes first, then changes, with document revisions as ids")
    func events() throws {
        let markets = try MarketServiceFixture()
        let reader = try Reader(markets, "/v1/stream?limit=2")
        #expect(reader.head.status == 200)
        #expect(reader.head.fields["content-type"] == "text/event-stream")
        #expect(reader.head.fields["x-content-type-options"] == "nosniff")
        #expect(reader.head.fields["cache-control"] == "no-store, no-transform")
        #expect(reader.head.fields["x-accel-buffering"] == "no")
        #expect(reader.head.fields["x-request-id"] == "request-1")
        #expect(reader.head.fields["ratelimit"] != nil && reader.head.fields["etag"] == nil)
        #expect(try reader.event() == ["retry: 1000"])
        let first = try reader.event()
        let document = try markets.served.ask("GET", "/v1/markets?limit=2")
        #expect(first[0] == "event: snapshot")
        let revision = try #require(try document.json["revision"]?.text)
        #expect(first[1] == "id: " + revision)
        #expect(first[2] == "data: " + String(decoding: document.body, as: UTF8.self))
        markets.wait(.seconds(1)) { $0.trade("BTC_KRW", at: "150000000") }
        markets.streams.advance()
        let second = try reader.event()
        #expect(second[0] == "event: patch")
        let now = try markets.served.ask("GET", "/v1/markets?limit=2").json["revision"]?.text
        #expect(second[1] == "id: " + (now ?? "") && now != revision)
    }

    @Test("a known last id resumes, an unknown one resets")
    func resuming() throws {
        let markets = try MarketServiceFixture()
        let held = try Reader(markets, "/v1/stream")
        _ = try held.event()
        let id = try held.event()[1].dropFirst("id: ".count)
        markets.wait(.seconds(1)) { $0.trade("XRP_KRW", at: "744") }
        markets.streams.advance()
        let back = try Reader(markets, "/v1/stream", lastEventID: String(id))
        _ = try back.event()
        #expect(try back.event()[0] == "event: patch")
        let stranger = try Reader(markets, "/v1/stream", lastEventID: "other-1")
        _ = try stranger.event()
        #expect(try stranger.event()[0] == "event: reset")
    }

    @Test("a stream takes the revision of an answer to the same question, and of no other")
    func listThenWatch() throws {
        let markets = try MarketServiceFixture()
        let target = "/v1/markets?limit=2"
        func ask() throws -> String {
            try #require(try markets.served.ask("GET", target).json["revision"]?.text)
        }
        func firstEvent(after id: String) throws -> [String] {
            let reader = try Reader(markets, "/v1/stream?limit=2", lastEventID: id)
            _ = try reader.event()
            markets.wait(.seconds(1)) { $0.trade("BTC_KRW", at: "150000000") }
            markets.streams.advance()
            return try reader.event()
        }
        // Two clients' answers, neither of them the newest when the stream begins.
        let first = try ask()
        markets.wait(.seconds(1)) { $0.trade("BTC_KRW", at: "144000000") }
        let second = try ask()
        markets.wait(.seconds(1)) { $0.trade("ETH_KRW", at: "4600000") }
        for id in [first, second] { #expect(try firstEvent(after: id)[0] == "event: patch") }
        let other = try markets.served.ask("GET", "/v1/markets?limit=1").json["revision"]?.text
        #expect(try firstEvent(after: other ?? "")[0] == "event: reset")
        // Unchanged since: no document, the first event is the next change.
        let newest = try ask()
        let next = try firstEvent(after: newest)
        #expect(next[0] == "event: patch" && !next[1].hasSuffix(newest))
        #expect(!next[2].contains(#""market":"ETH_KRW""#))
    }

    @Test(
        "a stream has the schema and version of the answer to the same question",
        arguments: [
            ("/v1/markets?", ""), ("/v1/markets/XRP_KRW?", "market=XRP_KRW&"),
            ("/v1/markets/XRP_KRW/orderbook?", "documents=order-book&market=XRP_KRW&"),
            ("/v1/markets/XRP_KRW/trades?", "documents=trades&market=XRP_KRW&"),
            ("/v1/markets/XRP_KRW/candles?", "documents=candles&market=XRP_KRW&"),
            ("/v1/assets?", "documents=assets&"),
            ("/v1/snapshot?documents=market-list,assets&", "documents=market-list,assets&"),
            (
                "/v1/snapshot?documents=market-list&market-list.limit=3&",
                "documents=market-list&market-list.limit=3&"
            ),
        ]
    )
    func schemas(target: String, question: String) throws {
        let markets = try MarketServiceFixture(rules: .withoutTransfers)
        markets.openDetail()
        let answer = try markets.served.ask("GET", String(target.dropLast())).json
        let reader = try Reader(markets, "/v1/stream?" + question.dropLast())
        _ = try reader.event()
        let data = try #require(try reader.event().last).dropFirst("data: ".count)
        let streamed = try OrderedJSON(Array(data.utf8))
        #expect(answer["schema"] != nil)
        for key in ["schema", "version", "revision", "state"] {
            #expect(streamed[key] == answer[key], "\(key)")
        }
    }

    @Test("a client's streams are limited; a closed one is released")
    func seats() throws {
        let markets = try MarketServiceFixture(rules: .sample.with { $0.streamsPerUser = 2 })
        do {
            let readers = try (0..<2).map { _ in try Reader(markets, "/v1/stream") }
            for reader in readers { _ = try reader.event() }
            let third = try markets.served.ask("GET", "/v1/stream")
            #expect(third.status == 429 && third.fields["retry-after"] != nil)
            #expect(try markets.served.ask("HEAD", "/v1/stream").status == 200)
            #expect(markets.records.next().status == 429)
            #expect(markets.records.next().isStream)
        }
        // Both are gone when they have been recorded.
        for _ in 0..<2 {
            let record = markets.records.next()
            #expect(record.isStream && !record.isComplete && record.byteCount > 0)
        }
        let next = try Reader(markets, "/v1/stream")
        #expect(next.head.status == 200)
    }

    @Test("stopping ends streams with bye, new ones included")
    func leaving() throws {
        let markets = try MarketServiceFixture()
        let reader = try Reader(markets, "/v1/stream")
        _ = try reader.event()
        _ = try reader.event()
        markets.streams.stop()
        #expect(try reader.event() == ["event: bye", "data: {}"])
        #expect(try reader.isOver())
        #expect(markets.records.next().isComplete)
        let late = try Reader(markets, "/v1/stream")
        #expect(try late.event() == ["event: bye", "data: {}"])
        #expect(try late.isOver())
    }

    @Test(
        "a request without a document has no stream",
        arguments: [
            ("/v1/stream?market=NOPE_KRW", 404, "not_found"),
            ("/v1/stream?documents=portfolio", 400, "invalid_parameter"),
            ("/v1/stream?limit=0", 400, "invalid_parameter"),
            ("/v1/stream?documents=trades&market=XRP_KRW&since=1.0", 400, "invalid_parameter"),
            (
                "/v1/stream?documents=candles&market=XRP_KRW&at=2026-11-20T21:00:00Z", 400,
                "invalid_parameter"
            ),
            ("/v1/stream?offset=0", 400, "invalid_parameter"),
            ("/v1/stream?market-list.offset=3", 400, "invalid_parameter"),
            ("/v1/stream?token=x", 400, "invalid_parameter"),
        ]
    )
    func refused(target: String, status: Int, code: String) throws {
        let answer = try MarketServiceFixture().served.ask("GET", target)
        #expect(answer.status == status)
        #expect(try answer.json["code"] == .string(code))
    }
}
