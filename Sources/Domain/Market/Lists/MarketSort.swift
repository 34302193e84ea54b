/// What a list of markets is sorted by.
public enum MarketSortKey: String, Sendable, Hashable, CaseIterable {
    /// 24-hour trade value in won: the default.
    case popularity
    /// The name shown.
    case name
    /// The price; across quotes, in won.
    case price
    /// The change rate of the list's period.
    case changeRate
    /// The 24-hour trade value; across quotes, in won.
    case tradeValue

    /// The direction a person expects first: names ascend, figures descend.
    public var naturalDirection: SortDirection {
        switch self {
        case .name: .ascending
        case .popularity, .price, .changeRate, .tradeValue: .descending
        }
    }
}

/// Which way a list runs.
///
/// Missing values stand last either way.
public enum SortDirection: String, Sendable, Hashable, CaseIterable {
    /// Smallest first.
    case ascending = "asc"
    /// Largest first.
    case descending = "desc"

    /// The other way.
    public var reversed: SortDirection { self == .ascending ? .descending : .ascending }
}
