import Glibc
import ViewStates
import Testing

@testable import PresentationTerminal

/// Each test starts a process of its own, because terminal and signals belong to the process.
@Suite("Mouse reports are enabled on request and disabled at the end", .serialized)
struct TerminalMouseTests {
    private static let on = "\u{1B}[?1006;1000h"
    private static let off = "\u{1B}[?1006;1000l"

    @Test("Clicks arrive; stopping and ending disable the reports")
    func clicks() async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { terminal in
            let first = try terminal.read(until: "코인7", thenType: "\u{1B}[<0;9;6M\u{1B}[<0;9;6m")
            // Enabled again after the stop.
            let second = try terminal.read(until: "› 코인2", thenType: "\u{1A}")
            let third = try terminal.read(until: "코인7", thenType: "q")
            return first + second + third
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            let outcome = try await TerminalSession.onHookedModel(
                input: InputOptions(usesMouse: true)
            ).run()
            precondition(outcome.ending == .quit)
        }
        let written = try use.text() + terminal.readAll()
        #expect(written.ranges(of: Self.on).count == 2)
        #expect(written.ranges(of: Self.off).count == 2)
        #expect(
            written.ranges(of: Self.off).last?.lowerBound ?? written.startIndex
                > written.ranges(of: Self.on).last?.lowerBound ?? written.endIndex
        )
    }

    @Test("A crash disables the reports", arguments: [SIGSEGV, SIGABRT])
    func crash(number: Int32) async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { try $0.read(until: "코인7", thenType: "j") }
        await #expect(processExitsWith: .signal(number)) {
            [path = terminal.path as String, number = number as Int32] in
            adoptTerminal(path)
            Glibc.signal(number, SIG_DFL)
            let session = try TerminalSession.onHookedModel(
                input: InputOptions(usesMouse: true)
            ) { call in
                if call == 2 { die(of: number) }
            }
            _ = try await session.run()
        }
        let written = try use.text() + terminal.readAll()
        #expect(written.contains(Self.on) && written.contains(Self.off))
    }

    @Test("Without the mouse nothing is enabled, and stray reports are ignored")
    func unwanted() async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { terminal in
            let first = try terminal.read(until: "코인7", thenType: "/\u{1B}[<35;12;7M\u{1B}[<0;9;6M")
            let second = try terminal.read(until: "Esc", thenType: "C1")
            return try first + second + terminal.read(until: "C1", thenType: "\u{3}")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            _ = try await TerminalSession.onHookedModel().run()
        }
        let written = try use.text() + terminal.readAll()
        #expect(!written.contains("1000h") && !written.contains("1000l"))
        #expect(!written.contains("35;12;7"))
    }
}
