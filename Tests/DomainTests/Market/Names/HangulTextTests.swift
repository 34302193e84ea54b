import Testing

@testable import Domain

@Suite("Hangul composition follows Unicode")
struct HangulTextTests {
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)

    /// The canonical decomposition of a syllable, from the tables of the Unicode standard, 3.12.
    private static func letters(of index: UInt32) -> [Unicode.Scalar] {
        let tail = index % 28
        return [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + tail]
            .dropLast(tail == 0 ? 1 : 0).compactMap(Unicode.Scalar.init)
    }

    @Test("every syllable is composed from its letters and has its initial consonant")
    func everySyllable() throws {
        for index in 0..<UInt32(11_172) {
            let syllable = try #require(Unicode.Scalar(0xAC00 + index))
            let letters = Self.letters(of: index)
            // The standard library decomposes for comparison, an independent check.
            if HangulText.composed(letters) != [syllable]
                || String(String.UnicodeScalarView(letters)) != String(syllable)
                || HangulText.initialConsonant(of: syllable) != Self.initials[Int(index / 588)]
            {
                Issue.record("syllable \(index) is not composed of its letters")
                return
            }
        }
    }

    @Test(
        "composition within a text leaves the rest unchanged",
        arguments: [
            ("", ""), ("abc", "abc"), ("ㅂㅌㅋ", "ㅂㅌㅋ"), ("비트코인", "비트코인"),
            ("\u{1107}\u{1175}\u{1110}\u{1173}", "비트"), ("x\u{1112}\u{1161}\u{11AB}y", "x한y"),
            ("하\u{11AB}", "한"), ("한\u{11AB}", "한\u{11AB}"), ("\u{1161}", "\u{1161}"),
            ("\u{1100}\u{1100}\u{1161}", "\u{1100}가"), ("가\u{11A7}", "가\u{11A7}"),
            ("가\u{1161}", "가\u{1161}"),
        ]
    )
    func composing(text: String, expected: String) {
        let composed = HangulText.composed(text.unicodeScalars)
        #expect(composed == Array(expected.unicodeScalars))
    }

    @Test(
        "other characters have no initial consonant",
        arguments: ["a", "1", "ㅂ", "\u{1107}", "\u{ABFF}", "\u{D7A4}"] as [Unicode.Scalar]
    )
    func others(scalar: Unicode.Scalar) {
        #expect(HangulText.initialConsonant(of: scalar) == nil)
    }

    @Test("joined consonants are split")
    func clusters() {
        #expect(HangulText.consonants(of: "ㅄ") == ["ㅂ", "ㅅ"])
        #expect(HangulText.consonants(of: "ㄳ") == ["ㄱ", "ㅅ"])
        #expect(HangulText.consonants(of: "\u{1107}") == ["ㅂ"])
        // A doubled consonant is an initial consonant of its own.
        #expect(HangulText.consonants(of: "ㅃ") == ["ㅃ"])
        #expect(HangulText.consonants(of: "비") == ["비"])
        #expect(HangulText.consonants(of: "b") == ["b"])
    }
}
