/// SHA-256 of a token's text: all that is kept of a token, and what it is found by.
///
/// Two are compared in a time that depends on nothing they hold.
public struct TokenHash: Sendable, Hashable {
    /// How many bytes a hash has.
    public static let byteCount = 32

    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Takes a hash.
    ///
    /// - Parameter bytes: 32 of them.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "SHA-256 has 32 bytes.")
        func word(_ number: Int) -> UInt64 {
            bytes[(number * 8)..<(number * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// The bytes, as stores keep them.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
    }

    /// Whether all bytes are the same; every one is looked at.
    public static func == (left: TokenHash, right: TokenHash) -> Bool {
        let difference =
            (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1)
            | (left.words.2 ^ right.words.2) | (left.words.3 ^ right.words.3)
        return difference == 0
    }

    /// Feeds all of it, so that a table tells nothing of how far a guess was right.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension TokenHash: CustomStringConvertible, CustomReflectable {
    /// That it is a hash, never which.
    public var description: String { "SHA-256 of a token" }

    /// Nothing: a dump of a value that holds a hash does not hold it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
