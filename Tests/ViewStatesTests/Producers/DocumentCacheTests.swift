import TestSupport
import Testing

@testable import Domain
@testable import ViewStates

@Suite("Document cache", .tags(.threads))
struct DocumentCacheTests {
    /// A document that is one word.
    private struct Word: DocumentContent {
        static let schemaName = "word"
        static let schemaVersion = 1
        let text: String

        var estimatedByteCount: Int { 1_000 }

        func coalescingTimes(of old: Self) -> Self { self }

        func parts(after old: (content: Word, parts: DocumentParts)?) -> DocumentParts {
            var writer = PartWriter(after: old?.parts)
            writer.value("text", text, old?.content.text)
            return writer.document
        }

        func json(_ envelope: DocumentEnvelope) -> [UInt8]? { nil }
    }

    /// A cache of words, and snapshots of a board.
    private struct Fixture {
        let cache: DocumentCache
        private var board: SampleBoard
        private(set) var snapshot: BoardSnapshot

        init(contents: Int = 8, keys: Int = 4_096) {
            var bounds = DocumentCache.Bounds()
            bounds.bytesMax = contents * 1_000
            bounds.keysMax = keys
            cache = DocumentCache(bounds: bounds)
            board = SampleBoard()
            snapshot = board.snapshot()
        }

        /// Takes a snapshot 100 ms later.
        mutating func advance(_ change: (inout SampleBoard) -> Void = { _ in }) {
            board.wait(.milliseconds(100))
            change(&board)
            snapshot = board.snapshot()
        }

        static func key(_ number: Int) -> DocumentCacheKey {
            var query = MarketListQuery()
            query.offset = number
            return .shared(.marketList(query))
        }

        /// The bytes and the revision of a document whose content is `text`.
        func ask(_ number: Int, _ text: String) -> (bytes: [UInt8], revision: String) {
            let document = edition(number, text).encoded
            return (document.json, document.revision)
        }

        func logged(
            _ number: Int,
            _ text: String
        ) -> (log: ChangeLog, encoded: EncodedDocument) {
            let entry: CachedDocument<Word> = cache.entry(Self.key(number))
            let logged = entry.logged(edition(number, text))
            cache.updateSize(of: entry, Self.key(number))
            return logged
        }

        func edition(_ number: Int, _ text: String) -> CachedDocument<Word>.Edition {
            cache.edition(of: cache.entry(Self.key(number)), epoch: "epoch") { old in
                Production(
                    snapshot: snapshot,
                    content: old?.isOf(snapshot) ?? false ? nil : Word(text: text)
                )
            }
        }
    }

    @Test("a document is produced once per snapshot, and its revision changes with the content")
    func revisions() {
        var fixture = Fixture()
        let first = fixture.ask(1, "a")
        #expect(fixture.ask(1, "ignored") == first)
        fixture.advance()
        #expect(fixture.ask(1, "a") == first)
        fixture.advance()
        let second = fixture.ask(1, "b")
        #expect(second.revision != first.revision)
        fixture.advance()
        let third = fixture.ask(1, "a")
        #expect(Set([first.revision, second.revision, third.revision]).count == 3)
    }

    @Test("a stream continues from any recent answer, not from the newest alone")
    func recentRevisions() throws {
        var fixture = Fixture()
        var revisions: [String] = []
        for word in ["a", "b", "b", "c"] {
            revisions.append(fixture.ask(1, word).revision)
            fixture.advance()
        }
        let (log, document) = fixture.logged(1, "d")
        #expect(document.revision == log.revision.text && !revisions.contains(document.revision))
        for (revision, word) in zip(revisions, ["a", "b", "b", "c"]) {
            let cursor = try #require(log.cursor(revision), "\(word)")
            guard case .patch(let patch) = log.way(from: cursor) else {
                Issue.record("no patch from \(word)")
                continue
            }
            #expect(try OrderedJSON(patch)["patches"]?.elements?.count == 1)
        }
        // The log counts half as much as the content.
        #expect(fixture.cache.size.bytes == 1_500)
    }

    @Test("no stream continues from an answer of long ago or an evicted document")
    func forgottenRevisions() {
        var fixture = Fixture()
        let first = fixture.ask(1, "a").revision
        fixture.advance { $0.wait(.seconds(61)) }
        let second = fixture.ask(1, "b").revision
        let later = fixture.logged(1, "b").log
        #expect(later.cursor(first) == nil && later.cursor(second) != nil)
        for other in 10..<30 { _ = fixture.ask(other, "") }
        fixture.advance()
        let log = fixture.logged(1, "c").log
        #expect(log.cursor(second) == nil && log.way(from: log.revision) == .here)
    }

    @Test("a document that is unchanged when it is asked for again keeps its revision as cursor")
    func unchangedRevision() {
        var fixture = Fixture()
        let first = fixture.ask(1, "a").revision
        fixture.advance()
        let log = fixture.logged(1, "a").log
        #expect(log.revision.text == first && log.way(from: log.revision) == .here)
    }

