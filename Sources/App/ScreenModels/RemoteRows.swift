import Domain
import PresentationTerminal
import Synchronization
import ViewStates

/// The rows of a received list by market, filtered and sorted for a screen.
///
/// All values are the document's; only the order is computed here.
struct RemoteRows: Sendable {
    /// The rows by market.
    let rows: [MarketID: MarketRowViewState]
    /// The markets in alphabetical order.
    let markets: [MarketID]
    /// The coin names of the document.
    let names: CoinNames

    /// No rows.
    static let none = RemoteRows([], like: nil)

    /// Indexes the rows of a document.
    ///
    /// - Parameters:
    ///   - rows: one row per market.
    ///   - old: the previous rows. Equal names are reused, because folding them for search costs
    ///     more than the rest.
    init(_ rows: [MarketRowViewState], like old: RemoteRows?) {
        var byMarket: [MarketID: MarketRowViewState] = [:]
        byMarket.reserveCapacity(rows.count)
        var isSame = old?.rows.count == rows.count
        for row in rows {
            guard let market = MarketID(name: row.market) else { continue }
            byMarket[market] = row
            isSame = isSame && old?.rows[market]?.name == row.name
        }
        self.rows = byMarket
        if let old, isSame {
            markets = old.markets
            names = old.names
        } else {
            markets = byMarket.keys.sorted()
            names = Self.names(rows)
        }
    }

    /// The number of markets in a tab.
    func total(_ state: MarketListScreenState) -> Int {
        switch state.tab {
        case .krw: markets.count { $0.quote == .krw }
        case .btc: markets.count { $0.quote == .btc }
        case .popular: markets.count
        case .favorites: state.favorites.count
        }
    }

    /// The markets of a screen's tab and search in its order, by the rules of `ListMarkets`.
    func order(for state: MarketListScreenState, language: Language) -> [MarketID] {
        var selected = selected(state)
        if let search = CoinSearch(state.searchText) {
            selected = selected.filter { search.matches(searchText($0)) }
        }
        switch state.sortInForce {
        case nil: return selected
        case .name:
            return sorted(selected, state) { names.sortKey($0.symbol, language) }
        case .popularity, .tradeValue:
            return sorted(selected, state) { rows[$0]?.tradeValue24hKRW }
        case .price: return sorted(selected, state) { rows[$0]?.priceKRW }
        case .changeRate: return sorted(selected, state) { rows[$0]?.changeRatePercent }
        }
    }

    private func selected(_ state: MarketListScreenState) -> [MarketID] {
        let named = state.onlyMarkets.map { Set($0) }
        let markets = named.map { self.markets.filter($0.contains) } ?? self.markets
        switch state.tab {
        case .krw: return markets.filter { $0.quote == .krw }
        case .btc: return markets.filter { $0.quote == .btc }
        case .popular: return markets
        case .favorites:
            var seen: Set<MarketID> = []
            // Without a list, unlisted favorites are unknown.
            return rows.isEmpty ? [] : state.favorites.filter { seen.insert($0).inserted }
        }
    }

    private func searchText(_ market: MarketID) -> CoinSearchText {
        names[market.symbol]?.searchText
            ?? CoinSearchText(symbol: market.symbol, korean: "", english: "")
    }

    private func sorted<Key: Comparable>(
        _ markets: [MarketID],
        _ state: MarketListScreenState,
        by key: (MarketID) -> Key?
    ) -> [MarketID] {
        let isAscending = state.directionInForce == .ascending
        return markets.map { (id: $0, key: key($0)) }.sorted { left, right in
            switch (left.key, right.key) {
            case (let leftKey?, let rightKey?) where leftKey != rightKey:
                isAscending ? leftKey < rightKey : leftKey > rightKey
            case (.some, .none): true
            case (.none, .some): false
            default: left.id < right.id
            }
        }.map(\.id)
    }

    private static func names(_ rows: [MarketRowViewState]) -> CoinNames {
        var entries: [String: CoinNames.Entry] = [:]
        for row in rows where entries[row.symbol] == nil {
            guard let korean = row.name.ko else { continue }
            entries[row.symbol] = CoinNames.Entry(
                symbol: row.symbol,
                korean: korean,
                english: row.name.en ?? ""
            )
        }
        return CoinNames(entries)
    }
}

/// Caches the rows of the newest list, indexed once per revision.
final class RemoteRowsCache: Sendable {
    private let cached = Mutex((revision: "", period: "", rows: RemoteRows.none))

    /// The rows of a document.
    func rows(of document: MarketListDocument?) -> RemoteRows {
        guard let document else { return .none }
        return cached.withLock { cached in
            let period = document.state.query.changePeriod
            if cached.revision != document.revision || cached.period != period {
                cached = (
                    document.revision, period, RemoteRows(document.state.rows, like: cached.rows)
                )
            }
            return cached.rows
        }
    }
}
