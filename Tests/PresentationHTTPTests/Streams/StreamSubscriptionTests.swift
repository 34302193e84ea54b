import Compression
import Foundation
import ViewStates
import Synchronization
import TestSupport
import Testing

@testable import Domain
@testable import PresentationHTTP

@Suite("Stream subscriptions", .tags(.threads))
struct StreamSubscriptionTests {
    private static let list = DocumentQuery.marketList(MarketListQuery())

    @Test("a stream starts with retry and the bytes of the document's GET")
    func beginning() throws {
        let bench = StreamFixture()
        let stream = try bench.streams.subscribe(to: Self.list)
        let (bytes, revision) = bench.documents.bytes(Self.list)
        #expect(stream.next() == .nothing)
        bench.streams.advance()
        // A chunk of its own, so that readers share the bytes of the event.
        #expect(stream.next() == .bytes(Array("retry: 1731\n\n".utf8)))
        let head = "event: snapshot\nid: \(revision)\ndata: "
        #expect(stream.next() == .bytes(Array(head.utf8) + bytes + Array("\n\n".utf8)))
        #expect(stream.next() == .nothing)
    }

    @Test("a new price is one patch with row, health and revision")
    func patch() throws {
        var bench = StreamFixture()
        let stream = try bench.streams.subscribe(to: Self.list)
        let other = try bench.streams.subscribe(to: Self.list)
        for reader in [stream, other] { _ = (reader.served(), reader.next()) }
        bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
        guard case .bytes(let bytes) = stream.next() else { throw SampleError() }
        #expect(other.next() == .bytes(bytes))
        let event = try #require(try StreamedEvent.events(bytes).first)
        #expect(event.name == "patch" && event.id == bench.documents.bytes(Self.list).revision)
        let patches = try #require(try OrderedJSON(event.data.utf8)["patches"]?.elements)
        #expect(patches.map { $0["path"]?.text } == ["health", "rows"])
        #expect(patches[1].keys == ["path", "upsert", "remove", "insert", "order"])
        #expect(patches[1]["upsert"]?.elements?.compactMap { $0["market"]?.text } == ["XRP_KRW"])
        #expect(patches[1]["remove"] == .array([]) && patches[1]["order"] == .null)
        #expect(stream.next() == .nothing)
    }

    @Test("a reader that waits is woken once per event, another one never")
    func waking() throws {
        var bench = StreamFixture()
        let stream = try bench.streams.subscribe(to: .trades(StreamFixture.detail))
        let count = Mutex(0)
        stream.onUpdate { count.withLock { $0 += 1 } }
        _ = stream.served()
        #expect(count.withLock { $0 } == 1)
        bench.wait(.milliseconds(100)) { $0.trade(StreamFixture.market, at: "1") }
        #expect(count.withLock { $0 } == 1)
        _ = (stream.served(), stream.next())
        #expect(count.withLock { $0 } == 2)
        bench.wait(.milliseconds(100))
        #expect(count.withLock { $0 } == 2)
        for _ in 0..<3 {
            bench.wait(.milliseconds(100)) { $0.trade(StreamFixture.market, at: "1") }
        }
        #expect(count.withLock { $0 } == 3)
        stream.cancel()
        bench.wait(.milliseconds(100)) { $0.trade(StreamFixture.market, at: "1") }
        #expect(count.withLock { $0 } == 3 && stream.next() == .end)
    }

    @Test("a document is not read for readers that have not taken their last event")
    func unread() throws {
        var bench = StreamFixture()
        let stream = try bench.streams.subscribe(to: Self.list)
        _ = stream.next()
        bench.streams.advance()
        // The event was made and not taken.
        let size = bench.streams.status.bytes
        for _ in 0..<3 {
            bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
        }
        let revision = bench.documents.bytes(Self.list).revision
        guard case .bytes(let first) = stream.served() else { throw SampleError() }
        #expect(try StreamedEvent.events(first).map(\.id) != [revision])
        guard case .bytes(let second) = stream.served() else { throw SampleError() }
        let events = try StreamedEvent.events(second)
        #expect(events.map(\.name) == ["patch"] && events.map(\.id) == [revision])
        #expect(bench.streams.status.bytes == size)
    }

    @Test("a gzip stream is one member of the events that others read", arguments: [0, 1, 5])
    func gzip(changes: Int) throws {
        var bench = StreamFixture()
        let plain = try bench.streams.subscribe(to: Self.list)
        let zipped = try bench.streams.subscribe(
            to: Self.list,
            for: StreamReader(owner: .process, isGzip: true)
        )
        var (sent, expected) = ([UInt8](), [UInt8]())
        func read(_ reader: StreamSubscription, _ bytes: inout [UInt8]) {
            while case .bytes(let chunk) = reader.served() { bytes += chunk }
        }
        for number in 0...changes {
            read(zipped, &sent)
            read(plain, &expected)
            bench.wait(.milliseconds(100)) {
                if number < changes { $0.trade("XRP_KRW", at: FixedDecimal(Int64(number + 1))) }
            }
        }
        for _ in 0..<15 { bench.streams.tick() }
        read(zipped, &sent)
        read(plain, &expected)
        bench.streams.stop()
        read(zipped, &sent)
        read(plain, &expected)
        #expect(String(decoding: expected, as: UTF8.self).contains("event: bookmark"))
        #expect(Gzip.decompressed(sent, bytesMax: 1 << 20) == expected)
        #expect(sent.count < expected.count / 2)
    }

