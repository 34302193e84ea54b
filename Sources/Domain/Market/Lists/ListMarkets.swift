/// Selects and sorts the markets of a list.
///
/// A pure function of the board. Ties are sorted alphabetically, so equal boards give equal lists.
/// Missing values come last in both directions.
public struct ListMarkets: Sendable, Hashable {
    /// The markets of a list.
    public enum Selection: Sendable, Hashable {
        /// All markets of one quote currency.
        case quote(Quote)
        /// All markets.
        case all
        /// These markets if they exist; duplicates count once.
        case markets([MarketID])
        /// 관심: these markets, without duplicates.
        ///
        /// Markets that are no longer listed stay, as suspended ones.
        case favorites([MarketID])
    }

    /// A selected and sorted list.
    public struct Result: Sendable {
        /// Matching markets in order.
        public let order: [MarketID]
        /// Number of markets before the search.
        public let total: Int
        /// Markets requested by name that are not on the board.
        public let missing: [MarketID]

        /// Makes a result for a caller with its own order.
        public init(order: [MarketID], total: Int, missing: [MarketID] = []) {
            self.order = order
            self.total = total
            self.missing = missing
        }
    }

    /// The selection.
    public var selection: Selection
    /// The search, nil without one.
    public var search: CoinSearch?
    /// The sort key; nil keeps the order of the selection, which for favorites is the user's own.
    public var sort: MarketSortKey?
    /// The sort direction.
    public var direction: SortDirection
    /// The period of the change rate to sort by.
    public var period: ChangePeriod
    /// The language of the names to sort by.
    public var language: Language

    /// Makes the use case.
    public init(
        selection: Selection,
        search: CoinSearch? = nil,
        sort: MarketSortKey? = .popularity,
        direction: SortDirection = .descending,
        period: ChangePeriod = .hours24,
        language: Language = .korean
    ) {
        self.selection = selection
        self.search = search
        self.sort = sort
        self.direction = direction
        self.period = period
        self.language = language
    }

    /// Makes the list.
    public func callAsFunction(_ board: MarketBoard, names: CoinNames, now: Timestamp) -> Result {
        var missing: [MarketID] = []
        let selected: [MarketState] =
            switch selection {
            case .all: board.markets.filter { !board.isUnlistedStored($0) }
            case .quote(let quote):
                board.markets.filter { $0.id.quote == quote && !board.isUnlistedStored($0) }
            case .markets(let ids):
                Self.distinct(ids).compactMap { id in
                    if let market = board.market(id) { return market }
                    missing.append(id)
                    return nil
                }
            case .favorites(let ids):
                Self.distinct(ids).compactMap { board.marketOrPlaceholder($0, now: now) }
            }
        let matching = search.map { search in
            selected.filter { search.matches(names, $0.id.symbol) }
        }
        let order = sorted(matching ?? selected, board, names, now)
        return Result(order: order, total: selected.count, missing: missing)
    }

    private static func distinct(_ ids: [MarketID]) -> [MarketID] {
        var seen: Set<MarketID> = []
        return ids.filter { seen.insert($0).inserted }
    }

    private func sorted(
        _ markets: [MarketState],
        _ board: MarketBoard,
        _ names: CoinNames,
        _ now: Timestamp
    ) -> [MarketID] {
        switch sort {
        case nil: markets.map(\.id)
        case .name:
            sorted(markets) { names.sortKey($0.id.symbol, language) }
        case .popularity, .tradeValue:
            sorted(markets) { board.tradeValue24hInWon(of: $0) }
        case .price:
            sorted(markets) { board.priceInWon(of: $0) }
        case .changeRate:
            sorted(markets) { board.change(of: $0, over: period, now: now).ratePercent }
        }
    }

    private func sorted<Key: Comparable>(
        _ markets: [MarketState],
        by key: (MarketState) -> Key?
    ) -> [MarketID] {
        let keyed = markets.map { (id: $0.id, key: key($0)) }
        return keyed.sorted { left, right in
            switch (left.key, right.key) {
            case (let leftKey?, let rightKey?) where leftKey != rightKey:
                direction == .ascending ? leftKey < rightKey : leftKey > rightKey
            case (.some, .none): true
            case (.none, .some): false
            default: left.id < right.id
            }
        }.map(\.id)
    }
}

extension MarketBoard {
    /// The price of one bitcoin in won; nil if unknown.
    private var bitcoinInWon: FixedDecimal? {
        MarketID(symbol: "BTC", quote: .krw).flatMap { market($0)?.price }
    }

    /// A market's price in won, comparable across quote currencies.
    public func priceInWon(of market: MarketState) -> FixedDecimal? {
        inWon(market.price, quote: market.id.quote)
    }

    /// A market's 24-hour turnover in won, at the current price of bitcoin.
    public func tradeValue24hInWon(of market: MarketState) -> FixedDecimal? {
        inWon(market.tradeValue24h, quote: market.id.quote)
    }

    private func inWon(_ value: FixedDecimal?, quote: Quote) -> FixedDecimal? {
        switch quote {
        case .krw: value
        case .btc:
            value.flatMap { value in
                bitcoinInWon.flatMap { try? value.multiplied(by: $0, rounding: .halfEven) }
            }
        }
    }
}
