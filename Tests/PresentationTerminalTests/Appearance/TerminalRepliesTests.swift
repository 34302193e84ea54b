import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("Terminal replies are separated from typed input")
struct TerminalRepliesTests {
    private func units(_ text: String) -> [InputUnit] { text.utf8.map { .byte($0) } }

    private func asked() -> TerminalReplies {
        var replies = TerminalReplies()
        replies.expect()
        return replies
    }

    @Test(
        "A color reply is light or dark in every digit count and terminator",
        arguments: [
            ("rgb:ffff/ffff/ffff\u{1B}\\", TerminalBackground.light),
            ("rgb:0000/0000/0000\u{1B}\\", .dark), ("rgb:ff/ff/ff\u{7}", .light),
            ("rgb:f/f/f\u{7}", .light), ("rgb:1e1e/1e1e/1e1e\u{7}", .dark),
            ("rgb:fdfd/f6f6/e3e3\u{1B}\\", .light), ("rgb:0000/2b2b/3636\u{1B}\\", .dark),
            ("rgba:eee/eee/eee/fff\u{7}", .light), ("rgb:0000/0000/ffff\u{7}", .dark),
            ("rgb:0000/ffff/0000\u{7}", .light),
        ]
    )
    func colors(text: String, background: TerminalBackground) {
        var replies = asked()
        #expect(replies.taken(from: units("\u{1B}]11;" + text + "\u{1B}[?62;22c")).isEmpty)
        #expect(replies.background == background)
        #expect(!replies.isAwaited)
    }

    @Test(
        "A reply without a color is removed and reports no background",
        arguments: [
            "", "?", "rgb:", "rgb:12/34", "rgb:12345/0/0", "rgb:x/y/z", "#ffffff", "rgb:-1/0/0",
        ]
    )
    func nonsense(text: String) {
        var replies = asked()
        #expect(replies.taken(from: units("\u{1B}]11;\(text)\u{7}\u{1B}[?1;2c")).isEmpty)
        #expect(replies.background == nil && !replies.isAwaited)
    }

    @Test("Replies split anywhere between typed bytes are removed without losing input")
    func pieces() {
        let answer = units("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?64;1;2c")
        for cut in 3..<answer.count {
            // A piece that ends in Esc alone, or Esc and a bracket, may be a key.
            let before = Array(answer[..<cut])
            if before.suffix(1) == [.byte(0x1B)] || before.suffix(2).first == .byte(0x1B) {
                continue
            }
            var replies = asked()
            var typed = replies.taken(from: units("qq") + [.key(.up)] + before)
            typed += replies.taken(from: Array(answer[cut...]) + units("한\u{1B}"))
            #expect(typed == units("qq") + [.key(.up)] + units("한\u{1B}"), "\(cut)")
            #expect(replies.background == .light)
        }
    }

    @Test(
        "Typed input is not held back",
        arguments: [
            "\u{1B}", "\u{1B}[", "\u{1B}]", "1\u{1B}", "\u{1B}\u{1B}", "\u{1B}[A",
            "\u{1B}]0;x\u{7}",
        ]
    )
    func typed(text: String) {
        var replies = asked()
        #expect(replies.taken(from: units(text)) == units(text))
    }

    @Test("Nothing is removed before a query or after the last reply")
    func closed() {
        let answer = units("\u{1B}]11;rgb:f/f/f\u{7}\u{1B}[?1c")
        var unasked = TerminalReplies()
        #expect(unasked.taken(from: answer) == answer)
        var replies = asked()
        #expect(replies.taken(from: answer).isEmpty)
        #expect(replies.taken(from: answer) == answer)
    }

    @Test("Random input keeps the buffer bounded, and a key flushes it", arguments: 0..<200)
    func bounded(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = ["\u{1B}", "]", "[", "?", "1", "11;", "rgb:", "/", "c", "\u{7}", "\\", "ff"]
        var replies = asked()
        var sent = 0
        var kept = 0
        for _ in 0..<200 {
            let text = pieces.randomElement(using: &generator) ?? ""
            sent += text.utf8.count
            kept += replies.taken(from: units(text)).count
        }
        let flushed = replies.taken(from: [.key(.up)])
        #expect(flushed.last == .key(.up))
        #expect(flushed.count <= 65)
        #expect(kept + flushed.count - 1 <= sent)
    }

    @Test(
        "COLORFGBG gives the background by its last field",
        arguments: [
            ("0;15", TerminalBackground.light), ("15;0", .dark), ("12;default;7", .light),
            ("15;8", .dark), ("0;default", nil), ("", nil), ("x", nil), ("0;16", nil),
        ] as [(String, TerminalBackground?)]
    )
    func environment(text: String, background: TerminalBackground?) {
        #expect(TerminalBackground(environment: ["COLORFGBG": text]) == background)
        #expect(TerminalBackground(environment: [:]) == nil)
    }
}
