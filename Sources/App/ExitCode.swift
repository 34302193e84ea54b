/// The exit codes of hoga, as in sysexits.h.
enum ExitCode: Int32, Error, Sendable, CaseIterable {
    /// Success.
    case success = 0
    /// A wrong command line.
    case usage = 64
    /// The exchange, the store or an address is unavailable.
    case unavailable = 69
    /// An internal error.
    case `internal` = 70
    /// A wrong configuration.
    case configuration = 78

    /// The exit code that a shell reports after a signal.
    static let signaled = "128+n"
    /// The description of that exit code, one line.
    static let signaledSummary =
        "killed by signal n: 130 after Ctrl+C, 143 after SIGTERM, 139 after a crash"
    /// The commands that shut down gracefully after a signal.
    static let gracefulShutdown =
        "hoga watch, hoga serve and the hoga exchange commands shut down gracefully on SIGTERM, "
        + "SIGINT and SIGHUP and exit with \(success.rawValue). hoga export then leaves no partial "
        + "file and exits with \(unavailable.rawValue)."

    /// The description in help texts, one line.
    var summary: String {
        switch self {
        case .success: "success"
        case .usage: "invalid command line or input file; nothing was changed"
        case .unavailable: "the exchange, the store or an address is unavailable"
        case .internal: "internal error, no memory, or the output could not be written"
        case .configuration: "wrong configuration"
        }
    }
}

/// An error that ends the program, with its message for the user.
struct ProgramError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The exit code.
    let exitCode: ExitCode
    /// The problem and one remedy, lower case, without a full stop.
    let description: String

    init(_ exitCode: ExitCode, _ description: String) {
        self.exitCode = exitCode
        self.description = description
    }
}
