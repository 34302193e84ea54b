/// The SHA-256 of a token's text.
///
/// Stores hold the hash and never the token.
///
/// Comparison takes constant time.
public struct TokenHash: Sendable, Hashable {
    /// The size of a hash in bytes.
    public static let byteCount = 32

    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Makes a hash.
    ///
    /// - Parameter bytes: 32 bytes.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "SHA-256 has 32 bytes.")
        func word(_ number: Int) -> UInt64 {
            bytes[(number * 8)..<(number * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
    }

    /// Compares all bytes.
    public static func == (left: TokenHash, right: TokenHash) -> Bool {
        let difference =
            (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1)
            | (left.words.2 ^ right.words.2) | (left.words.3 ^ right.words.3)
        return difference == 0
    }

    /// Hashes all bytes, so that a lookup leaks no prefix of a match.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension TokenHash: CustomStringConvertible, CustomReflectable {
    /// A fixed text, so that logs never hold a hash.
    public var description: String { "SHA-256 of a token" }

    /// Empty, so that a dump never holds a hash.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
