import Domain

/// Generates a market's history before the simulation began, on request.
///
/// A pure function of the seed. The last 25 hours and nine weeks before them are minutes, the
/// months before those hours, and the years before those days. Each part continues the next one's
/// price.
struct PastMarket: Sendable {
    let seed: MarketSeed
    let ladder: PriceGrid
    /// The minute in which the simulation begins; it has no trades yet.
    let current: Int
    /// Seed of this market's history.
    let key: UInt64
    /// Mean number of trades a minute, in thousandths.
    private let tradesThousandths: Int
    private let minuteTurnover: Int128
    private let random: SeededRandom

    /// How many days before the simulation's first day are stored as minutes and as hours.
    static let minuteDays = 63
    static let hourDays = 211
    /// Maximum age of a market at the start, in days.
    private static let ageDaysMax = 2_900
    private static let ageDaysMin = 250

    /// 24-hour turnover of the busiest market in won.
    ///
    /// Together with the markets' shares it gives histories of the size seen in 2026.
    private static let wonPerDay: Int128 = 180_000_000_000
    /// Usual size of a trade in won.
    ///
    /// With the turnover it determines how many minutes are empty.
    private static let wonPerTrade: Int128 = 60_000
    /// Maximum price move in millionths: in a minute, and scaled by the square root of time in an
    /// hour and a day.
    private static let moves = (minute: 1_600, hour: 12_400, day: 60_000)
    /// How long ago a market without trades in 24 hours was last traded.
    private static let quietMinutes = 2 * SeoulMinute.perDay

    init(seed: MarketSeed, heaviestWeight: Int, start: Timestamp, random: SeededRandom) {
        self.seed = seed
        self.random = random
        var own = random
        key = own.next()
        ladder = PriceGrid.of(seed.id.quote)
        current = SeoulMinute.number(of: start)
        // Quiet coins were traded once.
        let heaviest = max(1, heaviestWeight)
        let weight = seed.weight > 0 ? seed.weight : max(1, heaviest / 50_000)
        let wonPerMinute =
            Self.wonPerDay * Int128(weight) / Int128(heaviest) / Int128(SeoulMinute.perDay)
        tradesThousandths = Int(wonPerMinute * 1_000 / Self.wonPerTrade)
        let units: Int128 =
            switch seed.id.quote {
            case .krw: wonPerMinute * 10_000
            case .btc: wonPerMinute * 100_000_000 / Int128(MarketCatalog.bitcoinWon)
            }
        minuteTurnover = max(1, units)
    }

    /// Trades in a minute with trades, 2...100.
    private var tradesPerMinute: Int { min(100, max(2, tradesThousandths / 1_000)) }

    // MARK: Minutes

    /// The last 25 hours, from which the simulation starts.
    func recent() -> [Minute] {
        var random = random
        let count = MinuteHistory.capacity
        let first = current - count + 1
        var traded = traded(from: first, count: count, random: &random)
        traded[count - 1] = false
        return walk.periods(traded: traded, close: seed.price, random: &random)
    }

    /// The minutes before those of ``recent()``.
    ///
    /// Its last minute is the first one there.
    private func earlier(than recent: [Minute]) -> (first: Int, minutes: [Minute]) {
        var random = SeededRandom(seed: key ^ 0x6d69_6e75_7465)
        let first = midnight(daysAgo: Self.minuteDays) - 1
        let last = current - MinuteHistory.capacity + 1
        let traded = traded(from: first, count: last - first + 1, random: &random)
        return (first, walk.periods(traded: traded, close: recent[0].close, random: &random))
    }

    private var walk: RandomWalk {
        RandomWalk(
            ladder: ladder,
            turnover: minuteTurnover,
            moveMillionths: Self.moves.minute,
            wickMillionths: 0
        )
    }

