import Concurrency
import ViewStates

/// The screens at the terminal of this process.
///
/// Has a thread of its own while it runs, because waiting for keys blocks. One session at a time:
/// the terminal and the signals belong to the process.
public actor TerminalSession {
    /// What a session leaves behind.
    public struct Outcome: Sendable, Hashable {
        /// How it came to its end.
        public let ending: TerminalEnding
    }

    private let executor = BlockingExecutor(label: "hoga.terminal")
    private let interrupt: TerminalInterrupt
    private let model: any ScreenModel
    private let state: ScreenState
    private let input: InputOptions
    private let choices: TerminalOptions
    private let environment: [String: String]
    private let patience: TerminalReplies.TransactionTimeouts

    /// Makes a session; the terminal is not touched before ``run()``.
    ///
    /// - Parameters:
    ///   - model: where the data come from.
    ///   - state: how the screen begins.
    ///   - input: which keys do what, and whether the mouse does anything.
    ///   - choices: what the user decides for this terminal.
    ///   - environment: of the process, for `NO_COLOR`, `COLORFGBG` and the locale.
    /// - Throws: `system` if the kernel has no descriptor left.
    public init(
        model: any ScreenModel,
        state: ScreenState,
        input: InputOptions = InputOptions(),
        choices: TerminalOptions,
        environment: [String: String]
    ) throws(TerminalError) {
        try self.init(
            model: model,
            state: state,
            input: input,
            choices: choices,
            environment: environment,
            patience: TerminalReplies.TransactionTimeouts()
        )
    }

    /// Makes a session that waits for answers of the terminal as long as it is told.
    init(
        model: any ScreenModel,
        state: ScreenState,
        input: InputOptions,
        choices: TerminalOptions,
        environment: [String: String],
        patience: TerminalReplies.TransactionTimeouts
    ) throws(TerminalError) {
        self.model = model
        self.state = state
        self.input = input
        self.choices = choices
        self.environment = environment
        self.patience = patience
        interrupt = try TerminalInterrupt()
    }

    /// The thread on which the session waits and draws.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Says that the model may have new data; from any thread, as often as wanted, at once.
    public nonisolated func wake() {
        interrupt.wake()
    }

    /// Shows the screen until the user quits, a signal asks for the end, the terminal goes away, or
    /// the task is cancelled; the terminal is then as it was before.
    ///
    /// While it runs, SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH and the fatal signals are
    /// its own. Fatal ones take their former course once the terminal is restored.
    ///
    /// - Throws: why the screen could not be opened.
    public func run() async throws(TerminalError) -> Outcome {
        let result = await withTaskCancellationHandler {
            runLoop()
        } onCancel: {
            interrupt.cancel()
        }
        return try result.get()
    }

    private func runLoop() -> Result<Outcome, TerminalError> {
        do throws(TerminalError) {
            let device = try TerminalDevice(
                environment: environment,
                choices: choices,
                usesMouse: input.usesMouse,
                interrupt: interrupt,
                patience: patience
            )
            defer { device.close() }
            var loop = TerminalLoop(
                model: model,
                screen: device,
                state: state,
                keys: input.keys
            )
            return .success(Outcome(ending: loop.run()))
        } catch {
            return .failure(error)
        }
    }
}
