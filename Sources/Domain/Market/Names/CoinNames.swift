/// Names of coins by code.
///
/// A coin without a name is shown by its code.
public struct CoinNames: Sendable, Hashable {
    /// One coin's names.
    public struct Entry: Sendable, Hashable {
        /// The Korean name.
        public let korean: String
        /// The English name; nil if unknown.
        public let english: String?
        /// The form that searches match.
        public let searchText: CoinSearchText

        /// Makes the names of a coin; an empty English name becomes nil.
        public init(symbol: String, korean: String, english: String) {
            self.korean = korean
            self.english = english.isEmpty ? nil : english
            searchText = CoinSearchText(symbol: symbol, korean: korean, english: english)
        }
    }

    /// Names by code.
    public let entries: [String: Entry]
    private let ambiguous: Set<String>

    /// Makes a collection of names.
    public init(_ entries: [String: Entry]) {
        self.entries = entries
        var seen: Set<String> = []
        ambiguous = Set(entries.values.map(\.korean).filter { !seen.insert($0).inserted })
    }

    /// The names of a coin; nil if unknown.
    public subscript(symbol: String) -> Entry? { entries[symbol] }

    /// The text a coin is sorted by: its Korean name, or its English name with the Korean one as
    /// fallback, or its code; case-insensitive.
    public func sortKey(_ symbol: String, _ language: Language) -> String {
        let entry = self[symbol]
        let name: String? =
            switch language {
            case .korean: entry?.korean
            case .english: entry?.english ?? entry?.korean
            }
        return (name ?? symbol).lowercased()
    }

    /// Number of coins.
    public var count: Int { entries.count }

    /// Whether several coins share this Korean name, so that the code must be shown too.
    public func isAmbiguous(korean: String) -> Bool { ambiguous.contains(korean) }
}
