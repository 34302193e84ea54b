import Testing
import TestSupport

@testable import PresentationTerminal

@Suite("Terminal bytes decode into keys")
struct KeyDecoderTests {
    private static func units(_ text: String) -> [InputUnit] { text.utf8.map { .byte($0) } }

    private static func keys(_ text: String) -> [InputEvent] {
        text.unicodeScalars.map { .key(.character($0)) }
    }

    @Test(
        "Byte sequences and their keys",
        arguments: [
            ("qS?", keys("qS?")), ("비트ㅋ", keys("비트ㅋ")), ("🚀é", keys("🚀é")),
            ("\r", [.key(.enter)]), ("\n", [.key(.enter)]), ("\t", [.key(.tab)]),
            ("\u{7F}\u{8}", [.key(.backspace), .key(.backspace)]),
            ("\u{3}\u{6}\u{1A}", [.key(.control("c")), .key(.control("f")), .key(.control("z"))]),
            ("\u{0}\u{1C}\u{1F}", []), ("\u{85}", []),
            // Esc alone, twice, and as Alt before a key.
            ("\u{1B}", [.key(.escape)]), ("\u{1B}\u{1B}", [.key(.escape), .key(.escape)]),
            ("\u{1B}q", [.key(.escape), .key(.character("q"))]),
            // Unknown sequences: a focus report, a key with modifiers, replies.
            ("\u{1B}[I", []), ("\u{1B}[1;5Aq", keys("q")),
            ("\u{1B}OQj", keys("j")), ("\u{1B}]11;rgb:0000/0000/0000\u{7}k", keys("k")),
            ("\u{1B}]11;rgb:0/0/0\u{1B}\\k", keys("k")), ("\u{1B}P1+r\u{1B}\\", []),
            // A string that never ends swallows no more than up to the next Esc.
            ("\u{1B}Pq\u{1B}\u{1B}/k", [.key(.escape), .key(.escape)] + keys("/k")),
            ("\u{1B}]11;\u{1B}[Iq", keys("q")),
            ("\u{1B}[12", []), ("\u{1B}[1\u{1B}[Bx", keys("x")),
        ] as [(String, [InputEvent])]
    )
    func decode(text: String, expected: [InputEvent]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Self.units(text)) == expected)
        #expect(decoder.decode(Self.units("z")) == Self.keys("z"))
    }

    @Test("A syllable may arrive in parts", arguments: 0...3)
    func pieces(cut: Int) {
        var decoder = KeyDecoder()
        let units = Self.units("가")
        let first = decoder.decode(Array(units.prefix(cut)))
        #expect(first + decoder.decode(Array(units.dropFirst(cut))) == Self.keys("가"))
    }

    @Test(
        "Invalid UTF-8 is dropped, and the next character is intact",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x80], [0xEA, 0xB0], [0xF0, 0x9F], [0xE9],
        ] as [[UInt8]]
    )
    func invalid(bytes: [UInt8]) {
        var decoder = KeyDecoder()
        let events = decoder.decode(bytes.map { .byte($0) } + Self.units("b가"))
        #expect(events == Self.keys("b가"))
    }

    @Test("Keys from terminfo pass through")
    func namedKeys() {
        var decoder = KeyDecoder()
        let events = decoder.decode([.key(.up), .byte(0x6A), .key(.pageDown)])
        #expect(events == [.key(.up), .key(.character("j")), .key(.pageDown)])
    }

    @Test("Pasted text is one event in any chunking")
    func paste() {
        var decoder = KeyDecoder()
        let first = decoder.decode([.pasteBegin] + Self.units("비트q\r\u{1B}[A"))
        #expect(first.isEmpty)
        #expect(decoder.isPasting)
        let second = decoder.decode([.key(.up)] + Self.units("\u{3}코") + [.pasteEnd, .byte(0x71)])
        #expect(second == [.paste("비트q\r\u{3}코"), .key(.character("q"))])
        #expect(!decoder.isPasting)
    }

    @Test("An empty paste and a lone end marker are ignored")
    func emptyPaste() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([.pasteBegin, .pasteEnd, .pasteEnd]).isEmpty)
        #expect(decoder.decode(Self.units("a")) == Self.keys("a"))
    }

    @Test("A paste is bounded and can be abandoned")
    func pasteBound() {
        var decoder = KeyDecoder()
        let much = String(repeating: "가", count: KeyDecoder.pasteScalarsMax + 500)
        #expect(decoder.decode([.pasteBegin] + Self.units(much)).isEmpty)
        let kept = String(much.prefix(KeyDecoder.pasteScalarsMax))
        #expect(decoder.abandonPaste() == [.paste(kept)])
        #expect(decoder.abandonPaste().isEmpty)
        #expect(decoder.decode(Self.units("q")) == Self.keys("q"))
    }

    @Test("Random bytes never fail, and later keys still decode", arguments: 0..<200)
    func garbage(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var decoder = KeyDecoder()
        for _ in 0..<20 {
            let count = Int.random(in: 0...30, using: &generator)
            let units: [InputUnit] = (0..<count).map { _ in
                switch Int.random(in: 0..<20, using: &generator) {
                case 0: .pasteBegin
                case 1: .pasteEnd
                case 2: .key(.down)
                case 3: .byte(0x1B)
                default: .byte(UInt8.random(in: 0...255, using: &generator))
                }
            }
            for case .key(.character(let scalar)) in decoder.decode(units) {
                #expect(scalar.properties.generalCategory != .control)
            }
        }
        _ = decoder.abandonPaste()
        // The first byte may still complete an interrupted character.
        _ = decoder.decode(Self.units("."))
        #expect(decoder.decode(Self.units("j가")) == Self.keys("j가"))
    }
}
