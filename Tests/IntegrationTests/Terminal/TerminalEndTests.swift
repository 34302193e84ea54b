import Foundation
import Testing

@Suite("Whatever ends hoga, the terminal is a shell's again", .timeLimit(.minutes(5)))
struct TerminalEndTests {
    @Test("The shell reads what is typed, and the list is away")
    func quit() async throws {
        let window = try await TerminalWindow()
        try await window.watch()
        try window.press("q")
        let after = try await window.picture("the shell") { !$0.isBesideTheShell }
        #expect(after.showsCursor && !after.followsMouse && !after.sendsApplicationKeys)
    }
}
