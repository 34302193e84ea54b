/// Why the terminal could not be opened; it is then unchanged.
public enum TerminalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of the program's streams.
    public enum Stream: String, Sendable, Hashable {
        /// The stream that keys are read from.
        case input = "standard input"
        /// The stream that frames are written to.
        case output = "standard output"
    }

    /// A stream is a file, a pipe or closed.
    case notATerminal(Stream)
    /// `TERM` is unset, or the terminfo database has neither its terminal nor the stand-in.
    case unknownTerminal
    /// The terminal cannot position the cursor.
    case unusableTerminal
    /// No UTF-8 locale is installed, not even the C library's own.
    case noUnicodeLocale
    /// Another session of this process has the terminal.
    case alreadyInUse
    /// The system refused a call, for the reason of this number.
    case system(call: String, errno: Int32)

    /// The failure and its remedy.
    public var description: String {
        switch self {
        case .notATerminal(let stream):
            "\(stream.rawValue) is not a terminal; use --once or --plain"
        case .unknownTerminal:
            "TERM does not name a known terminal; set it, e.g. to xterm-256color"
        case .unusableTerminal:
            "TERM names a terminal without cursor control; set it, e.g. to xterm-256color"
        case .noUnicodeLocale:
            "no UTF-8 locale is installed; install C.UTF-8"
        case .alreadyInUse:
            "the terminal is in use by this process already"
        case .system(let call, let errno):
            "\(call) failed with error \(errno)"
        }
    }
}
