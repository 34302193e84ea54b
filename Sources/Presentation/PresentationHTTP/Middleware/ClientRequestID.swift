import Domain

/// The request id that a client sends in `X-Request-Id`.
enum ClientRequestID {
    /// The longest accepted id.
    static let lengthMax = 64

    /// The client's id; nil if it is absent, invalid, or contains a token, which is never logged.
    static func accepted(_ text: String?) -> String? {
        guard let text, (1...lengthMax).contains(text.utf8.count),
            text.utf8.allSatisfy(isPlain), AccessToken.masked(text) == text
        else { return nil }
        return text
    }

    /// Letters, digits and `-_.`: no character ends a header field or a log line.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