    @Test("evicted documents that come back unchanged keep revision and bytes")
    func eviction() {
        var fixture = Fixture()
        let first = (0..<100).map { fixture.ask($0, "a\($0)") }
        #expect(fixture.cache.count <= 8 && fixture.cache.size.keys == 100)
        #expect(Set(first.map(\.revision)).count == 100)
        fixture.advance()
        for number in 0..<100 {
            #expect(fixture.ask(number, "a\(number)") == first[number], "\(number)")
        }
        #expect(fixture.cache.count <= 8)
    }

    @Test("an evicted document gets a new revision when it changes and when it changes back")
    func changeWhileEvicted() {
        var fixture = Fixture()
        var revisions = [fixture.ask(1, "a").revision]
        for word in ["b", "a"] {
            for other in 10..<30 { _ = fixture.ask(other, "") }
            fixture.advance()
            revisions.append(fixture.ask(1, word).revision)
        }
        #expect(Set(revisions).count == 3)
    }

    @Test("the least recently used contents are evicted first")
    func leastRecentlyUsed() {
        let fixture = Fixture(contents: 16)
        for number in 0..<16 { _ = fixture.ask(number, "a") }
        _ = fixture.ask(0, "a")
        _ = fixture.ask(16, "a")
        let cached = (0...16).filter {
            fixture.cache.encoded(Fixture.key($0), notBefore: 0) != nil
        }
        // An eighth is evicted at once.
        #expect(cached == [0] + Array(4...16))
    }

    @Test("the number of keys is bounded; removed ones get new revisions")
    func keys() {
        let fixture = Fixture(contents: 1_000, keys: 64)
        let first = fixture.ask(0, "a").revision
        for number in 1..<200 {
            _ = fixture.ask(number, "a")
            #expect(fixture.cache.size.keys <= 64)
        }
        #expect(fixture.ask(0, "a").revision != first)
        #expect(fixture.cache.size.bytes == fixture.cache.count * 1_000)
    }

    @Test("a pinned document is neither counted nor evicted until its last release")
    func pinned() {
        var fixture = Fixture()
        let first = fixture.ask(1, "a")
        let pins: [CachedDocument<Word>] = (0..<2).map { _ in
            fixture.cache.pin(Fixture.key(1))
        }
        #expect(pins[0] === pins[1] && fixture.cache.count == 0)
        for other in 10..<50 { _ = fixture.ask(other, "") }
        #expect(fixture.cache.encoded(Fixture.key(1), notBefore: 0) != nil)
        fixture.cache.unpin(Fixture.key(1))
        for other in 10..<50 { _ = fixture.ask(other, "") }
        #expect(fixture.cache.encoded(Fixture.key(1), notBefore: 0) != nil)
        fixture.cache.unpin(Fixture.key(1))
        for other in 10..<50 { _ = fixture.ask(other, "") }
        #expect(fixture.cache.encoded(Fixture.key(1), notBefore: 0) == nil)
        fixture.advance()
        #expect(fixture.ask(1, "a") == first)
    }

    @Test("a document of another feed is a new revision, evicted or not")
    func source() {
        for evicts in [false, true] {
            var fixture = Fixture()
            let first = fixture.ask(1, "a")
            if evicts { for other in 10..<30 { _ = fixture.ask(other, "") } }
            fixture.advance { $0.apply(.feed(.identified(.replay))) }
            #expect(fixture.ask(1, "a").revision != first.revision)
        }
    }

    @Test("two producers have separate entries for the same query")
    func producers() {
        let fixture = Fixture()
        let documents = (0..<2).map { _ in
            let number = fixture.cache.nextProducer()
            let edition: CachedDocument<Word>.Edition = fixture.cache.edition(
                of: fixture.cache.entry(.user(producer: number, .portfolio(.korean))),
                epoch: "epoch-u1"
            ) { _ in Production(snapshot: fixture.snapshot, content: Word(text: "\(number)")) }
            return edition.encoded
        }
        #expect(documents[0].revision != documents[1].revision)
        #expect(documents[0].tag != documents[1].tag)
    }

    @Test("a reader of the last snapshot does not wait for the next one")
    func oldEdition() {
        var fixture = Fixture()
        let first = fixture.edition(1, "a").encoded
        let cache = fixture.cache
        fixture.advance()
        let snapshot = fixture.snapshot
        let edition: CachedDocument<Word>.Edition = cache.edition(
            of: cache.entry(Fixture.key(1)),
            epoch: "epoch"
        ) { _ in
            #expect(cache.encoded(Fixture.key(1), notBefore: 0)?.document === first)
            #expect(cache.encoded(Fixture.key(1), notBefore: snapshot.sequence) == nil)
            return Production(snapshot: snapshot, content: Word(text: "b"))
        }
        #expect(edition.encoded !== first)
    }
}
