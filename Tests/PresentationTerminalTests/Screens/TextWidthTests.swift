import Glibc
import Testing
import TestSupport

@testable import PresentationTerminal

@Suite("Text widths equal those of a terminal")
struct TextWidthTests {
    @Test(
        "Columns of texts",
        arguments: [
            ("", 0), ("BTC/KRW", 7), (" ~", 2),
            // Hangul: syllables, compatibility jamo, and the same syllable out of conjoining jamo.
            ("비트코인", 8), ("ㅂㅌㅋ", 6), ("\u{1112}\u{1161}\u{11AB}", 2), ("\u{1100}", 2),
            ("\u{1100}\u{1161}\u{1102}\u{1161}", 4), ("\u{AC00}\u{11A8}", 2), ("1인치 A", 7),
            // Marks: composed, decomposed, a stack of them.
            ("é", 1), ("e\u{301}", 1), ("e\u{301}\u{302}\u{303}", 1),
            // Emoji: plain, with a skin, a family, a flag, a keycap, by variation.
            ("🚀", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇰🇷", 2), ("1️⃣", 2), ("❤️", 2), ("❤", 1),
            // Wide and fullwidth, ambiguous and halfwidth.
            ("漢字", 4), ("ＡＢ", 4), ("￦", 2), ("₩", 1), ("ｱ", 1), ("▲▼●○…›─│", 8),
            // Characters of several cells.
            ("क", 1), ("कि", 2),
            // Controls are replaced, hints to a typesetter are not there.
            ("\u{1B}[31m", 5), ("a\tb", 3), ("\r\n", 1), ("\u{202E}a", 2), ("a\u{200B}b", 2),
            ("\u{FEFF}", 0), ("\u{E000}", 1),
            // A mark without a base is dropped.
            ("\u{301}", 0), ("\u{1161}", 0), ("🇰", 1),
        ]
    )
    func columns(text: String, expected: Int) {
        #expect(TextWidth.columns(text) == expected)
    }

    @Test(
        "Truncation ends in an ellipsis, never in half a character",
        arguments: [
            ("비트코인", 8, "비트코인"), ("비트코인", 7, "비트코…"), ("비트코인", 6, "비트…"),
            ("비트코인", 2, "…"), ("비트코인", 1, "…"), ("비트코인", 0, ""), ("BTC", -1, ""),
            ("Bitcoin", 4, "Bit…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"),
        ]
    )
    func truncated(text: String, columns: Int, expected: String) {
        #expect(TextWidth.truncated(text, to: columns) == expected)
    }

    @Test(
        "Padding is opposite to the alignment",
        arguments: [
            ("가", 4, "가  ", "  가"), ("가나다", 4, "가… ", " 가…"), ("ab", 2, "ab", "ab"),
            ("", 3, "   ", "   "), ("x", 0, "", ""),
        ]
    )
    func padded(text: String, columns: Int, leading: String, trailing: String) {
        #expect(TextWidth.leading(text, in: columns) == leading)
        #expect(TextWidth.trailing(text, in: columns) == trailing)
    }

    @Test(
        "Input fields keep the end of a text visible",
        arguments: [
            ("비트코인", 8, "비트코인"), ("비트코인", 7, "…트코인"), ("비트코인", 6, "…코인"),
            ("비트코인", 1, "…"), ("비트코인", 0, ""), ("", 0, ""),
        ]
    )
    func end(text: String, columns: Int, expected: String) {
        #expect(TextWidth.end(of: text, in: columns) == expected)
    }

    @Test(
        "Lines wrap at spaces, and within a word only if necessary",
        arguments: [
            ("가나 다라 마", 5, ["가나", "다라", "마"]), ("가나 다라 마", 12, ["가나 다라 마"]),
            ("abcdef gh", 3, ["abc", "def", "gh"]), ("가나다", 3, ["가", "나", "다"]),
            ("가나", 1, ["…"]), ("", 5, []), ("\u{1100}\u{1100}", 2, ["\u{1100}\u{1100}"]),
        ]
    )
    func wrapped(text: String, columns: Int, expected: [String]) {
        #expect(TextWidth.wrapped(text, to: columns) == expected)
    }

    @Test("Truncated and padded texts have the exact width", arguments: 0..<200)
    func paddedWidth(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = RandomText.make(length: Int.random(in: 0...12, using: &generator), &generator)
        for columns in 0...20 {
            #expect(TextWidth.columns(TextWidth.leading(text, in: columns)) == columns)
            #expect(TextWidth.columns(TextWidth.trailing(text, in: columns)) == columns)
            #expect(TextWidth.columns(TextWidth.end(of: text, in: columns)) <= columns)
            #expect(TextWidth.columns(TextWidth.truncated(text, to: columns)) <= columns)
        }
    }

    @Test(
        "The C library gives the same widths in every script of the list",
        arguments: [
            0x20...0x7E, 0xA1...0xAC, 0xAE...0xFF, 0x1100...0x11FF, 0x2010...0x2027,
            0x2190...0x21FF, 0x2500...0x25FF, 0x2800...0x28FF, 0x3001...0x303E, 0x3131...0x318E,
            0xAC00...0xD7A3, 0x4E00...0x9FA5, 0xFF01...0xFFBE,
        ] as [ClosedRange<UInt32>]
    )
    func agreesWithLibrary(range: ClosedRange<UInt32>) throws {
        guard let locale = unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else {
            Issue.record("the C library has no C.UTF-8")
            return
        }
        defer { unsafe freelocale(locale) }
        let former = unsafe uselocale(locale)
        defer { _ = unsafe uselocale(former) }
        // Glibc's module leaves this function of X/Open out.
        guard let symbol = unsafe dlsym(nil, "wcwidth") else {
            Issue.record("the C library has no wcwidth")
            return
        }
        typealias Width = @convention(c) (wchar_t) -> Int32
        let wcwidth = unsafe unsafeBitCast(symbol, to: Width.self)
        for value in range {
            let scalar = try #require(Unicode.Scalar(value))
            let expected: Int32? =
                switch ScalarWidth.of(scalar) {
                case .narrow: 1
                case .wide: 2
                case .mark: 0
                case .invisible, .replaced: nil
                }
            guard let expected else { continue }
            #expect(wcwidth(wchar_t(value)) == expected, "U+\(String(value, radix: 16))")
        }
    }
}
