public import Domain

/// Interests in all coins together.
public enum AssetInterest: InterestKey {
    /// Deposit and withdrawal states; one request returns those of all coins.
    case states

    /// False: there is only one such interest.
    public var isHeavy: Bool { false }
}

/// Open interests in deposit and withdrawal states.
public typealias AssetInterests = Interests<AssetInterest>

/// An interest in deposit and withdrawal states, held until released.
public typealias AssetLease = InterestLease<AssetInterest>

extension Interests where Interest == AssetInterest {
    /// Whether any client is interested in deposit and withdrawal states.
    public var areStatesWanted: Bool { wanted.contains(.states) }

    /// Opens an interest in deposit and withdrawal states until the lease is released or
    /// deinitialized.
    ///
    /// - Returns: never nil in practice, because a single interest always fits.
    public func enter() -> AssetLease? { enter([.states]) }

    /// Registers an interest in deposit and withdrawal states for ``touchDuration``.
    public func touch(now: Timestamp) { _ = touch([.states], now: now) }
}
