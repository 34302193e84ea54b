/// 경보: an alert of the exchange about one market.
public struct MarketAlert: Sendable, Hashable {
    /// The exchange's type: `PRICE_SUDDEN_FLUCTUATION`, ….
    public var type: String
    /// The exchange's severity: `CAUTION`, `WARNING` or `DANGER`; nil if it sends none.
    public var step: String?
    /// When it ends; nil if unknown.
    public var endsAt: Timestamp?

    /// Makes an alert.
    public init(type: String, step: String?, endsAt: Timestamp?) {
        self.type = type
        self.step = step
        self.endsAt = endsAt
    }
}

/// The exchange's warnings about all markets, from one REST answer.
public struct MarketWarnings: Sendable, Hashable {
    /// 유의: markets with an investment warning.
    public var warned: Set<MarketID>
    /// 경보: alerts by market, in the exchange's order.
    public var alerts: [MarketID: [MarketAlert]]
    /// When they were read.
    public var readAt: Timestamp

    /// Makes a set of warnings.
    public init(
        warned: Set<MarketID>,
        alerts: [MarketID: [MarketAlert]],
        readAt: Timestamp
    ) {
        self.warned = warned
        self.alerts = alerts
        self.readAt = readAt
    }

    /// The alerts of a market that have not ended.
    public func alerts(of market: MarketID, at now: Timestamp) -> [MarketAlert] {
        (alerts[market] ?? []).filter { alert in alert.endsAt.map { now < $0 } ?? true }
    }
}
