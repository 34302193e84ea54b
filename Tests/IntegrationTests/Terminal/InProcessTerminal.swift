import Dispatch
import Foundation
import Synchronization
import TestSupport
import ViewStates

@testable import App
@testable import PresentationTerminal

/// A terminal without a device: `hoga watch` runs in this process, draws here and reads what a test
/// types.
///
/// Input passes through the program's own key decoder. Waiting for a screen costs nothing: each
/// frame wakes the test.
final class InProcessTerminal: TestTerminal, ScreenHost {
    private struct State {
        var size: TerminalSize
        var isResized = false
        var decoder = KeyDecoder()
        var events: [InputEvent] = []
        var usesMouse = false
        var theme = Theme(colors: .trueColor)
        var ending: TerminalEnding?
        /// Whether the loop runs.
        var isRunning = false
        /// The program's outcome; nil while it runs.
        var outcome: String?
        var frame: Frame?
        /// Counts frames, and the loop's start and end.
        var changes = 0
        var waiter: CheckedContinuation<Void, any Error>?
        var isCancelled = false

        mutating func change() -> CheckedContinuation<Void, any Error>? {
            changes += 1
            defer { waiter = nil }
            return waiter
        }
    }

    let folder: String
    private let state: Mutex<State>
    private let start = ContinuousClock.now
    /// Wakes the loop.
    private let wakeUp = DispatchSemaphore(value: 0)

    init(columns: Int, rows: Int, folder: String) {
        self.folder = folder
        state = Mutex(State(size: TerminalSize(columns: columns, rows: rows)))
    }

    // MARK: The test's side

    func press(_ key: Key) {
        send(units: Self.units(of: key))
    }

    func type(_ text: String) { send(bytes: Array(text.utf8)) }

    func send(bytes: [UInt8]) { send(units: bytes.map { .byte($0) }) }

    func paste(bytes: [UInt8], isMarked: Bool) {
        let text = bytes.map { InputUnit.byte($0) }
        send(units: isMarked ? [.pasteBegin] + text + [.pasteEnd] : text)
    }

    func resize(columns: Int, rows: Int) {
        state.withLock { state in
            state.size = TerminalSize(columns: columns, rows: rows)
            state.isResized = true
        }
        wakeUp.signal()
    }

    /// Ends the loop as a signal would.
    func end(_ ending: TerminalEnding = .cancelled) {
        state.withLock { $0.ending = ending }
        wakeUp.signal()
    }

    func screen() -> ScreenText { state.withLock { Self.text(of: $0) } }

    @discardableResult
    func screen(
        _ expected: String,
        where isMet: (ScreenText) throws -> Bool
    ) async throws -> ScreenText {
        while true {
            let (text, changes, outcome) = state.withLock { state in
                (Self.text(of: state), state.changes, state.outcome)
            }
            if try isMet(text) { return text }
            if let outcome {
                throw TerminalFailure(
                    description: "the program ended (\(outcome)) before \(expected):\n\(text)"
                )
            }
            do {
                try await change(after: changes)
            } catch {
                throw TerminalFailure.never(expected, but: text)
            }
        }
    }

    /// Waits for the next frame.
    private func change(after count: Int) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.isCancelled { return .failure(CancellationError()) }
                    if state.changes > count { return .success(()) }
                    state.waiter = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func send(units: [InputUnit]) {
        state.withLock { state in
            // One call is one reading of the device: Esc alone is a key.
            state.events += state.decoder.decode(units)
        }
        wakeUp.signal()
    }

    private static func text(of state: State) -> ScreenText {
        guard state.isRunning, let frame = state.frame else { return ScreenText(lines: [""]) }
        var text = ScreenText(lines: frame.lines.map(trimmed))
        text.showsCursor = frame.cursor != nil
        text.usesAlternateScreen = true
        text.followsMouse = state.usesMouse
        text.sendsApplicationKeys = true
        return text
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func units(of key: Key) -> [InputUnit] {
        switch key {
        case .character(let scalar): String(scalar).utf8.map { .byte($0) }
        case .control(let scalar): [.byte(UInt8(truncatingIfNeeded: scalar.value) & 0x1F)]
        case .enter: [.byte(0x0D)]
        case .tab: [.byte(0x09)]
        case .escape: [.byte(0x1B)]
        case .backspace: [.byte(0x7F)]
        case .backTab, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .insert,
            .delete, .function, .controlUp, .controlDown:
            [.key(key)]
        }
    }
}

// MARK: The program's side

extension InProcessTerminal {
    func show(
        _ model: any ScreenModel,
        _ screen: ScreenState,
        _ input: InputOptions,
        onUpdate: (@escaping @Sendable () -> Void) -> Void
    ) async {
        onUpdate { [wakeUp] in wakeUp.signal() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                // The loop blocks while it waits for input.
                Thread { [self] in
                    began(input)
                    var loop = TerminalLoop(
                        model: model,
                        screen: self,
                        state: screen,
                        keys: input.keys
                    )
                    _ = loop.run()
                    left()
                    continuation.resume()
                }.start()
            }
        } onCancel: {
            end()
        }
    }

    private func began(_ input: InputOptions) {
        let waiter = state.withLock { state in
            state.isRunning = true
            state.usesMouse = input.usesMouse
            return state.change()
        }
        waiter?.resume()
    }

    private func left() {
        let waiter = state.withLock { state in
            state.isRunning = false
            return state.change()
        }
        waiter?.resume()
    }

    /// Records how the program ended.
    func finished(_ outcome: String) {
        let waiter = state.withLock { state in
            state.outcome = outcome
            return state.change()
        }
        waiter?.resume()
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: `exit status 0`, or the program's error.
    func ended() async throws -> String {
        while true {
            let (changes, outcome) = state.withLock { ($0.changes, $0.outcome) }
            if let outcome { return outcome }
            try await change(after: changes)
        }
    }
}

extension InProcessTerminal: TerminalScreen {
    var uptime: Duration { ContinuousClock.now - start }

    var colors: ColorDepth { .trueColor }

    var background: TerminalBackground? { .dark }

    var characters: TerminalCharacters { .unicode }

    var theme: Theme {
        get { state.withLock { $0.theme } }
        set { state.withLock { $0.theme = newValue } }
    }

    var clipboard: ClipboardAccess { .unknown }

    func copy(_ text: String) {}

    func notify(_ text: String) {}

    func measure() -> TerminalSize { state.withLock { $0.size } }

    func draw(_ frame: Frame) {
        let waiter = state.withLock { state in
            state.frame = frame
            return state.change()
        }
        waiter?.resume()
    }

    func wait(for timeout: Duration?) -> TerminalWake {
        if let wake = takeWake() { return wake }
        if let timeout {
            let nanoseconds = Int(timeout / .nanoseconds(1))
            _ = wakeUp.wait(timeout: .now() + .nanoseconds(nanoseconds))
        } else {
            wakeUp.wait()
        }
        return takeWake() ?? TerminalWake()
    }

    private func takeWake() -> TerminalWake? {
        state.withLock { state in
            var wake = TerminalWake()
            wake.hasInput = !state.events.isEmpty
            wake.isResized = state.isResized
            wake.ending = state.ending
            state.isResized = false
            return wake == TerminalWake() ? nil : wake
        }
    }

    func readInput() -> [InputEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.usesMouse ? state.events : state.events.filter { !$0.isMouse }
        }
    }

    /// Suspending is not available without a shell.
    func suspend(isGroup: Bool) {}

    func resume() {}

    func invalidate() {}
}
