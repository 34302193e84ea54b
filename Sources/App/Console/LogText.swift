import Domain
import ViewStates

/// Log lines as text: one line each, whatever is in them.
enum LogText {
    /// A line of a format, its end included.
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

    /// The message with its fields behind it: `feed reconnecting attempt=1 detail="no route"`.
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
            // JSON knows neither infinity nor NaN.
            case .measure(let number): text += number.isFinite ? "\(number)" : "null"
            }
        }
        return text + "}"
    }

    /// Text without anything that begins a line or moves a cursor; a backslash stands before quotes
    /// only where they end something.
    static func escaped(_ text: String, quotes: Bool) -> String {
        // Nearly every text needs nothing.
        if !text.unicodeScalars.contains(where: { isDangerous($0, quotes: quotes) }) { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            if !isDangerous(scalar, quotes: quotes) {
                escaped.unicodeScalars.append(scalar)
            } else if scalar == "\"" || scalar == "\\" {
                escaped += "\\\(scalar)"
            } else {
                // Beyond 16 bits JSON writes a scalar as the two halves of UTF-16.
                for unit in scalar.utf16 {
                    let digits = String(unit, radix: 16)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return escaped
    }

    private static func isDangerous(_ scalar: Unicode.Scalar, quotes: Bool) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        // Ends of lines and of paragraphs, and what turns the direction of text.
        case 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
        // A mark of byte order, and tags: they are not seen, and can carry any text.
        case 0xFEFF, 0xE0000...0xE007F: true
        case 0x22, 0x5C: quotes
        default: false
        }
    }
}
