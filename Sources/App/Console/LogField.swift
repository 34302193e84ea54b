/// A named value of a log line.
struct LogField: Sendable, Equatable {
    /// The kind of value.
    enum Value: Sendable, Equatable {
        /// One word without spaces, such as a code or route.
        case word(String)
        /// Any text, also untrusted.
        case text(String)
        /// A whole number.
        case number(Int64)
        /// A measurement.
        case measure(Double)
    }

    let name: String
    let value: Value

    static func word(_ name: String, _ value: String) -> LogField {
        LogField(name: name, value: .word(value))
    }

    static func text(_ name: String, _ value: String) -> LogField {
        LogField(name: name, value: .text(value))
    }

    static func number(_ name: String, _ value: some BinaryInteger) -> LogField {
        LogField(name: name, value: .number(Int64(clamping: value)))
    }

    static func measure(_ name: String, _ value: Double) -> LogField {
        LogField(name: name, value: .measure(value))
    }
}
