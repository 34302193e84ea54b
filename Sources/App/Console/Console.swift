import FileOutput
import Glibc

/// Standard output and standard error: the only place that writes to them as text.
enum Console {
    /// Writes bytes to standard output as they are.
    ///
    /// A reader that is gone wants no more: there is nobody left to tell.
    ///
    /// - Returns: whether somebody still reads.
    /// - Throws: ``ProgramError`` when the output takes no more for another reason: half a
    ///   document must not pass for a whole one.
    @discardableResult
    static func write(_ bytes: [UInt8]) throws(ProgramError) -> Bool {
        do {
            try FileOutput.standardOutput().write(bytes)
            return true
        } catch {
            guard error.number != EPIPE else { return false }
            throw ProgramError(
                .internal,
                "standard output took not everything (errno \(error.number)): "
                    + "is it closed, or its disk full?"
            )
        }
    }

    /// Writes a line to standard output; what it returns and throws is as in `write`.
    @discardableResult
    static func line(_ text: String) throws(ProgramError) -> Bool {
        try write(Array((text + "\n").utf8))
    }

    /// Writes a line to standard error.
    static func note(_ text: String) {
        try? FileOutput.standardError().write(Array((text + "\n").utf8))
    }
}
