/// Selects and orders the coins of a list of deposits and withdrawals.
///
/// The coins are those of the newest reading: before the first one there are none. Ties stand in
/// the order of names, then of codes, so equal readings give equal lists; unknown states stand last
/// in both directions.
public struct ListAssets: Sendable, Hashable {
    /// How many coins each filter has, before the search.
    public struct Counts: Sendable, Hashable {
        /// All coins, those included of which a state is not known.
        public var all = 0
        /// Coins that can be deposited and withdrawn.
        public var normal = 0
        /// Coins of which at least one is not possible.
        public var suspended = 0

        /// No coins.
        public init() {}

        /// How many coins a filter has.
        public subscript(filter: AssetFilter) -> Int {
            switch filter {
            case .all: all
            case .normal: normal
            case .suspended: suspended
            }
        }
    }

    /// What a list consists of.
    public struct Result: Sendable, Hashable {
        /// The matching coins in order.
        public let order: [Asset]
        /// How many coins each filter has, before the search.
        public let counts: Counts
    }

    /// Which coins.
    public var filter: AssetFilter
    /// The search, nil without one.
    public var search: CoinSearch?
    /// What to sort by.
    public var sort: AssetSortKey
    /// Which way.
    public var direction: SortDirection
    /// The language of the names that decide.
    public var language: Language

    /// Makes the use case.
    public init(
        filter: AssetFilter = .all,
        search: CoinSearch? = nil,
        sort: AssetSortKey = .name,
        direction: SortDirection = .ascending,
        language: Language = .korean
    ) {
        self.filter = filter
        self.search = search
        self.sort = sort
        self.direction = direction
        self.language = language
    }

    /// Makes the list.
    public func callAsFunction(_ states: AssetStates, names: CoinNames) -> Result {
        var counts = Counts()
        var rows: [Row] = []
        rows.reserveCapacity(states.states.count)
        for (asset, state) in states.states {
            counts.all += 1
            if AssetFilter.normal.takes(state) { counts.normal += 1 }
            if AssetFilter.suspended.takes(state) { counts.suspended += 1 }
            guard filter.takes(state), search?.matches(names, asset.symbol) ?? true else {
                continue
            }
            let name = names.sortKey(asset.symbol, language)
            rows.append(Row(asset: asset, name: name, state: state))
        }
        return Result(order: sorted(rows).map(\.asset), counts: counts)
    }

    private struct Row {
        let asset: Asset
        let name: String
        let state: AssetState
    }

    private func sorted(_ rows: [Row]) -> [Row] {
        switch sort {
        case .name:
            rows.sorted { left, right in
                if left.name != right.name {
                    return (left.name < right.name) == (direction == .ascending)
                }
                return left.asset < right.asset
            }
        case .deposit: sorted(rows, by: \.isDepositOpen)
        case .withdrawal: sorted(rows, by: \.isWithdrawalOpen)
        }
    }

    private func sorted(_ rows: [Row], by path: KeyPath<AssetState, Bool?>) -> [Row] {
        rows.sorted { left, right in
            let leftPlace = place(left.state[keyPath: path])
            let rightPlace = place(right.state[keyPath: path])
            if leftPlace != rightPlace { return leftPlace < rightPlace }
            if left.name != right.name { return left.name < right.name }
            return left.asset < right.asset
        }
    }

    /// What is possible first, or last; what is unknown always last.
    private func place(_ isOpen: Bool?) -> Int {
        guard let isOpen else { return 2 }
        return isOpen == (direction == .ascending) ? 0 : 1
    }
}

extension AssetFilter {
    /// Whether a list with this filter has a coin in that state.
    ///
    /// A coin of which one is possible and the other unknown is neither normal nor suspended.
    public func takes(_ state: AssetState) -> Bool {
        switch self {
        case .all: true
        case .normal: state.isDepositOpen == true && state.isWithdrawalOpen == true
        case .suspended: state.isDepositOpen == false || state.isWithdrawalOpen == false
        }
    }
}

extension CoinSearch {
    /// Whether a coin's code or one of its names holds the text.
    func matches(_ names: CoinNames, _ symbol: String) -> Bool {
        matches(
            names[symbol]?.searchText
                ?? CoinSearchText(symbol: symbol, korean: "", english: "")
        )
    }
}