    /// Which minutes have trades: few for illiquid markets, none during maintenance.
    private func traded(
        from first: Int,
        count: Int,
        random: inout SeededRandom
    ) -> [Bool] {
        let thousandths = tradesThousandths * 1_000 / (tradesThousandths + 300) + 1
        let end = seed.weight > 0 ? current : current - Self.quietMinutes
        return (0..<count).map { index in
            random.happens(thousandths) && first + index < end
                && !isClosed(first + index)
        }
    }

    private func midnight(daysAgo days: Int) -> Int {
        ChartInterval.hours24.start(of: current) - days * SeoulMinute.perDay
    }

    // MARK: Maintenance

    /// Maintenance of the whole exchange: days before the start, hour in Seoul, length.
    private static let closures: [(daysAgo: Int, hour: Int, hours: Int)] = [
        (5, 3, 2), (19, 2, 2), (47, 4, 4), (110, 1, 6),
    ]
    /// Days missing from the histories of old coins, counted back from the start.
    private static let missingDays = [2_000...2_045, 2_420...2_464]

    private func isClosed(_ minute: Int) -> Bool {
        Self.closures.contains { closure in
            let start = midnight(daysAgo: closure.daysAgo) + closure.hour * 60
            return minute >= start && minute < start + closure.hours * 60
        }
    }
}

extension PastMarket {
    /// All chart rows and the last trades before the start.
    ///
    /// Takes some milliseconds.
    func archive() -> ChartArchive {
        let past = minutes()
        let (first, minutes) = (past.first, past.minutes)
        let rows = minutes.enumerated().compactMap { index, minute in
            CandleRow(minute, start: first + index, last: first + index)
        }
        var random = SeededRandom(seed: key ^ 0x686f_7572)
        let hourly = hours(endingAt: minutes[0].close, random: &random)
        let hours = hourly.rows + rows.folded(by: .hour1)
        let days = days(endingAt: hourly.open, random: &random) + hours.folded(by: .hours24)
        return ChartArchive(
            minutes5: rows.folded(by: .minutes5).suffix(ChartInterval.minutes5.rowsMax),
            minutes10: rows.folded(by: .minutes10).suffix(ChartInterval.minutes10.rowsMax),
            minutes30: rows.folded(by: .minutes30).suffix(ChartInterval.minutes30.rowsMax),
            hours: hours,
            days: days,
            trades: trades(of: minutes, first: first)
        )
    }

    /// All minutes before the start, which take some milliseconds.
    func minutes() -> PastMinutes {
        let recent = recent()
        let (first, earlier) = earlier(than: recent)
        // The last of the earlier minutes is the first of the recent ones and has its figures.
        return PastMinutes(first: first, minutes: earlier + recent.dropFirst())
    }

    private func hours(
        endingAt close: Int64,
        random: inout SeededRandom
    ) -> (rows: [CandleRow], open: Int64) {
        let first = midnight(daysAgo: Self.hourDays)
        let count = (Self.hourDays - Self.minuteDays) * 24
        let traded = (0...count).map { index in !isClosed(first + (index - 1) * 60) }
        let walk = RandomWalk(
            ladder: ladder,
            turnover: minuteTurnover * 60,
            moveMillionths: Self.moves.hour,
            wickMillionths: Self.moves.hour / 2
        )
        let hours = walk.periods(traded: traded, close: close, random: &random)
        let rows = hours.enumerated().compactMap { index, hour in
            let start = first + (index - 1) * 60
            return CandleRow(hour, start: start, last: start + 59)
        }
        return (rows, hours[0].close)
    }

    private func days(endingAt close: Int64, random: inout SeededRandom) -> [CandleRow] {
        let range = Self.ageDaysMin...Self.ageDaysMax
        let age = seed.isOldest ? Self.ageDaysMax : random.number(in: range)
        let count = age - Self.hourDays
        let traded = (0...count).map { index in
            let daysAgo = age - index + 1
            return !Self.missingDays.contains { $0.contains(daysAgo) }
        }
        let walk = RandomWalk(
            ladder: ladder,
            turnover: minuteTurnover * Int128(SeoulMinute.perDay),
            moveMillionths: Self.moves.day,
            wickMillionths: Self.moves.day / 2
        )
        return walk.periods(traded: traded, close: close, random: &random).enumerated()
            .compactMap { index, day in
                let start = midnight(daysAgo: age - index + 1)
                return CandleRow(day, start: start, last: start + SeoulMinute.perDay - 1)
            }
    }

