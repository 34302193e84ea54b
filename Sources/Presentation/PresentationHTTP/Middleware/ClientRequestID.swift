import Domain

/// The name of a request in its answer and in logs.
enum ClientRequestID {
    /// The longest name that is kept of a client.
    static let lengthMax = 64

    /// The name that a client gave; nil if it gave none, or one that cannot be written down as it
    /// is, as a token cannot.
    static func kept(_ text: String?) -> String? {
        guard let text, (1...lengthMax).contains(text.utf8.count),
            text.utf8.allSatisfy(isPlain), AccessToken.masked(text) == text
        else { return nil }
        return text
    }

    /// Letters, digits and three signs: nothing that ends a header or a line of a log.
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
