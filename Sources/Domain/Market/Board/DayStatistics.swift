/// 당일: what is known of a market since 00:00 in Seoul; nil is unknown, never zero.
public struct DayStatistics: Sendable, Hashable {
    /// 시가: the first price.
    public internal(set) var open: FixedDecimal?
    /// 고가: the highest price.
    public internal(set) var high: FixedDecimal?
    /// 저가: the lowest price.
    public internal(set) var low: FixedDecimal?
    /// Base volume.
    public internal(set) var volume: FixedDecimal?
    /// Quote turnover.
    public internal(set) var tradeValue: FixedDecimal?

    init() {}

    /// Takes newer figures of the same day: extremes of a day only widen.
    mutating func take(_ newer: DayStatistics) {
        open = newer.open ?? open
        widen(to: newer.high)
        widen(to: newer.low)
        volume = newer.volume ?? volume
        tradeValue = newer.tradeValue ?? tradeValue
    }

    /// Takes what older figures of the same day know and these do not.
    mutating func complete(with older: DayStatistics) {
        open = open ?? older.open
        widen(to: older.high)
        widen(to: older.low)
        volume = volume ?? older.volume
        tradeValue = tradeValue ?? older.tradeValue
    }

    /// Widens the extremes to a price.
    mutating func widen(to price: FixedDecimal?) {
        guard let price else { return }
        high = max(high ?? price, price)
        low = min(low ?? price, price)
    }
}
