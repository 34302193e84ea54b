import DataSourcesRecording
import Domain
import JSON
import ViewStates

/// Encodes a line of a recording: a JSON object that starts with the time of receipt.
enum RecordingLineEncoder {
    /// The line with its line break; bytes that are not UTF-8 become replacement characters.
    static func bytes(_ traffic: Traffic, at time: Timestamp) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.key("at")
            json.string(TimeText.iso(time))
            json.key("kind")
            switch traffic {
            case .answer(let path, let status, let body):
                json.string("rest")
                json.key("path")
                json.string(path)
                json.key("status")
                json.integer(status)
                json.key("body")
                json.string(String(decoding: body, as: UTF8.self))
            case .message(let bytes):
                json.string("frame")
                json.key("text")
                json.string(String(decoding: bytes, as: UTF8.self))
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
