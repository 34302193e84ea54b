/// Coins that can be added to holdings: listed, named, or already held ones.
public struct KnownCoins: Sendable, Equatable {
    /// Maximum number of suggestions.
    private static let nearestMax = 3

    private let symbols: Set<String>
    /// The names of coins, known or not.
    public let names: CoinNames

    /// Makes a set of known coins.
    ///
    /// - Parameters:
    ///   - symbols: codes of listed or held coins.
    ///   - names: names of any coins.
    public init(symbols: some Sequence<String>, names: CoinNames) {
        self.symbols = Set(symbols)
        self.names = names
    }

    /// Makes the set of coins that a board knows.
    ///
    /// - Parameters:
    ///   - board: its markets are listed, or were when they were stored.
    ///   - names: used until the board has names.
    ///   - held: coins held, listed or not.
    public init(_ board: MarketBoard, else names: CoinNames, held: some Sequence<Asset>) {
        self.init(
            symbols: board.markets.map(\.id.symbol) + held.map(\.symbol),
            names: board.names(else: names)
        )
    }

    /// Parses the code of a coin in any spelling, or a name that exactly one coin has.
    ///
    /// - Throws: ``InputError`` for an invalid or unknown code, with suggestions.
    public func asset(_ text: String) throws(InputError) -> Asset {
        let asset: Asset
        do throws(InputError) {
            asset = try UserInput.asset(text)
        } catch {
            if error.reason == .noAsset, let called = called(text) { return called }
            // The text is a name instead of a code.
            let meant = named(text)
            throw error.reason == .noAsset && !meant.isEmpty
                ? InputError(.unknownAsset(nearest: meant)) : error
        }
        do throws(InputError) {
            try check(asset)
            return asset
        } catch {
            guard let called = called(text) else { throw error }
            return called
        }
    }

    /// Refuses a code that no known coin has, even if a coin has it as its name.
    ///
    /// - Throws: ``InputError`` with suggestions.
    public func check(_ asset: Asset) throws(InputError) {
        if symbols.contains(asset.symbol) || names[asset.symbol] != nil { return }
        throw InputError(.unknownAsset(nearest: nearest(to: asset.symbol)))
    }

    /// The one coin with exactly this name; nil if there is none.
    ///
    /// A name is the Korean one, the English one, or an alternative in brackets. Of several coins
    /// the one that is listed or held wins.
    private func called(_ text: String) -> Asset? {
        let wanted = CoinSearch.folded(text)
        guard !wanted.isEmpty else { return nil }
        let brackets: Set<Unicode.Scalar> = ["[", "]"]
        let all = names.entries.filter { entry in
            let korean = entry.value.searchText.korean
            return entry.value.searchText.english == wanted || korean == wanted
                || korean.split(whereSeparator: brackets.contains).contains { Array($0) == wanted }
        }.keys
        let present = all.filter(symbols.contains)
        let candidates = present.isEmpty ? Array(all) : present
        guard candidates.count == 1, let symbol = candidates.first else { return nil }
        return Asset(symbol: symbol)
    }

    /// Coins with a similar code, and coins with a matching name.
    private func nearest(to symbol: String) -> [String] {
        let all = symbols.union(names.entries.keys)
        let spelled = SpellingSuggestions.of(symbol, among: Array(all))
        let called = named(symbol).filter { !spelled.contains($0) }
        return Array((called + spelled).prefix(Self.nearestMax))
    }

    /// Coins with a name that contains the text, shortest name first.
    private func named(_ text: String) -> [String] {
        guard let search = CoinSearch(text), text.utf8.count >= 3 else { return [] }
        func length(_ entry: CoinNames.Entry) -> Int {
            min(entry.korean.count, entry.english?.count ?? .max)
        }
        return names.entries.filter { search.matches($0.value.searchText) }
            .map { (symbol: $0.key, length: length($0.value)) }
            .sorted { ($0.length, $0.symbol) < ($1.length, $1.symbol) }
            .prefix(Self.nearestMax).map(\.symbol)
    }
}
