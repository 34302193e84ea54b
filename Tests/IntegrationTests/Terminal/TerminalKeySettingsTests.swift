import Foundation
import Testing

@Suite("Key settings in a terminal", .timeLimit(.minutes(4)))
struct TerminalKeySettingsTests {
    /// Writes a window's configuration.
    private static func configure(_ window: TmuxTerminal, _ keys: String) throws {
        let folder = window.home + "/hoga"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        try "{\"keys\": {\(keys)}}".write(
            toFile: folder + "/config.json",
            atomically: true,
            encoding: .utf8
        )
    }

    @Test("configured keys work, are shown on the screen, and replace the standard keys")
    func chosen() async throws {
        let window = try await TmuxTerminal()
        try Self.configure(
            window,
            #"""
            "list.sort": "F5", "search.begin": ["F", "Insert"], "favorite.pin": [], \#
            "rows.down": ["n", "Ctrl+N", "Down"], "page.assets": "F2", "quit": ["Q", "Ctrl+X"], \#
            "form.cancel": ["F9", "Esc"]
            """#
        )
        try window.run("$HOGA watch \(TmuxTerminal.simulated)")
        var list = try await window.screen("the list") {
            $0.mark != nil && $0.bottom.contains("F5 정렬") && $0.contains("1/10")
        }
        #expect(list.bottom.contains("F 검색") && list.bottom.contains("Q 종료"))
        // By name: the list may be reordered while the mark moves.
        for key in ["n", "C-n", "Down"] {
            let next = list.nameBelowMark
            try window.press(key)
            list = try await window.screen("the mark on \(next) after \(key) in \(list.lines)") {
                $0.markedName == next
            }
        }
        try window.press("F5")
        try await window.screen("another order") { $0.order != list.order && !$0.order.isEmpty }
        for key in ["F", "IC"] {
            try window.press(key)
            try await window.screen("a field by \(key)") { $0.tabs.contains("/") }
            try window.press("Escape")
            try await window.screen("no field") { $0.bottom.contains("Q 종료") }
        }
        // The usual keys do nothing any more.
        let before = try window.screen()
        for key in ["s", "/", "j", "2", "q"] { try window.press(key) }
        try window.press("F2")
        try await window.screen("deposits") { $0.title.hasPrefix("hoga 입출금") }
        try window.press("3")
        try await window.screen("the portfolio") { $0.title.hasPrefix("hoga 보유자산") }
        try window.press("c")
        // The chosen key is named before the other.
        try await window.screen("a form") { $0.bottom.contains("F9 ") }
        try window.press("F9")
        try await window.screen("no form") { !$0.bottom.contains("F9 ") }
        try window.press("1")
        let after = try await window.screen("the list") { $0.mark != nil && $0.order != "" }
        #expect(after.markedName == before.markedName && after.order == before.order)
        try window.press("C-x")
        try await window.screen("the shell") { !$0.usesAlternateScreen }
    }

    @Test("a conflicting key is refused in the shell with a remedy")
    func refused() async throws {
        let window = try await TmuxTerminal(columns: 120)
        try Self.configure(window, #""list.sort": "f""#)
        try window.run("$HOGA watch \(TmuxTerminal.simulated); echo code $?")
        let refusal = try await window.screen("an end") { $0.contains("code 78") }
        #expect(refusal.contains("\"list.sort\"") && refusal.contains("\"favorite.toggle\""))
        #expect(!refusal.usesAlternateScreen)
    }
}
