import Foundation
import TestSupport
import Testing

@Suite("Whatever is pasted, hoga lives and the shell gets nothing of it", .timeLimit(.minutes(15)))
struct TerminalPasteTests {
    /// What somebody may paste, by a name.
    private static let texts: [String: [UInt8]] = [
        "한글": Array(String(repeating: "비트코인 이더리움\n", count: 100).utf8),
        "lines": Array(String(repeating: "\ntouch \"$XDG_DATA_HOME/ran\"\r\n", count: 200).utf8),
        "sequences": Array(
            String(
                repeating:
                    "\u{1B}[A\u{1B}OB\u{1B}[<0;3;4M\u{1B}]11;rgb:1/2/3\u{7}\u{1B}[?1049l\u{1B}c"
                    + "\u{1B}[M !!\u{1B}P1$r\u{1B}\\\u{1B}[1;5A\u{1B}[\u{1B}",
                count: 50
            ).utf8
        ),
        "broken": (0..<500).flatMap { _ in [0xED, 0x95, 0x20, 0xFF, 0xC0, 0x80, 0xF4, 0xEA, 0xB0] },
        "hundred kilobytes": Array(String(repeating: "0123456789", count: 10_000).utf8),
    ]

    /// Pastes where keys are commands, and where they are text.
    private func paste(_ bytes: [UInt8], isMarked: Bool) async throws {
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            for place in ["", "/", "?"] {
                if !place.isEmpty { try window.type(place) }
                try window.paste(bytes: bytes, isMarked: isMarked)
                for _ in 0..<5 { try window.press("Escape") }
                // It hears keys: the search is opened, and closed. What comes at once behind Esc is
                // one key with it, as terminals send Alt: that is one that nobody has bound.
                try window.type("\u{1D}/리플")
                try await window.picture("a search") { $0.contains("/리플") }
                try window.press("Escape")
            }
            try await window.quit()
            #expect(!FileManager.default.fileExists(atPath: window.home + "/ran"))
        }
    }

    @Test("Marked as a paste", arguments: texts.keys.sorted())
    func marked(name: String) async throws {
        try await paste(try #require(Self.texts[name]), isMarked: true)
    }

    @Test(
        "By a terminal that does not mark it",
        arguments: ["한글", "sequences", "broken", "hundred kilobytes"]
    )
    func unmarked(name: String) async throws {
        try await paste(try #require(Self.texts[name]), isMarked: false)
    }

    @Test("Any bytes", arguments: [21, 22, 23] as [UInt64], [true, false])
    func random(seed: UInt64, isMarked: Bool) async throws {
        var random = SeededGenerator(seed: seed)
        // Unmarked, every byte is a key; those that end or stop it are left out.
        let left: Set<UInt8> = [0x03, 0x1A, UInt8(ascii: "q")]
        let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            .filter { isMarked || !left.contains($0) }
        try await paste(bytes, isMarked: isMarked)
    }
}
