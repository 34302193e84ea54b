import Concurrency
import FileOutput
import Glibc
import Synchronization

/// A progress line on standard error for long work.
///
/// The line appears only on a terminal and after a delay, rewrites itself, and disappears at the
/// end. Work never waits for it.
final class ProgressLine: Sendable {
    /// The delay before the line appears.
    static let patience: Duration = .milliseconds(400)
    /// The time between two updates.
    static let interval: Duration = .milliseconds(100)
    /// Erases from the cursor to the end of the line (ECMA-48 EL).
    private static let clearance = "\u{1B}[K"

    private struct State {
        var text: ProgressText
        /// The start of the phase, since the line was created.
        var since: Duration
    }

    private let subject: String
    private let isShown: Bool
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let write: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// Makes a line; ``run()`` shows it.
    ///
    /// - Parameters:
    ///   - subject: the command.
    ///   - phase: the first phase of the work.
    ///   - isShown: false to write nothing.
    ///   - clock: measures the work.
    ///   - write: writes raw text to the terminal.
    init(
        _ subject: String,
        phase: String,
        isShown: Bool,
        clock: any Clock<Duration> = ContinuousClock(),
        write: @escaping @Sendable (String) -> Void
    ) {
        self.subject = subject
        self.isShown = isShown
        self.write = write
        self.clock = clock
        stopwatch = Stopwatch(clock)
        state = Mutex(State(text: ProgressText(phase: phase), since: .zero))
    }

    /// Makes the line of a command on standard error, hidden if the command is quiet.
    convenience init(_ subject: String, phase: String, isQuiet: Bool, _ program: Program) {
        let isTerminal = isatty(STDERR_FILENO) == 1 && program.environment["TERM"] != "dumb"
        self.init(subject, phase: phase, isShown: isTerminal && !isQuiet) { text in
            try? FileOutput.standardError().write(Array(text.utf8))
        }
    }

    /// Starts the next phase.
    func begin(_ phase: String, of total: Int? = nil, unit: String = "rows") {
        state.withLock { state in
            state = State(
                text: ProgressText(phase: phase, total: total, unit: unit),
                since: stopwatch.elapsed
            )
        }
    }

    /// Sets the completed amount of the phase.
    func update(_ done: Int) { state.withLock { $0.text.done = done } }

    /// The current line.
    var line: String {
        let state = state.withLock { $0 }
        return state.text.line(subject, elapsed: stopwatch.elapsed - state.since)
    }

    /// Shows the line until the task is cancelled, then erases it.
    func run() async {
        guard isShown, (try? await clock.sleep(for: Self.patience)) != nil else { return }
        var shown = ""
        while !Task.isCancelled {
            let line = line
            if line != shown { write("\r\(line)\(Self.clearance)") }
            shown = line
            try? await clock.sleep(for: Self.interval)
        }
        write("\r\(Self.clearance)")
    }

    /// Runs a job and shows the line beside it.
    ///
    /// - Throws: ``ProgramError``: the job's error.
    func using(
        _ job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        try await Lifecycle.attempt(services: [run], job)
    }
}