    // MARK: Trades

    /// The last hundred trades, generated from the last minutes with trades.
    private func trades(of minutes: [Minute], first: Int) -> [SimulatedTrade] {
        var pieces: [[SimulatedTrade]] = []
        var count = 0
        for index in minutes.indices.reversed() where minutes[index].hasTrades {
            pieces.append(trades(of: minutes[index], number: first + index))
            count += pieces.last?.count ?? 0
            if count >= RecentTrades.answerMax { break }
        }
        return pieces.reversed().flatMap(\.self).suffix(RecentTrades.answerMax)
    }

    /// The trades of one minute with trades, oldest first; always the same ones.
    func trades(of minute: Minute, number: Int) -> [SimulatedTrade] {
        var random = SeededRandom(seed: key &+ UInt64(number))
        let generator = MinuteTradeGenerator(ladder: ladder, countUsual: tradesPerMinute)
        return generator.trades(of: minute, number: number, random: &random)
    }
}

/// Charts and trades from before the simulation began.
///
/// Bounded by 1,501 + 2 × 3,001 + 5,100 + 2,900 rows and 100 trades, about one megabyte.
final class ChartArchive: Sendable {
    let minutes5: [CandleRow]
    let minutes10: [CandleRow]
    let minutes30: [CandleRow]
    let hours: [CandleRow]
    let days: [CandleRow]
    /// Oldest first, at most a hundred.
    let trades: [SimulatedTrade]

    init(
        minutes5: [CandleRow],
        minutes10: [CandleRow],
        minutes30: [CandleRow],
        hours: [CandleRow],
        days: [CandleRow],
        trades: [SimulatedTrade]
    ) {
        self.minutes5 = minutes5
        self.minutes10 = minutes10
        self.minutes30 = minutes30
        self.hours = hours
        self.days = days
        self.trades = trades
    }

    /// The stored rows from which an interval is built.
    ///
    /// The intervals of one and three minutes have other sources.
    func rows(for span: ChartInterval) -> [CandleRow] {
        switch span {
        case .minute1, .minutes3: []
        case .minutes5: minutes5
        case .minutes10: minutes10
        case .minutes30: minutes30
        case .hour1, .hours6, .hours12: hours
        case .hours24: days
        }
    }
}

/// Makes markets in their state at the start of a simulation, from a generated history.
enum SimulatedMarketFactory: Sendable {
    static func market(of past: PastMarket) -> SimulatedMarket {
        let minutes = past.recent()
        let first = past.current - minutes.count + 1
        let lastTrade = minutes.lastIndex(where: \.hasTrades).flatMap { index in
            past.trades(of: minutes[index], number: first + index).last
        }
        return SimulatedMarket(
            id: past.seed.id,
            anchor: past.seed.price,
            weight: past.seed.weight,
            standing: past.seed.isSuspended ? .suspended : .active,
            price: past.seed.price,
            history: MinuteHistory(minutes: minutes, current: past.current),
            day: day(of: minutes, current: past.current),
            past: past,
            pastTrade: lastTrade,
            bookSeed: past.key ^ 0x626f_6f6b
        )
    }

    /// The day's figures, from the same minutes.
    private static func day(of minutes: [Minute], current: Int) -> SimulatedMarket.Day {
        let last = MinuteHistory.capacity - 1
        let first = last - SeoulMinute.sinceMidnight(current)
        var day = SimulatedMarket.Day(open: nil, previousClose: minutes[first - 1].close)
        for minute in minutes[first...] where minute.hasTrades {
            day.sums.add(minute)
            if day.open == nil { day.open = minute.open }
        }
        return day
    }
}
