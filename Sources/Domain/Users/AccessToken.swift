/// What a person or a program shows to be let in: 256 random bits, as one word.
///
/// `hoga_` and 43 characters that are safe in files, headers and shells. Only its hash is stored,
/// and it describes itself without telling what it is.
public struct AccessToken: Sendable, Hashable {
    /// The beginning of every token, so that people and scanners know one when they see it.
    public static let prefix = "hoga_"
    /// How many random bytes a token has.
    public static let byteCount = 32
    /// How many characters a token has, always.
    public static let textLength = 48

    /// The token as it is shown once, and given from then on.
    public let text: String

    /// Makes a token of random bytes.
    ///
    /// - Parameter randomBytes: 32 bytes that nobody can predict.
    public init(randomBytes: [UInt8]) {
        precondition(randomBytes.count == Self.byteCount, "A token has 256 bits.")
        text = Self.prefix + Base64URL.text(randomBytes)
    }

    /// Reads a token.
    ///
    /// - Returns: nil for a text that no token has.
    public init?(_ text: String) {
        guard text.utf8.count == Self.textLength, text.hasPrefix(Self.prefix),
            Base64URL.isText(text.utf8.dropFirst(Self.prefix.utf8.count), ofBytes: Self.byteCount)
        else { return nil }
        self.text = text
    }
}

extension AccessToken {
    /// A text as it may be written down: without what has the form of a token in it.
    ///
    /// Whatever can be a digit of a token and stands behind one goes with it, so that nothing is
    /// left of a token that something was written behind.
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
        // Nearly every text has none.
        return kept == 0 ? text : String(decoding: masked + bytes[kept...], as: UTF8.self)
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// That it is a token, never which.
    public var description: String { Self.prefix + "…" }

    /// Nothing: a dump of a value that holds a token does not hold it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
