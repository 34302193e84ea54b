import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesHTTP

@Suite("An event stream parser is independent of how its bytes are cut")
struct EventStreamParserTests {
    /// Every event of a text that is fed in pieces.
    private static func events(
        _ pieces: [[UInt8]],
        eventBytesMax: Int = 1_000
    ) throws
        -> EventBatch
    {
        var parser = EventStreamParser(eventBytesMax: eventBytesMax)
        var all = EventBatch()
        for piece in pieces {
            let batch = try parser.parse(piece)
            all.events += batch.events
            all.retry = batch.retry ?? all.retry
        }
        return all
    }

    /// An event as `name#id=data`.
    private static func words(_ event: ServerSentEvent) -> String {
        event.name + "#" + event.lastEventID + "=" + String(decoding: event.data, as: UTF8.self)
    }

    @Test(
        "lines follow the specification",
        arguments: [
            ("data: a\n\n", ["message#=a"]),
            ("event: patch\nid: k-1\ndata: {}\n\n", ["patch#k-1={}"]),
            ("data:a\ndata: b\ndata:  c\n\n", ["message#=a\nb\n c"]),
            ("data\n\n", ["message#="]),
            ("id: 1\ndata: a\n\ndata: b\n\n", ["message#1=a", "message#1=b"]),
            ("id: 1\n\ndata: b\n\n", ["message#1=b"]),
            ("id: 1\ndata: a\n\nid\ndata: b\n\n", ["message#1=a", "message#=b"]),
            ("id: a\u{0}b\ndata: x\n\n", ["message#=x"]),
            (": a comment\n\n:\ndata: a\n: another\n\n", ["message#=a"]),
            ("event: reset\n\ndata: a\n\n", ["message#=a"]),
            ("nothing: of this\nDATA: neither\ndata: a\n\n", ["message#=a"]),
            ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["message#=a", "message#=b", "message#=c"]),
            ("\u{feff}data: a\n\n", ["message#=a"]),
            ("data: 한글 호가\n\n", ["message#=한글 호가"]),
            ("data: unfinished\n", []), ("data: unfinished", []), ("\n\n\n", []),
        ] as [(String, [String])]
    )
    func lines(text: String, expected: [String]) throws {
        let bytes = Array(text.utf8)
        #expect(try Self.events([bytes]).events.map(Self.words) == expected)
        // One byte at a time it is the same.
        #expect(try Self.events(bytes.map { [$0] }).events.map(Self.words) == expected)
    }

    @Test(
        "retry accepts digits only",
        arguments: [
            ("retry: 2500\n\n", 2_500), ("retry:0\n", 0), ("retry: 2.5\n", nil),
            ("retry: -1\n", nil), ("retry:\n", nil), ("retry: 99999999999999\n", nil),
        ] as [(String, Int?)]
    )
    func retry(text: String, milliseconds: Int?) throws {
        let batch = try Self.events([Array(text.utf8)])
        #expect(batch.retry == milliseconds.map { .milliseconds($0) })
        #expect(batch.events.isEmpty)
    }

    @Test("random cuts yield the same events", arguments: UInt64(1)...60)
    func anyCut(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let ends = ["\n", "\r", "\r\n"]
        var text: [UInt8] = []
        var expected: [String] = []
        for number in 0..<20 {
            let end = ends.randomElement(using: &random) ?? "\n"
            let data = String(repeating: "가b", count: .random(in: 0...30, using: &random))
            let noise = Bool.random(using: &random) ? ": beat" + end : ""
            text += "\(noise)event: patch\(end)id: e-\(number)\(end)data: \(data)\(end)\(end)".utf8
            expected.append("patch#e-\(number)=\(data)")
        }
        var pieces: [[UInt8]] = []
        var rest = text[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...40, using: &random)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(try Self.events(pieces, eventBytesMax: 400).events.map(Self.words) == expected)
    }

    @Test("an event at the bound is parsed, a longer one ends the stream")
    func bound() throws {
        let room = 64
        let fitting = "data: " + String(repeating: "x", count: room - 6) + "\n\n"
        #expect(try Self.events([Array(fitting.utf8)], eventBytesMax: room).events.count == 1)
        let long = "data: " + String(repeating: "x", count: room - 5)
        #expect(throws: TransportError.self) {
            try Self.events([Array(long.utf8)], eventBytesMax: room)
        }
        // Many short lines of one event are no way around it.
        let lines = String(repeating: "data: 12345678\n", count: 9)
        #expect(throws: TransportError.self) {
            try Self.events([Array(lines.utf8)], eventBytesMax: room)
        }
        // Comments are kept nowhere.
        let comments = String(repeating: ": 12345678\n", count: 100)
        #expect(try Self.events([Array(comments.utf8)], eventBytesMax: room).events.isEmpty)
    }
}
