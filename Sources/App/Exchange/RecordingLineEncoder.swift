import DataSourcesRecording
import Domain
import ViewStates

/// Encodes a line of a recording: a JSON object that starts with the time of receipt.
enum RecordingLineEncoder {
    /// The line with its line feed.
    static func bytes(_ traffic: Traffic, at time: Timestamp) -> [UInt8] {
        var line: [UInt8] = []
        append(#"{"at":""#, to: &line)
        TimeText.appendISO(time, to: &line)
        switch traffic {
        case .answer(let path, let status, let body):
            append(#"","kind":"rest","path":"#, to: &line)
            appendText(Array(path.utf8), to: &line)
            append(#","status":\#(status),"body":"#, to: &line)
            appendText(body, to: &line)
        case .message(let bytes):
            append(#"","kind":"frame","text":"#, to: &line)
            appendText(bytes, to: &line)
        }
        append("}\n", to: &line)
        return line
    }

    private static func append(_ text: String, to line: inout [UInt8]) {
        line.append(contentsOf: text.utf8)
    }

    /// A JSON string; invalid UTF-8 becomes replacement characters.
    private static func appendText(_ bytes: [UInt8], to line: inout [UInt8]) {
        let hexDigits = Array("0123456789abcdef".utf8)
        line.append(UInt8(ascii: "\""))
        for byte in String(decoding: bytes, as: UTF8.self).utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): append(#"\n"#, to: &line)
            case 0..<0x20:
                append(#"\u00"#, to: &line)
                line += [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\""))
    }
}
