import FileOutput

/// Standard output and standard error: the only place that writes to them as text.
enum Console {
    /// Writes bytes to standard output as they are.
    ///
    /// A reader that is gone wants no more: there is nobody left to tell.
    static func write(_ bytes: [UInt8]) {
        try? FileOutput.standardOutput().write(bytes)
    }

    /// Writes a line to standard output.
    static func line(_ text: String) {
        write(Array((text + "\n").utf8))
    }

    /// Writes a line to standard error.
    static func note(_ text: String) {
        try? FileOutput.standardError().write(Array((text + "\n").utf8))
    }
}
