import Testing

@testable import HTTPServer

@Suite("The heads that may come again have places, of which there are so many")
struct RequestHeadCacheTests {
    private static let address = NetworkAddress(127, 0, 0, 1)

    private func known(_ number: Int) throws -> KnownHead {
        let bytes = Array("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        var reader = HeadReader()
        let head = reader.read(bytes, from: Self.address)
        return KnownHead(try #require(head), of: bytes, from: Self.address)
    }

    @Test("The newest keep their places wherever their hashes lead; each has one")
    func newest() throws {
        var table = RequestHeadCache()
        var heads: [KnownHead] = []
        for number in 0..<8 * RequestHeadCache.placesMax {
            let head = try known(number)
            head.head.request?.memory.remember(Note("text"))
            heads.append(head)
            table.keep(head)
            for head in heads.suffix(RequestHeadCache.rowLength) {
                #expect(head.isListed && head.head.request?.memory.answer != nil)
                #expect(table.head(of: head.bytes, from: Self.address) === head)
            }
        }
        // A connection may hold one that had lost its place when another asked the same.
        let first = heads[0]
        let again = try known(0)
        #expect(!first.isListed)
        for head in [again, first, again, first] { table.keep(head) }
        #expect(first.isListed && !again.isListed)
        #expect(table.head(of: first.bytes, from: Self.address) === first)
        #expect(heads.count { $0.isListed } <= RequestHeadCache.placesMax)
    }

    @Test("What is over is forgotten, and so is what a full table has no place for")
    func bounds() throws {
        let address = Self.address
        var table = RequestHeadCache()
        let heads = try (0..<4 * RequestHeadCache.placesMax).map(known)
        let notes = heads.map { _ in Note("text") }
        for (head, note) in zip(heads, notes) {
            head.head.request?.memory.remember(note)
            table.keep(head)
        }
        func kept() -> [Int] {
            heads.indices.filter { heads[$0].head.request?.memory.answer != nil }
        }
        let before = kept()
        #expect(
            before.count <= RequestHeadCache.placesMax
                && before.count > RequestHeadCache.placesMax / 2
        )
        #expect(before.last == heads.count - 1)
        for number in before {
            #expect(table.head(of: heads[number].bytes, from: address) === heads[number])
            #expect(table.head(of: heads[number].bytes, from: NetworkAddress(1, 2, 3, 4)) == nil)
        }
        for note in notes.enumerated() where note.offset.isMultiple(of: 2) {
            note.element.finish()
        }
        table.forgetOver()
        #expect(kept() == before.filter { !$0.isMultiple(of: 2) })
    }
}