    @Test("a bookmark follows every fifteen seconds, after pending changes")
    func bookmarks() throws {
        var bench = StreamFixture()
        let client = StreamClient<MarketListViewState>()
        try client.connect { try bench.streams.subscribe(to: Self.list, resumingAfter: $0) }
        try client.takeAll()
        for _ in 0..<14 { bench.streams.tick() }
        try client.takeAll()
        #expect(client.counts == ["snapshot": 1])
        bench.streams.tick()
        bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
        try client.takeAll()
        #expect(client.counts == ["snapshot": 1, "patch": 1, "bookmark": 1])
        for _ in 0..<15 { bench.streams.tick() }
        try client.takeAll()
        #expect(client.counts["bookmark"] == 2)
    }

    @Test("resuming within the horizon sends only the changes")
    func resume() throws {
        var bench = StreamFixture()
        let client = StreamClient<MarketListViewState>()
        func connect() throws {
            try client.connect { try bench.streams.subscribe(to: Self.list, resumingAfter: $0) }
            try client.takeAll()
        }
        try connect()
        client.disconnect()
        try connect()
        #expect(client.counts == ["snapshot": 1])
        client.disconnect()
        bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: "744") }
        bench.wait(.milliseconds(100)) { $0.trade("ETH_KRW", at: "1") }
        try connect()
        #expect(client.counts == ["snapshot": 1, "patch": 1])
        #expect(client.document == bench.documents.marketList.document(MarketListQuery()))
        #expect(bench.streams.status.resets == 0)
    }

    @Test(
        "an unknown or foreign id is reset",
        arguments: [
            "", "epoch", "epoch-", "epoch-0", "epoch-01", "epoch-+1", "other-1", "epoch-u4-1",
            "epoch-99999999999999999999", "epoch-1 ", "\u{0}",
        ]
    )
    func foreign(id: String) throws {
        let bench = StreamFixture()
        // The first revision is the trades': no other document's reader may go on from it.
        let trades = try bench.streams.subscribe(to: .trades(StreamFixture.detail))
        let ids = [id, bench.documents.bytes(.trades(StreamFixture.detail)).revision]
        for id in ids {
            let stream = try bench.streams.subscribe(to: Self.list, resumingAfter: id)
            guard case .bytes(let bytes) = stream.served() else { throw SampleError() }
            #expect(try StreamedEvent.events(bytes).map(\.name) == ["reset"])
        }
        #expect(bench.streams.status.resets == 2)
        trades.cancel()
    }

    @Test("a reader behind the horizon gets bye, then a reset")
    func lost() throws {
        var bounds = ChangeLog.Bounds()
        bounds.revisionsMax = 8
        var bench = StreamFixture(bounds: bounds)
        let client = StreamClient<MarketListViewState>()
        let other = StreamClient<MarketListViewState>()
        try client.connect { try bench.streams.subscribe(to: Self.list, resumingAfter: $0) }
        try other.connect { try bench.streams.subscribe(to: Self.list, resumingAfter: $0) }
        try client.take()
        for number in Int64(1)...8 {
            try other.takeAll()
            bench.wait(.milliseconds(100)) { $0.trade("XRP_KRW", at: FixedDecimal(number)) }
        }
        try other.takeAll()
        try client.takeAll()
        #expect(client.counts == ["snapshot": 1, "bye": 1] && !client.isConnected)
        try client.connect { try bench.streams.subscribe(to: Self.list, resumingAfter: $0) }
        try client.takeAll()
        #expect(client.counts["reset"] == 1)
    }

    @Test("a change of feed is a reset, because patches have no envelope")
    func source() throws {
        var bench = StreamFixture()
        let client = StreamClient<MarketListViewState>()
        try client.connect { try bench.streams.subscribe(to: Self.list, resumingAfter: $0) }
        try client.take()
        bench.wait(.milliseconds(100)) { $0.apply(.feed(.identified(.simulated))) }
        try client.takeAll()
        #expect(client.counts == ["snapshot": 1, "reset": 1] && client.isConnected)
        #expect(client.document?.source.feed == .simulated)
        #expect(bench.streams.status.resets == 1)
    }

    @Test("a stream ends once")
    func leaving() throws {
        let bench = StreamFixture()
        let streams = try (0..<2).map { _ in try bench.streams.subscribe(to: Self.list) }
        _ = (streams[0].next(), streams[0].next())
        let count = Mutex(0)
        streams[0].onUpdate { count.withLock { $0 += 1 } }
        bench.streams.stop()
        #expect(count.withLock { $0 } == 1)
        for stream in streams {
            #expect(stream.next() == .bytes(Array("event: bye\ndata: {}\n\n".utf8)))
            #expect(stream.next() == .end && stream.next() == .end)
            stream.cancel()
        }
        #expect(throws: StreamRejection.stopping) { try bench.streams.subscribe(to: Self.list) }
        #expect(bench.streams.status.streams == 0)
    }
}

/// Something else came than was expected.
private struct SampleError: Error {}
