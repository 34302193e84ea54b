import Domain
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("A terminal notifies as its name says that it can, and no text leaves the sequence")
struct NotificationTests {
    @Test(
        "the setting decides, else the terminal's name, and the bell within a multiplexer",
        arguments: [
            (nil, [:], .bell), (nil, ["TERM": "xterm-256color"], .bell),
            (nil, ["TERM": "xterm-kitty"], .osc99),
            (nil, ["TERM": "xterm", "TERM_PROGRAM": "iTerm.app"], .osc9),
            (nil, ["TERM": "xterm", "TERM_PROGRAM": "WezTerm"], .osc9),
            (nil, ["TERM": "xterm-ghostty"], .osc9),
            (nil, ["TERM": "xterm-256color", "WT_SESSION": "1-2"], .osc9),
            (nil, ["TERM": "rxvt-unicode-256color"], .osc777), (nil, ["TERM": "foot"], .osc777),
            (nil, ["TERM": "tmux-256color", "TERM_PROGRAM": "tmux"], .bell),
            (nil, ["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-1/default,1,0"], .bell),
            (nil, ["TERM": "screen.xterm-256color", "WT_SESSION": "1-2"], .bell),
            (.off, ["TERM": "xterm-kitty"], .off), (.osc9, ["TERM": "tmux"], .osc9),
            (.bell, ["TERM": "foot"], .bell),
        ] as [(NotificationMethod?, [String: String], NotificationMethod)]
    )
    func methods(
        wanted: NotificationMethod?,
        environment: [String: String],
        expected: NotificationMethod
    ) {
        #expect(NotificationMethod(wanted: wanted, environment: environment) == expected)
    }

    private func text(
        _ text: String,
        _ method: NotificationMethod,
        isInTmux: Bool = false
    ) -> String {
        String(
            decoding: NotificationSequence.bytes(text, method, isInTmux: isInTmux),
            as: UTF8.self
        )
    }

    @Test("each method has its sequence, which tmux passes on with doubled escapes")
    func sequences() {
        #expect(text("비트코인 1%", .bell) == "\u{7}")
        #expect(text("비트코인 1%", .off) == "")
        #expect(text("비트코인 1%", .osc9) == "\u{1B}]9;hoga: 비트코인 1%\u{1B}\\")
        #expect(text("a;b", .osc777) == "\u{1B}]777;notify;hoga;a;b\u{1B}\\")
        #expect(text("Man", .osc99) == "\u{1B}]99;e=1;aG9nYTogTWFu\u{1B}\\")
        #expect(
            text("a", .osc9, isInTmux: true)
                == "\u{1B}Ptmux;\u{1B}\u{1B}]9;hoga: a\u{1B}\u{1B}\\\u{1B}\\"
        )
        #expect(text("a", .bell, isInTmux: true) == "\u{7}")
    }

    @Test("no text contains what ends or begins a sequence", arguments: NotificationMethod.allCases)
    func hostile(method: NotificationMethod) {
        var generator = SeededGenerator(seed: 9)
        let hostile: [Unicode.Scalar] = [
            "\u{1B}", "\u{7}", "\u{9C}", "\u{9D}", "\u{0}", "\n", "\r", "\\", "]", "\u{7F}",
            "\u{202E}", "\u{2028}", "가", "a",
        ]
        let plain = text("", method).unicodeScalars.count { $0.value < 32 }
        for _ in 0..<500 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<20 { scalars.append(hostile.randomElement(using: &generator) ?? "a") }
            let sent = text(String(scalars), method).unicodeScalars
            #expect(sent.count { $0.value < 32 } == plain)
            #expect(!sent.contains { (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}" })
        }
    }

    @Test("a long text is cut")
    func length() {
        let sent = text(String(repeating: "가", count: 10_000), .osc9)
        #expect(sent.filter { $0 == "가" }.count == NotificationSequence.charactersMax)
    }
}
