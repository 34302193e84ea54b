public import Domain

/// The periods in use: those whose changes a client shows.
public typealias PeriodInterests = Interests<ShownPeriod>

/// Periods in use until released.
public typealias PeriodLease = InterestLease<ShownPeriod>

extension ShownPeriod: InterestKey {
    /// False: the bases of all markets stay in memory once they are read.
    public var isHeavy: Bool { false }
}
