/// Turnover of one market in its last minutes, from live trades.
///
/// The clock is the exchange time of the trades. The last *n* minutes are the running one and the
/// *n* − 1 before it. They are unknown until trades have been followed for so long without an
/// interruption.
public struct AlertTurnover: Sendable, Hashable {
    private static let microsecondsPerMinute: Int64 = 60_000_000
    private static let minutesPerDay: Int64 = 1_440

    private struct Minute: Sendable, Hashable {
        var number: Int64
        var value: FixedDecimal
    }

    /// Minutes with a trade, ascending; those that no rule can watch are dropped.
    private var minutes: [Minute] = []
    /// The first minute of which all trades are known.
    private let completeFrom: Int64

    /// A turnover without trades.
    ///
    /// - Parameter since: exchange time after which all trades of the market will be added.
    public init(since: Timestamp) { completeFrom = Self.minute(of: since) + 1 }

    /// Adds a live trade.
    ///
    /// A trade before the minutes kept is dropped, and one whose value overflows counts as zero.
    public mutating func add(_ trade: Trade) {
        guard let value = try? trade.price.multiplied(by: trade.quantity, rounding: .halfEven)
        else { return }
        let number = Self.minute(of: trade.executedAt)
        let place = minutes.lastIndex { $0.number <= number }
        if let place, minutes[place].number == number {
            minutes[place].value = (try? minutes[place].value + value) ?? minutes[place].value
        } else {
            minutes.insert(Minute(number: number, value: value), at: place.map { $0 + 1 } ?? 0)
        }
        let newest = minutes.last?.number ?? number
        let oldest = newest - Int64(AlertSignal.turnoverMinutes.upperBound)
        if let first = minutes.first, first.number <= oldest {
            minutes.removeAll { $0.number <= oldest }
        }
    }

    /// Turnover of the last minutes as a multiple of the average of so many minutes, truncated to
    /// 18 fraction digits.
    ///
    /// - Parameters:
    ///   - count: the number of minutes, at least one.
    ///   - now: exchange time.
    ///   - tradeValue24h: the turnover of the last 24 hours.
    /// - Returns: nil if the minutes are not known as a whole, without turnover in 24 hours, or on
    ///   overflow.
    public func multiple(
        ofMinutes count: Int,
        at now: Timestamp,
        tradeValue24h: FixedDecimal
    ) -> FixedDecimal? {
        let first = Self.minute(of: now) - Int64(count) + 1
        guard completeFrom <= first, tradeValue24h.sign > 0 else { return nil }
        var sum = FixedDecimal.zero
        for minute in minutes where minute.number >= first {
            guard let next = try? sum + minute.value else { return nil }
            sum = next
        }
        // Two divisions: the turnover of a day times a count might overflow.
        let share = FixedDecimal(Self.minutesPerDay)
        return (try? sum.multiplied(by: share, rounding: .truncate))
            .flatMap { try? $0.divided(by: tradeValue24h, rounding: .truncate) }
            .flatMap { try? $0.divided(by: FixedDecimal(Int64(count)), rounding: .truncate) }
    }

    private static func minute(of time: Timestamp) -> Int64 {
        time.microseconds.floorDivided(by: microsecondsPerMinute)
    }
}
