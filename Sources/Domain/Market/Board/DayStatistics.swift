/// 당일: statistics of a market since 00:00 in Seoul; nil means unknown, never zero.
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

    /// Merges newer statistics of the same day.
    ///
    /// Highs and lows only widen.
    mutating func merge(_ newer: DayStatistics) {
        open = newer.open ?? open
        widen(to: newer.high)
        widen(to: newer.low)
        volume = newer.volume ?? volume
        tradeValue = newer.tradeValue ?? tradeValue
    }

    /// Fills unknown values from older statistics of the same day.
    mutating func fill(from older: DayStatistics) {
        open = open ?? older.open
        widen(to: older.high)
        widen(to: older.low)
        volume = volume ?? older.volume
        tradeValue = tradeValue ?? older.tradeValue
    }

    /// Widens high and low to include a price.
    mutating func widen(to price: FixedDecimal?) {
        guard let price else { return }
        high = max(high ?? price, price)
        low = min(low ?? price, price)
    }
}

extension MarketState {
    /// 당일 statistics of a Seoul day; empty for any day except the newest.
    public func today(on day: Int?) -> DayStatistics {
        guard let day, figuresDay == day else { return DayStatistics() }
        var figures = figures
        // Trades alone do not give the day's high and low: those of its beginning are missing.
        if figures.high != nil, figures.low != nil, traded.day == day {
            figures.widen(to: traded.high)
            figures.widen(to: traded.low)
        }
        return figures
    }

    /// Widens the range of the trades of a day.
    mutating func noteExtremes(of trade: Trade) {
        let day = SeoulTime(trade.executedAt).day
        if day > traded.day ?? .min {
            traded = TradedRange(day: day, high: trade.price, low: trade.price)
        } else if day == traded.day {
            traded.high = max(traded.high ?? trade.price, trade.price)
            traded.low = min(traded.low ?? trade.price, trade.price)
        }
    }

    /// 전일종가 of a Seoul day; nil if the known one belongs to another day.
    public func previousClose(on day: Int?) -> FixedDecimal? {
        previousCloseDay == day ? previousClose : nil
    }

    /// Merges statistics into the day that their time belongs to.
    mutating func update(_ new: DayStatistics, at: Timestamp, from source: ValueSource) {
        let day = SeoulTime(at).day
        guard day >= figuresDay ?? .min else { return }
        if day != figuresDay {
            figures = new
        } else if Self.isNewer(at, source, than: figuresAt, figuresSource) {
            figures.merge(new)
        } else {
            figures.fill(from: new)
            return
        }
        figuresDay = day
        figuresAt = at
        figuresSource = source
    }

    /// Updates the trade strength if the 24-hour frame is the newest.
    mutating func updateStrength(of frame: TickerFrame) {
        guard frame.at >= strengthAt ?? frame.at, let bought = frame.buyVolume,
            let sold = frame.sellVolume
        else { return }
        strengthAt = frame.at
        tradeStrengthPercent = Self.strength(bought: bought, sold: sold)
    }

    /// Bought volume in percent of sold volume; nil if nothing was sold or on overflow.
    private static func strength(bought: FixedDecimal, sold: FixedDecimal) -> FixedDecimal? {
        guard sold.sign > 0, bought.sign >= 0,
            let hundredfold = try? bought.multiplied(by: FixedDecimal(100), rounding: .halfEven),
            // Truncated first, so that a value just below a half is not rounded up twice.
            let percent = try? hundredfold.divided(by: sold, rounding: .truncate)
        else { return nil }
        return try? percent.rounded(toFractionDigits: 2, .halfAwayFromZero)
    }
}

extension DayStatistics {
    /// The day statistics of a listing.
    init(_ entry: ListingEntry) {
        open = entry.openToday
        high = entry.highToday
        low = entry.lowToday
        volume = entry.volumeToday
        tradeValue = entry.tradeValueToday
    }

    /// The day statistics of a frame since midnight.
    init(_ frame: TickerFrame) {
        open = frame.openPrice.sign > 0 ? frame.openPrice : nil
        high = frame.highPrice.flatMap { $0.sign > 0 ? $0 : nil }
        low = frame.lowPrice.flatMap { $0.sign > 0 ? $0 : nil }
        volume = frame.volume
        tradeValue = frame.tradeValue
    }
}
