import Domain
import JSON
import ViewStates

/// Formats log lines; any content stays on one line.
enum LogText {
    /// A line in a format, with its line feed.
    static func line(
        _ format: LogFormat,
        at time: Timestamp,
        _ level: LogLevel,
        _ message: String,
        _ fields: [LogField]
    ) -> [UInt8] {
        let line =
            switch format {
            case .text:
                "\(TimeText.iso(time)) \(level.rawValue) \(self.message(message, fields))"
            case .json: json(at: time, level, message, fields)
            }
        return Array(line.utf8) + [UInt8(ascii: "\n")]
    }

    /// The message followed by its fields: `feed reconnecting attempt=1 detail="no route"`.
    static func message(_ message: String, _ fields: [LogField]) -> String {
        var text = escaped(message, quotes: false)
        for field in fields {
            text += " \(field.name)="
            switch field.value {
            case .word(let word): text += escaped(word, quotes: false)
            case .text(let value): text += "\"\(escaped(value, quotes: true))\""
            case .number(let number): text += String(number)
            case .measure(let number): text += "\(number)"
            }
        }
        return text
    }

    private static func json(
        at time: Timestamp,
        _ level: LogLevel,
        _ message: String,
        _ fields: [LogField]
    ) -> String {
        var text = "{\"time\":\"\(TimeText.iso(time))\",\"level\":\"\(level.rawValue)\","
        text += "\"message\":\"\(escaped(message, quotes: true))\""
        for field in fields {
            text += ",\"\(field.name)\":"
            switch field.value {
            case .word(let value), .text(let value): text += "\"\(escaped(value, quotes: true))\""
            case .number(let number): text += String(number)
            // JSON has neither infinity nor NaN.
            case .measure(let number): text += number.isFinite ? "\(number)" : "null"
            }
        }
        return text + "}"
    }

    /// Escapes characters that break lines, move the cursor or hide text; with `quotes` also quotes
    /// and backslashes, as JSON needs.
    static func escaped(_ text: String, quotes: Bool) -> String {
        // Few texts need an escape.
        if !text.unicodeScalars.contains(where: { isDangerous($0, quotes: quotes) }) { return text }
        return JSONText.escape(text) { isDangerous($0, quotes: quotes) }
    }

    private static func isDangerous(_ scalar: Unicode.Scalar, quotes: Bool) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        // Line and paragraph separators, and bidirectional controls.
        case 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
        // Byte order mark and tags: invisible, and able to hide text.
        case 0xFEFF, 0xE0000...0xE007F: true
        case 0x22, 0x5C: quotes
        default: false
        }
    }
}
