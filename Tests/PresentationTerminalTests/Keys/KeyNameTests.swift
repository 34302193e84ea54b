import Domain
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Key names are read as they are printed")
struct KeyNameTests {
    @Test("Every named key parses from its printed name in any case")
    func named() throws {
        for key in Key.named {
            #expect(try Key(name: key.name) == key)
            #expect(try Key(name: key.name.lowercased()) == key)
            #expect(try Key(name: key.name.uppercased()) == key)
        }
        #expect(Set(Key.named.map(\.name)).count == Key.named.count)
    }

    @Test("Every text that parses prints as a name of the same key", arguments: 0..<200)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let value = UInt32.random(in: 0...(seed % 2 == 0 ? 0x7F : 0x1_FFFF), using: &generator)
            guard let scalar = Unicode.Scalar(value) else { continue }
            guard let key = try? Key(name: String(scalar)) else { continue }
            #expect(key == .character(scalar))
            #expect(try Key(name: key.name) == key)
        }
    }

    @Test("Case matters for characters", arguments: ["f", "F", "?", "ㄹ", "가", "+", "1", "é"])
    func characters(name: String) throws {
        let scalar = try #require(name.unicodeScalars.first)
        #expect(try Key(name: name) == .character(scalar))
    }

    @Test(
        "An unknown key is refused with similar names",
        arguments: [
            ("", []), (" ", []), ("\n", []), ("\u{1B}", []), ("\u{301}", []), ("\u{200B}", []),
            ("ff", []), ("F13", ["F1"]), ("Escp", ["Esc"]), ("PgeUp", ["PageUp"]),
            ("Ctrl+ㅊ", []), ("Ctrl+Upp", ["Ctrl+Up"]),
        ] as [(String, [String])]
    )
    func unknown(name: String, near: [String]) {
        let error = #expect(throws: Key.NameError.self) { try Key(name: name) }
        guard case .unknown(let nearest) = error else {
            Issue.record("\(name) is \(String(describing: error))")
            return
        }
        for name in near { #expect(nearest.contains(name), "\(nearest)") }
        #expect(nearest.count <= 3)
    }

    @Test(
        "Keys that terminals send as others name those",
        arguments: [
            ("Ctrl+H", Key.backspace), ("ctrl+i", .tab), ("Ctrl+J", .enter), ("Ctrl+M", .enter),
        ]
    )
    func same(name: String, key: Key) {
        #expect(throws: Key.NameError.same(as: key)) { try Key(name: name) }
    }

    @Test("A text too different from all names gets no suggestions")
    func long() {
        let text = String(repeating: "x", count: 10_000)
        #expect(SpellingSuggestions.of(text, among: [text]).isEmpty)
    }
}
