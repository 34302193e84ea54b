import FileOutput
import Glibc

/// Writes to standard output and standard error.
enum Console {
    /// Writes bytes to standard output.
    ///
    /// - Returns: false if the reader closed the pipe, which is not an error.
    /// - Throws: ``ProgramError`` `internal` for any other write error, so that a partial document
    ///   never looks complete.
    @discardableResult
    static func write(_ bytes: [UInt8]) throws(ProgramError) -> Bool {
        do {
            try FileOutput.standardOutput().write(bytes)
            return true
        } catch {
            guard error.number != EPIPE else { return false }
            throw ProgramError(
                .internal,
                "cannot write to standard output (errno \(error.number)); check free disk space"
            )
        }
    }

    /// Writes a line to standard output, as ``write(_:)`` does.
    @discardableResult
    static func line(_ text: String) throws(ProgramError) -> Bool {
        try write(Array((text + "\n").utf8))
    }

    /// Writes a text to standard error; what a server or a file put into it cannot move the cursor.
    static func note(_ text: String) {
        try? FileOutput.standardError().write(Array((printable(text) + "\n").utf8))
    }

    /// The text with all control characters escaped but the ends of its lines.
    static func printable(_ text: String) -> String {
        // By scalars, because "\r\n" is one character.
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { LogText.escaped(String(String.UnicodeScalarView($0)), quotes: false) }
            .joined(separator: "\n")
    }
}
