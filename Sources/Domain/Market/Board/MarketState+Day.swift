extension MarketState {
    /// 당일 figures of a Seoul day; nothing is known of any other day than the newest.
    public func today(on day: Int?) -> DayStatistics {
        guard let day, figuresDay == day else { return DayStatistics() }
        var figures = figures
        // Trades alone are not the day's extremes: nobody saw those of its beginning.
        if figures.high != nil, figures.low != nil, traded.day == day {
            figures.widen(to: traded.high)
            figures.widen(to: traded.low)
        }
        return figures
    }

    /// Notes how far the trades of a day reach.
    mutating func noteExtremes(of trade: Trade) {
        let day = SeoulTime(trade.executedAt).day
        if day > traded.day ?? .min {
            traded = TradedRange(day: day, high: trade.price, low: trade.price)
        } else if day == traded.day {
            traded.high = max(traded.high ?? trade.price, trade.price)
            traded.low = min(traded.low ?? trade.price, trade.price)
        }
    }

    /// 전일종가 of a Seoul day; nil while it is not known which day it is of.
    public func previousClose(on day: Int?) -> FixedDecimal? {
        previousCloseDay == day ? previousClose : nil
    }

    /// Takes figures of the day that their time lies in.
    mutating func offer(_ new: DayStatistics, at: Timestamp, from source: ValueSource) {
        let day = SeoulTime(at).day
        guard day >= figuresDay ?? .min else { return }
        if day != figuresDay {
            figures = new
        } else if Self.isNewer(at, source, than: figuresAt, figuresSource) {
            figures.take(new)
        } else {
            figures.complete(with: new)
            return
        }
        figuresDay = day
        figuresAt = at
        figuresSource = source
    }

    /// Takes the strength of a frame over 24 hours if that is the newest.
    mutating func offerStrength(of frame: TickerFrame) {
        guard frame.at >= strengthAt ?? frame.at, let bought = frame.buyVolume,
            let sold = frame.sellVolume
        else { return }
        strengthAt = frame.at
        tradeStrengthPercent = Self.strength(bought: bought, sold: sold)
    }

    /// Bought volume in per cent of sold volume; nil while nothing was sold or out of range.
    private static func strength(bought: FixedDecimal, sold: FixedDecimal) -> FixedDecimal? {
        guard sold.sign > 0, bought.sign >= 0,
            let hundredfold = try? bought.multiplied(by: FixedDecimal(100), rounding: .halfEven),
            // Cut first, so that a little less than a half is not rounded up twice.
            let percent = try? hundredfold.divided(by: sold, rounding: .truncate)
        else { return nil }
        return try? percent.rounded(toFractionDigits: 2, .halfAwayFromZero)
    }
}

extension DayStatistics {
    /// What a listing says of the day.
    init(_ entry: ListingEntry) {
        open = entry.openToday
        high = entry.highToday
        low = entry.lowToday
        volume = entry.volumeToday
        tradeValue = entry.tradeValueToday
    }

    /// What a frame since midnight says of the day.
    init(_ frame: TickerFrame) {
        open = frame.openPrice.sign > 0 ? frame.openPrice : nil
        high = frame.highPrice.flatMap { $0.sign > 0 ? $0 : nil }
        low = frame.lowPrice.flatMap { $0.sign > 0 ? $0 : nil }
        volume = frame.volume
        tradeValue = frame.tradeValue
    }
}
