/// A coin's names in the form that searches match.
public struct CoinSearchText: Sendable, Hashable {
    let symbol: [Unicode.Scalar]
    let korean: [Unicode.Scalar]
    let english: [Unicode.Scalar]

    /// Normalizes a coin's names.
    public init(symbol: String, korean: String, english: String) {
        self.symbol = CoinSearch.folded(symbol)
        self.korean = CoinSearch.folded(korean)
        self.english = CoinSearch.folded(english)
    }
}

/// A search over Korean name, English name and symbol.
///
/// Case and spaces are ignored. A single consonant matches every syllable that begins with it, so
/// ㅂㅌㅋ and 비ㅌ find 비트코인. A cluster that a keyboard joined (ㄳ) counts as its two consonants.
public struct CoinSearch: Sendable, Hashable {
    private let pattern: [Unicode.Scalar]

    /// Makes a search; nil if the text has nothing to search for.
    public init?(_ text: String) {
        pattern = Self.folded(text)
        if pattern.isEmpty { return nil }
    }

    /// Whether the coin's symbol or one of its names contains the text.
    public func matches(_ coin: CoinSearchText) -> Bool {
        isFound(in: coin.symbol) || isFound(in: coin.korean) || isFound(in: coin.english)
    }

    private func isFound(in text: [Unicode.Scalar]) -> Bool {
        guard pattern.count <= text.count else { return false }
        return (0...(text.count - pattern.count)).contains { start in
            pattern.indices.allSatisfy { Self.matches(pattern[$0], text[start + $0]) }
        }
    }

    private static func matches(_ wanted: Unicode.Scalar, _ scalar: Unicode.Scalar) -> Bool {
        wanted == scalar || HangulText.initialConsonant(of: scalar) == wanted
    }

    /// Lower case, composed Hangul, single consonants, no white space.
    static func folded(_ text: String) -> [Unicode.Scalar] {
        let scalars = text.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace }
        return HangulText.composed(scalars).flatMap(HangulText.consonants)
    }
}
