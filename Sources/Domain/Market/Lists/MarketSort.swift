/// Sort key of a market list.
public enum MarketSortKey: String, Sendable, Hashable, CaseIterable {
    /// 24-hour trade value in won: the default.
    case popularity
    /// The displayed name.
    case name
    /// The price; across quotes, in won.
    case price
    /// The change rate of the list's period.
    case changeRate
    /// The 24-hour trade value; across quotes, in won.
    case tradeValue

    /// The direction users expect first: names ascend, numbers descend.
    public var naturalDirection: SortDirection {
        switch self {
        case .name: .ascending
        case .popularity, .price, .changeRate, .tradeValue: .descending
        }
    }
}

/// Sort direction.
///
/// Missing values come last in both.
public enum SortDirection: String, Sendable, Hashable, CaseIterable {
    /// Smallest first.
    case ascending = "asc"
    /// Largest first.
    case descending = "desc"

    /// The opposite direction.
    public var reversed: SortDirection { self == .ascending ? .descending : .ascending }
}
