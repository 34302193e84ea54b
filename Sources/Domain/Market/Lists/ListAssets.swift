/// Filters and sorts coins by deposit and withdrawal state.
///
/// The coins are those of the newest REST answer. Ties are sorted by name, then by code, so equal
/// data give equal lists. Unknown states come last in both directions.
public struct ListAssets: Sendable, Hashable {
    /// Number of coins per filter, before the search.
    public struct Counts: Sendable, Hashable {
        /// All coins, including those with an unknown state.
        public var all = 0
        /// Coins with open deposits and withdrawals.
        public var normal = 0
        /// Coins with at least one closed direction.
        public var suspended = 0

        /// No coins.
        public init() {}

        /// Number of coins of a filter.
        public subscript(filter: AssetFilter) -> Int {
            switch filter {
            case .all: all
            case .normal: normal
            case .suspended: suspended
            }
        }
    }

    /// A filtered and sorted list.
    public struct Result: Sendable, Hashable {
        /// Matching coins in order.
        public let order: [Asset]
        /// Number of coins per filter, before the search.
        public let counts: Counts
    }

    /// The filter.
    public var filter: AssetFilter
    /// The search, nil without one.
    public var search: CoinSearch?
    /// The sort key.
    public var sort: AssetSortKey
    /// The sort direction.
    public var direction: SortDirection
    /// The language of names to sort by.
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
            if AssetFilter.normal.includes(state) { counts.normal += 1 }
            if AssetFilter.suspended.includes(state) { counts.suspended += 1 }
            guard filter.includes(state), search?.matches(names, asset.symbol) ?? true else {
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

    /// Open first or last; unknown always last.
    private func place(_ isOpen: Bool?) -> Int {
        guard let isOpen else { return 2 }
        return isOpen == (direction == .ascending) ? 0 : 1
    }
}

extension AssetFilter {
    /// Whether the filter includes a coin in that state.
    ///
    /// A coin with one open direction and one unknown direction is neither normal nor suspended.
    public func includes(_ state: AssetState) -> Bool {
        switch self {
        case .all: true
        case .normal: state.isDepositOpen == true && state.isWithdrawalOpen == true
        case .suspended: state.isDepositOpen == false || state.isWithdrawalOpen == false
        }
    }
}

extension CoinSearch {
    /// Whether the coin's code or one of its names contains the search text.
    func matches(_ names: CoinNames, _ symbol: String) -> Bool {
        matches(
            names[symbol]?.searchText
                ?? CoinSearchText(symbol: symbol, korean: "", english: "")
        )
    }
}

/// Filter of the deposit and withdrawal list.
public enum AssetFilter: String, Sendable, Hashable, CaseIterable {
    /// 전체: all.
    case all
    /// 정상: deposits and withdrawals are open.
    case normal
    /// 중단: at least one of them is closed.
    case suspended
}

/// Sort key of the deposit and withdrawal list.
public enum AssetSortKey: String, Sendable, Hashable, CaseIterable {
    /// The coin's name, in Korean alphabetical order.
    case name
    /// Deposit state; ascending puts open ones first.
    ///
    /// Ties by name.
    case deposit
    /// Withdrawal state, in the same order.
    case withdrawal
}
