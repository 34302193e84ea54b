/// Whether a coin can be deposited and withdrawn; nil is unknown.
public struct AssetState: Sendable, Hashable {
    /// 입금: whether deposits are possible.
    public var isDepositOpen: Bool?
    /// 출금: whether withdrawals are possible.
    public var isWithdrawalOpen: Bool?

    /// Makes a state.
    public init(isDepositOpen: Bool?, isWithdrawalOpen: Bool?) {
        self.isDepositOpen = isDepositOpen
        self.isWithdrawalOpen = isWithdrawalOpen
    }
}

/// The deposit and withdrawal states of all coins, as last read.
public struct AssetStates: Sendable, Hashable {
    /// How often they are read while somebody looks at them.
    public static let readingInterval: Duration = .seconds(60)
    /// How old they may be before they are stale: two readings.
    public static let staleAfter: Duration = .seconds(120)

    /// The states by coin; empty until the first reading.
    public internal(set) var states: [Asset: AssetState] = [:]
    /// When they were read; nil before the first reading.
    public internal(set) var readAt: Timestamp?
    /// Why the last reading failed; nil if it did not.
    public internal(set) var failure: FeedFailure?
    /// When the failed reading is repeated.
    public internal(set) var nextRetryAt: Timestamp?

    /// Nothing has been read.
    public init() {}

    /// The state of a coin; nil if it is not known.
    public subscript(asset: Asset) -> AssetState? { states[asset] }

    /// When they turn stale unless read again; nil before the first reading.
    public var staleAt: Timestamp? { readAt?.advanced(by: Self.staleAfter) }
}
