import Concurrency
import ViewStates

/// The terminal user interface of this process.
///
/// Runs on its own thread, because waiting for keys blocks. Only one session can run at a time: the
/// terminal and the signal handlers belong to the process.
public actor TerminalSession {
    /// The result of a session.
    public struct Outcome: Sendable, Hashable {
        /// How it came to its end.
        public let ending: TerminalEnding
        /// The type that stood in for a terminal without a terminfo entry; nil if it has one.
        public let standIn: String?
    }

    private let executor = BlockingExecutor(label: "hoga.terminal")
    private let interrupt: TerminalInterrupt
    private let model: any ScreenModel
    private let state: ScreenState
    private let input: InputOptions
    private let choices: TerminalOptions
    private let environment: [String: String]
    private let patience: TerminalReplies.Timeouts

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
            patience: TerminalReplies.Timeouts()
        )
    }

    /// Creates a session with custom time limits for terminal replies.
    init(
        model: any ScreenModel,
        state: ScreenState,
        input: InputOptions,
        choices: TerminalOptions,
        environment: [String: String],
        patience: TerminalReplies.Timeouts
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

    /// Signals that the model may have new data.
    ///
    /// Callable from any thread, returns immediately.
    public nonisolated func wake() {
        interrupt.wake()
    }

    /// Runs the user interface until the user quits, a signal ends it, the terminal disappears or
    /// the task is cancelled.
    ///
    /// Restores the terminal at the end.
    ///
    /// Handles SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH and fatal signals while it runs.
    /// Fatal signals take their default action after the terminal is restored.
    ///
    /// - Throws: the reason why the terminal could not be opened.
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
            return .success(Outcome(ending: loop.run(), standIn: device.standIn))
        } catch {
            return .failure(error)
        }
    }
}
