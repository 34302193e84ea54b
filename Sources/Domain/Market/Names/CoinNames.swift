/// Names of coins by code.
///
/// A coin that is not known here is shown by its code.
public struct CoinNames: Sendable, Hashable {
    /// One coin's names.
    public struct Entry: Sendable, Hashable {
        /// The Korean name.
        public let korean: String
        /// The English name; nil where nobody gave one.
        public let english: String?
        /// The form that searches are matched against.
        public let searchText: CoinSearchText

        /// Makes the names of a coin; an empty English name is none.
        public init(symbol: String, korean: String, english: String) {
            self.korean = korean
            self.english = english.isEmpty ? nil : english
            searchText = CoinSearchText(symbol: symbol, korean: korean, english: english)
        }
    }

    /// All names, by code.
    public let entries: [String: Entry]
    private let ambiguous: Set<String>

    /// Makes the names of some coins.
    public init(_ entries: [String: Entry]) {
        self.entries = entries
        var seen: Set<String> = []
        ambiguous = Set(entries.values.map(\.korean).filter { !seen.insert($0).inserted })
    }

    /// The names of a coin; nil if it is not known.
    public subscript(symbol: String) -> Entry? { entries[symbol] }

    /// What a coin sorts by where its name is shown: the Korean name, or the English one with the
    /// Korean behind it, or the code; small and capital letters are the same.
    public func sortKey(_ symbol: String, _ language: Language) -> String {
        let entry = self[symbol]
        let name: String? =
            switch language {
            case .korean: entry?.korean
            case .english: entry?.english ?? entry?.korean
            }
        return (name ?? symbol).lowercased()
    }

    /// How many coins are known.
    public var count: Int { entries.count }

    /// Whether several coins bear this Korean name, so that the code must stand beside it.
    public func isAmbiguous(korean: String) -> Bool { ambiguous.contains(korean) }
}
