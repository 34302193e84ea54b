import TestSupport
import Testing

@testable import Domain
@testable import ViewStates

@Suite("A shelf keeps few documents whole, and knows many again")
struct DocumentCacheTests {
    /// A document that is one word.
    private struct Word: DocumentContent {
        static let schemaName = "word"
        static let schemaVersion = 1
        let text: String

        func coalescingTimes(of old: Self) -> Self { self }

        func pieces(after old: (content: Word, pieces: DocumentParts)?) -> DocumentParts {
            preconditionFailure("It is written whole.")
        }

        func json(_ envelope: DocumentEnvelope) -> [UInt8]? {
            Array("\(envelope.revision.text) \(envelope.asOf.microseconds) \(text)".utf8)
        }
    }

    private typealias Shelf = DocumentCache<Int, Word, Void>
    private typealias Forgotten = EvictedRevisions<Int>

    private static let keptMax = 3

    private static func shelf() -> Shelf {
        Shelf(
            epoch: "epoch",
            counter: RevisionCounter(),
            bounds: .init(queriesMax: keptMax, weightMax: .max, weight: { _ in 1 })
        )
    }

    /// Boards of which each is cut later than the one before.
    private struct Cuts {
        private var board = SampleBoard()

        mutating func next() -> BoardSnapshot {
            board.wait(.milliseconds(100))
            return board.cut()
        }
    }

    private static func ask(
        _ shelf: inout Shelf,
        _ query: Int,
        _ text: String,
        _ cut: BoardSnapshot
    ) -> Shelf.Entry {
        shelf.entry(.query(query), .init(cut: cut), .bytes) { _ in (Word(text: text), ()) }
    }

    @Test("No more are kept than may be, and one that was given up comes back as it was")
    func knownAgain() {
        var shelf = Self.shelf()
        var cuts = Cuts()
        let cut = cuts.next()
        let first = (0..<100).map { Self.ask(&shelf, $0, "a\($0)", cut).encoded }
        #expect(shelf.count == Self.keptMax)
        #expect(Set(first.map(\.revision)).count == 100)
        let later = cuts.next()
        for query in 0..<100 {
            let again = Self.ask(&shelf, query, "a\(query)", later).encoded
            #expect(again == first[query], "\(query)")
        }
        #expect(shelf.count == Self.keptMax)
    }

    @Test("One that says something else meanwhile has a new revision, and so has the old word then")
    func changed() {
        var shelf = Self.shelf()
        var cuts = Cuts()
        let cut = cuts.next()
        func giveUp(_ shelf: inout Shelf, _ cut: BoardSnapshot) {
            for other in 10..<20 { _ = Self.ask(&shelf, other, "", cut) }
        }
        var revisions = [Self.ask(&shelf, 1, "a", cut).encoded.revision]
        for word in ["b", "a"] {
            giveUp(&shelf, cut)
            revisions.append(Self.ask(&shelf, 1, word, cuts.next()).encoded.revision)
        }
        #expect(Set(revisions).count == 3)
    }

    @Test("One that is followed is known again, too, and afterwards as well")
    func followed() {
        var shelf = Self.shelf()
        var cuts = Cuts()
        let cut = cuts.next()
        let first = Self.ask(&shelf, 1, "a", cut).encoded
        for other in 10..<20 { _ = Self.ask(&shelf, other, "", cut) }
        let place = shelf.pin(1)
        let pinned = shelf.entry(.pin(place), .init(cut: cuts.next()), .bytes) { _ in
            (Word(text: "a"), ())
        }
        #expect(pinned.encoded == first)
        shelf.unpin(place)
        for other in 10..<20 { _ = Self.ask(&shelf, other, "", cut) }
        #expect(Self.ask(&shelf, 1, "a", cuts.next()).encoded == first)
    }

    @Test("Of those that are known again the oldest are given up")
    func bound() throws {
        var forgotten = Forgotten()
        let source = SourceViewState(.live)
        func envelope(_ number: Int) -> DocumentEnvelope {
            DocumentEnvelope(
                revision: DocumentRevision(epoch: "epoch", counter: UInt64(number)),
                asOf: SampleBoard.start,
                source: source
            )
        }
        func word(_ number: Int, _ envelope: DocumentEnvelope) -> [UInt8] {
            Word(text: "\(number)").json(envelope) ?? []
        }
        let count = Forgotten.documentsMax + 1
        for number in 0..<count {
            forgotten.put(number, envelope(number), word(number, envelope(number)))
        }
        let known = (0..<count).filter { number in
            forgotten.take(number, source) { word(number, $0) }?.envelope.revision.counter
                == UInt64(number)
        }
        #expect(known.count <= Forgotten.documentsMax)
        #expect(known == Array((count - known.count)..<count))
        #expect(known.count >= Forgotten.documentsMax / 2)
    }

    @Test("A document of another source is another one")
    func source() {
        var forgotten = Forgotten()
        let envelope = DocumentEnvelope(
            revision: DocumentRevision(epoch: "epoch", counter: 1),
            asOf: SampleBoard.start,
            source: SourceViewState(.live)
        )
        forgotten.put(1, envelope, [7])
        #expect(forgotten.take(1, SourceViewState(.replay)) { _ in [7] } == nil)
    }
}
