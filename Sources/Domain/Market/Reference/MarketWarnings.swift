/// 경보: a warning of the exchange about one market.
public struct MarketAlert: Sendable, Hashable {
    /// What it warns of, in the exchange's words: `PRICE_SUDDEN_FLUCTUATION`, ….
    public var type: String
    /// How grave it is, in the exchange's words: `CAUTION`, `WARNING` or `DANGER`; nil where the
    /// exchange does not say.
    public var step: String?
    /// When it ends; nil if unknown.
    public var endsAt: Timestamp?

    /// Makes a warning.
    public init(type: String, step: String?, endsAt: Timestamp?) {
        self.type = type
        self.step = step
        self.endsAt = endsAt
    }
}

/// What the exchange warns of, for all its markets, as one reading tells it.
public struct MarketWarnings: Sendable, Hashable {
    /// 유의: the markets with an investment warning.
    public var warned: Set<MarketID>
    /// 경보: the warnings by market, in the order of the exchange.
    public var alerts: [MarketID: [MarketAlert]]
    /// When they were read.
    public var readAt: Timestamp

    /// Makes a reading.
    public init(
        warned: Set<MarketID>,
        alerts: [MarketID: [MarketAlert]],
        readAt: Timestamp
    ) {
        self.warned = warned
        self.alerts = alerts
        self.readAt = readAt
    }

    /// The warnings of a market that have not ended at a moment.
    public func alerts(of market: MarketID, at now: Timestamp) -> [MarketAlert] {
        (alerts[market] ?? []).filter { alert in alert.endsAt.map { now < $0 } ?? true }
    }
}
