import Foundation
import Testing

@Suite("Whatever ends hoga, the terminal is a shell's again", .timeLimit(.minutes(5)))
struct TerminalEndTests {
    /// Starts hoga in a window's shell and waits for its first picture.
    private func watching(_ window: TerminalWindow) async throws {
        try window.run("$HOGA watch --exchange simulated --krw-markets 10 --rate 50")
        // What a first start asks is answered with nothing.
        try await window.picture("the first questions") { $0.contains("처음 시작") }
        try window.press("Escape")
        try await window.picture("the list alone") {
            $0.contains("비트코인") && $0.contains("Enter 열기") && !$0.contains("처음 시작")
        }
    }

    @Test("The shell reads what is typed, and the list is away")
    func quit() async throws {
        let window = try await TerminalWindow()
        try await watching(window)
        try window.press("q")
        let after = try await window.picture("the shell") { !$0.isBesideTheShell }
        #expect(after.showsCursor && !after.followsMouse && !after.sendsApplicationKeys)
    }
}
