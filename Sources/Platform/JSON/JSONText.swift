/// Text as JSON strings (RFC 8259, section 7).
public enum JSONText: Sendable {
    /// Appends a quoted string; quotes, backslashes and control characters are escaped.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        // Few texts need an escape, so the text is copied first and checked afterwards.
        if bytes[start...].contains(where: mustEscape) {
            bytes.removeSubrange(start...)
            let escaped = escape(text) { $0.isASCII && mustEscape(UInt8($0.value)) }
            bytes.append(contentsOf: escaped.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Escapes chosen characters: `\"` and `\\`, everything else as `\u000a`.
    ///
    /// - Parameters:
    ///   - text: the text, without quotes around it.
    ///   - isEscaped: whether a character is escaped.
    /// - Returns: the escaped text, without quotes.
    public static func escape(_ text: String, where isEscaped: (Unicode.Scalar) -> Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if !isEscaped(scalar) {
                escaped.unicodeScalars.append(scalar)
            } else if scalar == "\"" || scalar == "\\" {
                escaped += "\\\(scalar)"
            } else {
                // Beyond 16 bits a character is a pair of UTF-16 surrogates.
                for unit in scalar.utf16 {
                    let digits = String(unit, radix: 16)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return escaped
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
