import DataSourceContracts

extension StreamSubscriptionDTO {
    /// The request as one JSON object in one text message.
    ///
    /// ```json
    /// {"type":"ticker","symbols":["BTC_KRW","ETH_KRW"],"tickTypes":["24H","MID"]}
    /// ```
    ///
    /// Symbols come from the exchange as data, so quotes and control characters are escaped.
    var requestText: String {
        var text = #"{"type":"#
        Self.append(type, to: &text)
        text += #","symbols":"#
        Self.append(symbols, to: &text)
        if !tickTypes.isEmpty {
            text += #","tickTypes":"#
            Self.append(tickTypes, to: &text)
        }
        text += "}"
        return text
    }

    private static func append(_ list: [String], to text: inout String) {
        text += "["
        for (index, entry) in list.enumerated() {
            if index > 0 { text += "," }
            append(entry, to: &text)
        }
        text += "]"
    }

    /// Appends a JSON string (RFC 8259 section 7).
    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                text += "\\"
                text.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
