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

    /// Reads the code of a coin in any spelling.
    ///
    /// - Throws: ``InputRefusal``: that it is no code, or one of no known coin, with the codes that
    ///   may have been meant.
    public func asset(_ text: String) throws(InputRefusal) -> Asset {
        let asset: Asset
        do throws(InputRefusal) {
            asset = try PersonalInput.asset(text)
        } catch {
            // A name instead of a code.
            let meant = named(text)
            throw error.reason == .noAsset && !meant.isEmpty
                ? InputRefusal(.unknownAsset(nearest: meant)) : error
        }
        if symbols.contains(asset.symbol) || names[asset.symbol] != nil { return asset }
        throw InputRefusal(.unknownAsset(nearest: nearest(to: asset.symbol)))
    }

    /// The coins whose code differs least, and those that are called so.
    private func nearest(to symbol: String) -> [String] {
        let all = symbols.union(names.entries.keys)
        let spelled = NearestNames.of(symbol, among: Array(all))
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
