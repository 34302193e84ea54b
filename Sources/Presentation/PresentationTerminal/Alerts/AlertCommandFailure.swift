public import ViewStates

/// Why the user's command did not run for an alert as it should.
public struct AlertCommandFailure: Sendable, Hashable {
    /// The reasons.
    public enum Reason: Sendable, Hashable {
        /// It ended with a status other than 0.
        case status(Int32)
        /// A signal ended it.
        case signal(Int32)
        /// It ran longer than it may.
        case timedOut(seconds: Int64)
        /// The search path has no such program.
        case notFound
        /// The system refused to start it, with this error number.
        case notStarted(Int32)
        /// So many alerts were dropped since the last line about it: too many waited.
        case dropped(Int)
    }

    /// The program.
    public var program: String
    /// The reason.
    public var reason: Reason
    /// The last line that the program wrote to standard error; empty for none.
    public var message: String

    /// Makes a failure.
    public init(program: String, reason: Reason, message: String = "") {
        self.program = program
        self.reason = reason
        self.message = message
    }

    /// The failure in one line.
    public var text: LocalizedText {
        let (ko, en): (String, String) =
            switch reason {
            case .status(let status): ("종료 코드 \(status)", "exit status \(status)")
            case .signal(let signal): ("시그널 \(signal)로 종료", "ended by signal \(signal)")
            case .timedOut(let seconds):
                ("\(seconds)초를 넘겨 종료", "stopped after \(seconds) s")
            case .notFound: ("프로그램 없음 – PATH 확인", "not found; check PATH")
            case .notStarted(let number):
                ("시작할 수 없음 (errno \(number))", "cannot be started (errno \(number))")
            case .dropped(let count):
                ("밀린 알림 \(count)건 건너뜀", "\(count) alerts skipped: too many at once")
            }
        let tail = message.isEmpty ? "" : " – " + message
        return LocalizedText(
            ko: "알림 명령 \(program): \(ko)\(tail)",
            en: "alert command \(program): \(en)\(tail)"
        )
    }
}
