import ChildPrograms
import Concurrency
import Domain
import PresentationTerminal
import Synchronization
import ViewStates

/// Runs the user's command once for each alert that is new since the start.
///
/// Its failures are values for screen and log; they never stop hoga.
final class AlertCommandRunner: Sendable {
    private let command: AlertCommand
    private let environment: [String: String]
    private let log: any Log
    private let queue = Mutex(AlertCommandQueue())
    private let isChanged = AsyncEvent()
    private let failure = Mutex<AlertCommandFailure?>(nil)
    private let language: @Sendable () -> Language

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - command: the command.
    ///   - environment: the variables of hoga, of which the command gets a few.
    ///   - log: takes failures.
    ///   - language: the language of the sentence about an alert.
    init(
        _ command: AlertCommand,
        environment: [String: String],
        log: any Log,
        language: @escaping @Sendable () -> Language
    ) {
        self.command = command
        self.environment = environment
        self.log = log
        self.language = language
    }

    /// The failure of the newest run; nil after one that succeeded.
    var lastFailure: AlertCommandFailure? { failure.withLock { $0 } }

    /// Takes a user's state; returns at once, on any thread.
    func apply(_ state: UserState) {
        guard !state.status.isUnread else { return }
        queue.withLock { $0.apply(state.record.alerts.value) }
        isChanged.signal()
    }

    /// Runs the command until the task is cancelled, which ends what still runs.
    func run() async {
        await withDiscardingTaskGroup { group in
            repeat {
                let dropped = queue.withLock { $0.takeDropped() }
                if dropped > 0 { report(AlertCommandFailure.Reason.dropped(dropped)) }
                while let alert = queue.withLock({ $0.start() }) {
                    group.addTask { await self.run(for: alert) }
                }
            } while await isChanged.wait()
        }
    }

    private func run(for alert: LoggedAlert) async {
        let input = AlertJSON.bytes(of: alert, language())
        let result = await command.program(reading: input, environment).run()
        queue.withLock { $0.end() }
        isChanged.signal()
        let reason: AlertCommandFailure.Reason? =
            switch result.end {
            case .exited(0), .cancelled: nil
            case .exited(let status): .status(status)
            case .signaled(let signal): .signal(signal)
            case .timedOut: .timedOut(seconds: AlertCommand.timeLimit.components.seconds)
            case .notFound: .notFound
            case .notStarted(let number): .notStarted(number)
            }
        guard result.end != .cancelled else { return }
        guard let reason else { return set(nil) }
        report(reason, message: Self.lastLine(result.errors))
    }

    private func report(_ reason: AlertCommandFailure.Reason, message: String = "") {
        let failure = AlertCommandFailure(
            program: command.words[0],
            reason: reason,
            message: message
        )
        log.write(.warning, "alert command failed", [.text("detail", failure.text[.english])])
        set(failure)
    }

    private func set(_ new: AlertCommandFailure?) { failure.withLock { $0 = new } }

    /// The last line of some output, in characters that a screen can show.
    private static func lastLine(_ bytes: [UInt8]) -> String {
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return String(decoding: lines.last ?? [], as: UTF8.self)
    }
}
