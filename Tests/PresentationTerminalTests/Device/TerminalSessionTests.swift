import Glibc
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

/// Each test starts a process of its own, because terminal and signals belong to the process.
@Suite(
    "A session restores the terminal in every case",
    .tags(.threads),
    .serialized
)
struct TerminalSessionTests {
    @Test("A key quits, and early input is not lost")
    func quit() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        terminal.type("j")
        let use = terminal.use { try $0.read(until: "› 코인1", thenType: "q") }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            let outcome = try await TerminalSession.onHookedModel().run()
            precondition(outcome.ending == .quit)
        }
        try terminal.expectRestored(before, written: use.text())
    }

    @Test("Termination signals end the session", arguments: [SIGTERM, SIGHUP, SIGINT])
    func signal(number: Int32) async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let use = terminal.use { try $0.read(until: "코인7", thenType: "j") }
        await #expect(processExitsWith: .success) {
            [path = terminal.path as String, number = number as Int32] in
            adoptTerminal(path)
            let session = try TerminalSession.onHookedModel { call in
                if call == 2 { kill(getpid(), number) }
            }
            let outcome = try await session.run()
            precondition(outcome.ending == .signal(number))
        }
        try terminal.expectRestored(before, written: use.text())
    }

    @Test("A second signal ends an unresponsive session immediately")
    func impatientSignal() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let use = terminal.use { try $0.read(until: "코인7", thenType: "j") }
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = terminal.path as String] in
            adoptTerminal(path)
            let session = try TerminalSession.onHookedModel { call in
                guard call == 2 else { return }
                kill(getpid(), SIGTERM)
                // The first one has been noted once its handler has run on some thread.
                while TerminalDevice.endingSignal == 0 { sched_yield() }
                die(of: SIGTERM)
            }
            _ = try await session.run()
        }
        try terminal.expectRestored(before, written: use.text())
    }

    @Test(
        "Fatal signals restore the terminal and take their default action",
        arguments: [SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSYS, SIGQUIT]
    )
    func crash(number: Int32) async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let use = terminal.use { try $0.read(until: "코인7", thenType: "j") }
        await #expect(processExitsWith: .signal(number)) {
            [path = terminal.path as String, number = number as Int32] in
            adoptTerminal(path)
            // A sanitizer or a backtracer may have a course of its own.
            Glibc.signal(number, SIG_DFL)
            let session = try TerminalSession.onHookedModel { call in
                if call == 2 { die(of: number) }
            }
            _ = try await session.run()
        }
        try terminal.expectRestored(before, written: use.text())
    }

    @Test(
        "A failed precondition and a wild pointer restore the terminal",
        arguments: [true, false]
    )
    func realFault(isTrap: Bool) async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let use = terminal.use { try $0.read(until: "코인7", thenType: "j") }
        await #expect(processExitsWith: .failure) {
            [path = terminal.path as String, isTrap = isTrap as Bool] in
            adoptTerminal(path)
            // A sanitizer would report the wild pointer.
            Glibc.signal(SIGSEGV, SIG_DFL)
            let session = try TerminalSession.onHookedModel { call in
                guard call == 2 else { return }
                if isTrap { preconditionFailure("on purpose") }
                let nowhere = unsafe UnsafeMutablePointer<Int>(bitPattern: 8)
                unsafe nowhere?.pointee = 1
            }
            _ = try await session.run()
        }
        try terminal.expectRestored(before, written: use.text())
    }

    @Test(
        "exit() elsewhere, or quick_exit() without memory, restores the terminal",
        arguments: [false, true]
    )
    func exitElsewhere(isQuick: Bool) async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let use = terminal.use { try $0.read(until: "코인7", thenType: "j") }
        await #expect(processExitsWith: .exitCode(70)) {
            [path = terminal.path as String, isQuick = isQuick as Bool] in
            adoptTerminal(path)
            let session = try TerminalSession.onHookedModel { call in
                guard call == 2 else { return }
                if isQuick { quick_exit(70) }
                exit(70)
            }
            _ = try await session.run()
        }
        try terminal.expectRestored(before, written: use.text())
    }

    @Test("Cancelling the task ends the session")
    func cancelled() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.modes
        let use = terminal.use { try $0.read(until: "코인7") }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            let session = try TerminalSession.onHookedModel()
            try await withThrowingTaskGroup(of: TerminalEnding.self) { group in
                group.addTask { try await session.run().ending }
                group.cancelAll()
                let ending = try await group.next()
                precondition(ending == .cancelled)
            }
        }
        try terminal.expectRestored(before, written: use.text())
    }

    @Test("A closed terminal ends the session")
    func hangUp() async throws {
        let terminal = try PseudoTerminal()
        let use = terminal.use { terminal in
            defer { terminal.hangUp() }
            return try terminal.read(until: "코인7")
        }
        await #expect(processExitsWith: .success) { [path = terminal.path as String] in
            adoptTerminal(path)
            // As under nohup: SIGHUP is ignored, and stays ignored.
            Glibc.signal(SIGHUP, SIG_IGN)
            let outcome = try await TerminalSession.onHookedModel().run()
            precondition(outcome.ending == .hangUp)
        }
        _ = try use.text()
    }
}

/// Sends a signal to the process, as a person would, and waits for its course.
///
/// Not `raise`, because a thread of a pool has nearly all signals blocked.
func die(of number: Int32) -> Never {
    kill(getpid(), number)
    while true { pause() }
}

extension PseudoTerminal {
    private static let enter = "\u{1B}[?1049h"

    /// Whether it is as a shell left it: second screen left, cursor shown, pastes and modes back.
    func expectRestored(
        _ before: [tcflag_t],
        written: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let all = written + readAll()
        let parts = all.split(separator: Self.enter, omittingEmptySubsequences: false)
        #expect(parts.count == 2, "entered once", sourceLocation: sourceLocation)
        for text in ["\u{1B}[?1049l", "\u{1B}[?25h", "\u{1B}[?2004l"] {
            let isAvailable = parts.last?.contains(text) ?? false
            #expect(isAvailable, "\(text.debugDescription)", sourceLocation: sourceLocation)
        }
        #expect(modes == before, sourceLocation: sourceLocation)
    }
}
