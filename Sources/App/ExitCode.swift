/// How hoga ends, as sysexits.h names it.
enum ExitCode: Int32, Error, Sendable, CaseIterable {
    /// All went well.
    case success = 0
    /// The command line was wrong.
    case usage = 64
    /// The exchange, or an address to listen on, is not to be had.
    case unavailable = 69
    /// hoga itself failed.
    case `internal` = 70
    /// The configuration was wrong.
    case configuration = 78

    /// What a shell tells of a program that a signal has ended.
    static let signalled = "128+n"
    /// What that says, in a line.
    static let signalledSummary =
        "signal n ended hoga: 130 after Ctrl+C, 143 after SIGTERM, 139 after a crash"
    /// Where a signal does not end hoga by itself.
    static let orderlyEnds =
        "SIGTERM, SIGINT and SIGHUP end hoga watch, hoga serve, hoga exchange simulate and "
        + "hoga exchange record in order, with 0; hoga export then leaves nothing half done and "
        + "ends with \(unavailable.rawValue)."

    /// What it says, in a line.
    var summary: String {
        switch self {
        case .success: "all went well"
        case .usage: "the command line, or a file that it names, was wrong; nothing was changed"
        case .unavailable: "the exchange, the store or an address was not to be had"
        case .internal: "hoga itself failed, or its output was not taken"
        case .configuration: "the configuration was wrong"
        }
    }
}

/// A failure that ends the program, with what to tell the user.
struct ProgramError: Error, Sendable, Equatable, CustomStringConvertible {
    /// How the program ends.
    let exitCode: ExitCode
    /// What is wrong and what to do about it.
    let description: String

    init(_ exitCode: ExitCode, _ description: String) {
        self.exitCode = exitCode
        self.description = description
    }
}
