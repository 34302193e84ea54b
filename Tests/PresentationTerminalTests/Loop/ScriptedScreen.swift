import Domain
import ViewStates

@testable import PresentationTerminal

/// A terminal that follows a script: each wait lets time pass and then does the next step.
final class ScriptedScreen: TerminalScreen {
    /// An event during one wait.
    enum Step {
        /// Keys come after a while.
        case keys([Key], after: Duration = .zero)
        /// Something is pasted.
        case paste(String)
        /// The mouse does something.
        case mouse([MouseEvent])
        /// Wakes the loop after a delay, with an effect.
        case wake(after: Duration, () -> Void = {})
        /// A time without input and data; the loop's own timers end its waits.
        case pass(Duration)
        /// The window gets another size.
        case resize(TerminalSize)
        /// Signals.
        case stop, resume, end(TerminalEnding)
    }

    /// A frame and its time.
    struct Drawing {
        let at: Duration
        let frame: Frame
    }

    let colors = ColorDepth.trueColor
    let characters: TerminalCharacters
    var background: TerminalBackground?
    var clipboard = ClipboardAccess.available
    /// The copied texts.
    private(set) var copied: [String] = []
    /// Gets the number of each wait, from 1, before it.
    var onWait: (Int) -> Void = { _ in }
    var theme = Theme(colors: .trueColor)
    private(set) var uptime: Duration = .zero
    private(set) var drawings: [Drawing] = []
    private(set) var waits = 0
    private(set) var stops: [Bool] = []
    private(set) var invalidations = 0
    private var size: TerminalSize
    private var steps: [Step]
    private var events: [InputEvent] = []
    private let clock: ScriptedClock

    init(
        columns: Int = 80,
        rows: Int = 24,
        characters: TerminalCharacters = .unicode,
        clock: ScriptedClock,
        _ steps: [Step]
    ) {
        size = TerminalSize(columns: columns, rows: rows)
        self.characters = characters
        self.clock = clock
        self.steps = steps
    }

    func measure() -> TerminalSize { size }

    func draw(_ frame: Frame) { drawings.append(Drawing(at: uptime, frame: frame)) }

    func copy(_ text: String) { copied.append(text) }

    /// The notified texts.
    private(set) var notified: [String] = []

    func notify(_ text: String) { notified.append(text) }

    func readInput() -> [InputEvent] {
        defer { events = [] }
        return events
    }

    func suspend(isGroup: Bool) { stops.append(isGroup) }

    func resume() { invalidate() }

    func invalidate() { invalidations += 1 }

    /// Without a step left the script ends the session.
    func wait(for timeout: Duration?) -> TerminalWake {
        waits += 1
        onWait(waits)
        guard let step = steps.first else { return TerminalWake(ending: .hangUp) }
        let delay: Duration =
            switch step {
            case .keys(_, let after), .wake(let after, _): after
            case .pass(let duration): duration
            case .paste, .mouse, .resize, .stop, .resume, .end: .zero
            }
        if let timeout, timeout < delay {
            pass(timeout)
            steps[0] = step.later(by: timeout)
            return TerminalWake()
        }
        pass(delay)
        steps.removeFirst()
        return perform(step)
    }

    private func perform(_ step: Step) -> TerminalWake {
        switch step {
        case .keys(let keys, _):
            events = keys.map(InputEvent.key)
            return TerminalWake(hasInput: true)
        case .paste(let text):
            events = [.paste(text)]
            return TerminalWake(hasInput: true)
        case .mouse(let mouse):
            events = mouse.map(InputEvent.mouse)
            return TerminalWake(hasInput: true)
        case .wake(_, let work):
            work()
            return TerminalWake()
        case .pass: return TerminalWake()
        case .resize(let size):
            self.size = size
            return TerminalWake(isResized: true)
        case .stop: return TerminalWake(isStopRequested: true)
        case .resume: return TerminalWake(isContinued: true)
        case .end(let ending): return TerminalWake(ending: ending)
        }
    }

    private func pass(_ duration: Duration) {
        uptime += duration
        clock.advance(by: duration)
    }
}

extension ScriptedScreen.Step {
    /// The step when part of the time before it is over.
    fileprivate func later(by duration: Duration) -> Self {
        switch self {
        case .keys(let keys, let after): .keys(keys, after: after - duration)
        case .wake(let after, let work): .wake(after: after - duration, work)
        case .pass(let rest): .pass(rest - duration)
        case .paste, .mouse, .resize, .stop, .resume, .end: self
        }
    }
}
