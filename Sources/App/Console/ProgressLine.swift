import FileOutput
import Glibc
import Synchronization

/// A line on standard error that tells how far long work has come, and rewrites itself.
///
/// It is there only where standard error is a terminal, appears when the work takes longer than a
/// moment, and is gone when the work is done. Nothing waits for it.
final class ProgressLine: Sendable {
    /// How long work takes at least before the line appears.
    static let patience: Duration = .milliseconds(400)
    /// How often it is written anew.
    static let interval: Duration = .milliseconds(100)
    /// Ends the line where the cursor stands, so that nothing of a longer one is left.
    private static let clearance = "\u{1B}[K"

    private struct State {
        var text: ProgressText
        /// On the clock, since the line was made.
        var since: Duration
    }

    private let subject: String
    private let isShown: Bool
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let write: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// Makes a line that is not written before ``run()``.
    ///
    /// - Parameters:
    ///   - subject: what the program works on.
    ///   - phase: what it does first.
    ///   - isShown: whether anybody wants to see it.
    ///   - clock: measures how long the work takes.
    ///   - write: takes text as it is.
    init(
        _ subject: String,
        phase: String,
        isShown: Bool,
        clock: some Clock<Duration> = ContinuousClock(),
        write: @escaping @Sendable (String) -> Void
    ) {
        self.subject = subject
        self.isShown = isShown
        self.write = write
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
        state = Mutex(State(text: ProgressText(phase: phase), since: .zero))
    }

    /// Makes the line of a command, on standard error; none where it is to be quiet.
    convenience init(_ subject: String, phase: String, isQuiet: Bool, _ program: Program) {
        let isTerminal = isatty(STDERR_FILENO) == 1 && program.environment["TERM"] != "dumb"
        self.init(subject, phase: phase, isShown: isTerminal && !isQuiet) { text in
            try? FileOutput.standardError().write(Array(text.utf8))
        }
    }

    /// Begins another phase.
    func begin(_ phase: String, of total: Int? = nil, unit: String = "rows") {
        state.withLock { state in
            state = State(
                text: ProgressText(phase: phase, total: total, unit: unit),
                since: elapsed()
            )
        }
    }

    /// Tells how much of the phase is done.
    func update(_ done: Int) { state.withLock { $0.text.done = done } }

    /// The line as it is now.
    var line: String {
        let state = state.withLock { $0 }
        return state.text.line(subject, elapsed: elapsed() - state.since)
    }

    /// Writes the line until the task is cancelled, and takes it away then.
    func run() async {
        guard isShown, (try? await sleep(Self.patience)) != nil else { return }
        var shown = ""
        while !Task.isCancelled {
            let line = line
            if line != shown { write("\r\(line)\(Self.clearance)") }
            shown = line
            try? await sleep(Self.interval)
        }
        write("\r\(Self.clearance)")
    }

    /// Does a job beside the line.
    ///
    /// - Throws: ``ProgramError``: what the job throws, when the line is gone.
    func using(
        _ job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        let failure: ProgramError? = await Lifecycle.run(services: [run]) {
            do throws(ProgramError) {
                try await job()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
