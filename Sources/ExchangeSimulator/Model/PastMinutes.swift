import Domain

/// The minutes of a stretch of a market's past.
final class PastMinutes: Sendable {
    /// The number of the first minute, since the Unix epoch.
    let first: Int
    let minutes: [Minute]

    init(first: Int, minutes: [Minute]) {
        self.first = first
        self.minutes = minutes
    }

    /// The minutes' numbers.
    var numbers: Range<Int> { first..<(first + minutes.count) }

    subscript(number: Int) -> Minute { minutes[number - first] }

    /// The newest rows of one minute before `end`, ascending, that fill `count` buckets of a unit.
    ///
    /// Fewer if the stretch has fewer; none of the minutes of `closure`.
    func rows(
        before end: Int,
        filling count: Int,
        of unit: MarketCandleUnit,
        without closure: Range<Int>
    ) -> [CandleRow] {
        [CandleRow].newest(
            of: numbers.clamped(to: min(first, end)..<end),
            filling: count,
            of: unit,
            without: closure
        ) { self[$0] }
    }
}

extension [CandleRow] {
    /// The newest rows of one minute, ascending, that fill `count` buckets of a unit.
    ///
    /// - Parameters:
    ///   - numbers: the minutes.
    ///   - count: how many buckets; fewer if the minutes have fewer.
    ///   - unit: the length of the buckets.
    ///   - closure: minutes without rows.
    ///   - minute: returns the figures of a minute.
    /// - Returns: the rows.
    static func newest(
        of numbers: Range<Int>,
        filling count: Int,
        of unit: MarketCandleUnit,
        without closure: Range<Int>,
        _ minute: (Int) -> Minute
    ) -> [CandleRow] {
        var rows: [CandleRow] = []
        var buckets = 0
        var bucket: Int?
        for number in numbers.reversed() {
            guard !closure.contains(number),
                let row = CandleRow(minute(number), start: number, last: number)
            else { continue }
            let start = unit.start(of: number)
            if start != bucket {
                if buckets == count { break }
                buckets += 1
                bucket = start
            }
            rows.append(row)
        }
        return rows.reversed()
    }
}

extension PastMarket {
    /// The last 25 hours before the start.
    func recentMinutes() -> PastMinutes {
        PastMinutes(first: current - MinuteHistory.capacity + 1, minutes: recent())
    }

    /// The newest trades that a page includes, newest first.
    func trades(in minutes: PastMinutes, of page: TradePage, count: Int) -> [SimulatedTrade] {
        var trades: [SimulatedTrade] = []
        let numbers = minutes.numbers.clamped(to: page.minutes)
        for number in numbers.reversed() where minutes[number].hasTrades {
            for trade in self.trades(of: minutes[number], number: number).reversed()
            where page.includes(trade) {
                trades.append(trade)
                if trades.count == count { return trades }
            }
        }
        return trades
    }
}
