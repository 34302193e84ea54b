/// Which coins a list of deposits and withdrawals has.
public enum AssetFilter: String, Sendable, Hashable, CaseIterable {
    /// 전체: all.
    case all
    /// 정상: both are possible.
    case normal
    /// 중단: at least one is not possible.
    case suspended
}

/// What a list of deposits and withdrawals is sorted by.
public enum AssetSortKey: String, Sendable, Hashable, CaseIterable {
    /// The coin's name in the order of the Korean alphabet.
    case name
    /// Whether it can be deposited; ascending puts what is possible first. Ties by name.
    case deposit
    /// Whether it can be withdrawn, likewise.
    case withdrawal
}
