/// An access token: `hoga_` and 256 random bits as 43 characters of base64url.
///
/// Stores hold only its hash. Its description hides the text.
public struct AccessToken: Sendable, Hashable {
    /// The prefix of each token, by which secret scanners find it.
    public static let prefix = "hoga_"
    /// The random bytes of a token.
    public static let byteCount = 32
    /// The length of a token in characters.
    public static let textLength = 48

    /// The text, which is shown to its owner once.
    public let text: String

    /// Makes a token of random bytes.
    ///
    /// - Parameter randomBytes: 32 bytes from a cryptographic generator.
    public init(randomBytes: [UInt8]) {
        precondition(randomBytes.count == Self.byteCount, "A token has 256 bits.")
        text = Self.prefix + Base64URL.text(randomBytes)
    }

    /// Parses a token.
    ///
    /// - Returns: nil for a malformed text.
    public init?(_ text: String) {
        guard text.utf8.count == Self.textLength, text.hasPrefix(Self.prefix),
            Base64URL.isText(text.utf8.dropFirst(Self.prefix.utf8.count), ofBytes: Self.byteCount)
        else { return nil }
        self.text = text
    }
}

extension AccessToken {
    /// Masks each token in a text, for logs and messages.
    ///
    /// base64url digits that follow a token are masked with it.
    public static func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= textLength else { return text }
        let mark = Array(prefix.utf8)
        var masked: [UInt8] = []
        var (start, kept) = (0, 0)
        while start + textLength <= bytes.count {
            guard bytes[start...].starts(with: mark) else {
                start += 1
                continue
            }
            let digits = bytes[(start + mark.count)...].prefix(while: Base64URL.isDigit)
            guard digits.count >= textLength - mark.count else {
                start += mark.count
                continue
            }
            masked += bytes[kept..<start] + mark + Array("…".utf8)
            kept = digits.endIndex
            start = kept
        }
        // Most texts hold no token.
        return kept == 0 ? text : String(decoding: masked + bytes[kept...], as: UTF8.self)
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// A fixed text, so that logs never hold a token.
    public var description: String { Self.prefix + "…" }

    /// Empty, so that a dump never holds a token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
