/// Whether a coin's deposits and withdrawals are open; nil means unknown.
public struct AssetState: Sendable, Hashable {
    /// 입금: whether deposits are open.
    public var isDepositOpen: Bool?
    /// 출금: whether withdrawals are open.
    public var isWithdrawalOpen: Bool?

    /// Makes a state.
    public init(isDepositOpen: Bool?, isWithdrawalOpen: Bool?) {
        self.isDepositOpen = isDepositOpen
        self.isWithdrawalOpen = isWithdrawalOpen
    }
}

/// The deposit and withdrawal states of all coins, as last read from REST.
public struct AssetStates: Sendable, Hashable {
    /// Polling interval while a client is interested.
    public static let readingInterval: Duration = .seconds(60)
    /// Age at which the states are stale: two polling intervals.
    public static let staleAfter: Duration = .seconds(120)

    /// States by coin; empty before the first answer.
    public internal(set) var states: [Asset: AssetState] = [:]
    /// When the states were read; nil before the first answer.
    public internal(set) var readAt: Timestamp?
    /// Why the last request failed; nil if it succeeded.
    public internal(set) var failure: FeedFailure?
    /// When the failed request is retried.
    public internal(set) var nextRetryAt: Timestamp?

    /// No states yet.
    public init() {}

    /// Makes all states unknown.
    mutating func forget() {
        states = [:]
        readAt = nil
    }

    /// The state of a coin; nil if unknown.
    public subscript(asset: Asset) -> AssetState? { states[asset] }

    /// When the states become stale; nil before the first answer.
    public var staleAt: Timestamp? { readAt?.advanced(by: Self.staleAfter) }

    /// Whether the states are fresh at a local time.
    public func isFresh(at now: Timestamp) -> Bool {
        readAt?.isFresh(at: now, for: Self.staleAfter) ?? false
    }
}
