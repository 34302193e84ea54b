import Foundation
import PresentationTerminal
import TestSupport
import Testing

@Suite("Pasting any bytes", .timeLimit(.minutes(4)))
struct TerminalPasteTests {
    /// Texts that users paste, and bytes that no terminal should, by name.
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

    /// Pastes where keys are commands and where they are text, and expects hoga to hear keys after.
    private static func paste(
        _ bytes: [UInt8],
        isMarked: Bool,
        in terminal: some TestTerminal
    ) async throws {
        for key in [nil, "/", "?"] {
            if let key { try terminal.type(key) }
            try terminal.paste(bytes: bytes, isMarked: isMarked)
            for _ in 0..<5 { try terminal.press(.escape) }
            // Esc and a letter in one reading are Alt and that letter, which is not bound.
            try terminal.type("\u{1D}/리플")
            try await terminal.screen("a search") { $0.contains("/리플") }
            try terminal.press(.escape)
        }
    }

    private static func pasteInProcess(_ bytes: [UInt8], isMarked: Bool) async throws {
        try await PausedExchange.run { exchange in
            try await InProcessTerminal.watch(exchange.arguments) { terminal in
                try await terminal.list()
                try await paste(bytes, isMarked: isMarked, in: terminal)
                for _ in 0..<5 { terminal.press(.escape) }
                terminal.press(.character("q"))
                #expect(try await terminal.ended() == "exit status 0")
            }
        }
    }

    @Test("a marked paste ends no program", arguments: texts.keys.sorted())
    func marked(name: String) async throws {
        try await Self.pasteInProcess(try #require(Self.texts[name]), isMarked: true)
    }

    @Test(
        "a paste without marks ends no program",
        arguments: ["한글", "sequences", "broken", "hundred kilobytes"]
    )
    func unmarked(name: String) async throws {
        try await Self.pasteInProcess(try #require(Self.texts[name]), isMarked: false)
    }

    @Test("random bytes end no program", arguments: [21, 22, 23] as [UInt64], [true, false])
    func random(seed: UInt64, isMarked: Bool) async throws {
        var random = SeededGenerator(seed: seed)
        // Without marks each byte is a key: those that end or suspend hoga are left out.
        let left: Set<UInt8> = [0x03, 0x1A, UInt8(ascii: "q")]
        let bytes = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            .filter { isMarked || !left.contains($0) }
        try await Self.pasteInProcess(bytes, isMarked: isMarked)
    }

    @Test(
        "the shell of a real terminal receives nothing of a paste",
        arguments: [("lines", true), ("sequences", true), ("hundred kilobytes", false)]
    )
    func tmux(name: String, isMarked: Bool) async throws {
        try await PausedExchange.run { exchange in
            let window = try await TmuxTerminal()
            try await window.watch(exchange.arguments)
            let bytes = try #require(Self.texts[name])
            try await Self.paste(bytes, isMarked: isMarked, in: window)
            try await window.quit()
            #expect(!FileManager.default.fileExists(atPath: window.home + "/ran"))
        }
    }
}
