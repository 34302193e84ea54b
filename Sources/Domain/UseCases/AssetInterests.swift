public import Domain

/// What somebody may look at of all coins together.
public enum AssetInterest: InterestKey {
    /// Deposits and withdrawals: one reading tells those of all coins.
    case states

    /// Never: there is one.
    public var isHeavy: Bool { false }
}

/// Who looks at deposits and withdrawals.
public typealias AssetInterests = Interests<AssetInterest>

/// A look at deposits and withdrawals that is held until it is released.
public typealias AssetLease = InterestLease<AssetInterest>

extension Interests where Interest == AssetInterest {
    /// Whether anybody looks at deposits and withdrawals.
    public var areStatesWanted: Bool { wanted.contains(.states) }

    /// Begins to look at deposits and withdrawals; ends when the lease is released or given up.
    ///
    /// - Returns: never nil in truth: there is one interest, which always fits.
    public func enter() -> AssetLease? { enter([.states]) }

    /// Looks at deposits and withdrawals once, which counts for ``touchDuration``.
    public func glance(now: Timestamp) { _ = glance(at: [.states], now: now) }
}
