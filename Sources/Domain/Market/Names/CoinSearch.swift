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

    /// How well a search fits a coin, best first.
    public enum Match: Int, Sendable, Comparable {
        /// The text is the symbol.
        case symbol
        /// The symbol begins with it.
        case symbolPrefix
        /// The text is a name.
        case name
        /// A name begins with it.
        case namePrefix
        /// The Korean name begins with it, consonants standing for syllables.
        case initials
        /// The symbol or a name contains the text behind its beginning.
        case part

        /// Whether one match is better than the other.
        public static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
    }

    /// How well the text fits the coin; nil if it does not.
    public func match(_ coin: CoinSearchText) -> Match? {
        if coin.symbol == pattern { return .symbol }
        if coin.symbol.starts(with: pattern) { return .symbolPrefix }
        let names = [coin.korean, coin.english]
        if names.contains(pattern) { return .name }
        if names.contains(where: { $0.starts(with: pattern) }) { return .namePrefix }
        if isFound(in: coin.korean, at: 0) { return .initials }
        return matches(coin) ? .part : nil
    }

    private func isFound(in text: [Unicode.Scalar]) -> Bool {
        text.indices.contains { isFound(in: text, at: $0) }
    }

    private func isFound(in text: [Unicode.Scalar], at start: Int) -> Bool {
        guard pattern.count <= text.count - start else { return false }
        return pattern.indices.allSatisfy { Self.matches(pattern[$0], text[start + $0]) }
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
