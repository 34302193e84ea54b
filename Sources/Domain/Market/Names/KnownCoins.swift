/// The coins that can be added to what somebody holds: those that the exchange lists, those that
/// are named, and those that are held already.
public struct KnownCoins: Sendable, Equatable {
    /// So many are told at the most that somebody may have meant.
    private static let nearestMax = 3

    private let symbols: Set<String>
    private let names: CoinNames

    /// Takes together what is known.
    ///
    /// - Parameters:
    ///   - symbols: codes of coins that are listed or held.
    ///   - names: of any coins.
    public init(symbols: some Sequence<String>, names: CoinNames) {
        self.symbols = Set(symbols)
        self.names = names
    }

    /// Takes together what a board knows.
    ///
    /// - Parameters:
    ///   - board: its markets are those that are listed, or were when they were stored.
    ///   - names: stand for the board's own while nobody has told it any.
    ///   - held: coins that are held, whatever is listed.
    public init(_ board: MarketBoard, else names: CoinNames, held: some Sequence<Asset>) {
        self.init(
            symbols: board.markets.map(\.id.symbol) + held.map(\.symbol),
            names: board.names(else: names)
        )
    }

    /// Reads the code of a coin in any spelling, or a name that one coin alone has.
    ///
    /// - Throws: ``InputError``: that it is no code, or one of no known coin, with the codes that
    ///   may have been meant.
    public func asset(_ text: String) throws(InputError) -> Asset {
        let asset: Asset
        do throws(InputError) {
            asset = try UserInput.asset(text)
        } catch {
            if error.reason == .noAsset, let called = called(text) { return called }
            // A name instead of a code.
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

    /// Refuses a code that no known coin has, whatever is called so.
    ///
    /// - Throws: ``InputError`` with the codes that may have been meant.
    public func check(_ asset: Asset) throws(InputError) {
        if symbols.contains(asset.symbol) || names[asset.symbol] != nil { return }
        throw InputError(.unknownAsset(nearest: nearest(to: asset.symbol)))
    }

    /// The one coin that has exactly this name; nil if there is no such one.
    ///
    /// A name is the Korean one, the English one, or the other one that stands in brackets. Of
    /// several coins the one that is listed or held counts.
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

    /// The coins whose code differs least, and those that are called so.
    private func nearest(to symbol: String) -> [String] {
        let all = symbols.union(names.entries.keys)
        let spelled = SpellingSuggestions.of(symbol, among: Array(all))
        let called = named(symbol).filter { !spelled.contains($0) }
        return Array((called + spelled).prefix(Self.nearestMax))
    }

    /// The coins with a name that holds the text, the shortest of those names first.
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
