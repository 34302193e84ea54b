import Domain

/// What a market did before the simulation began, made up when somebody asks.
///
/// A pure function of the seed: the last 25 hours and the weeks before them in minutes, the months
/// before those in hours and the years before in days, each joined to the next by its price.
struct PastMarket: Sendable {
    let seed: MarketSeed
    let ladder: PriceGrid
    /// The minute the simulation begins in; nothing is traded in it yet.
    let current: Int
    /// What tells this past from all others of the exchange.
    let key: UInt64
    /// Trades in a minute on average, in thousandths.
    private let tradesThousandths: Int
    private let minuteTurnover: Int128
    private let random: SeededRandom

    /// How many days before the first one of the simulation are known in minutes and in hours.
    static let minuteDays = 63
    static let hourDays = 211
    /// The oldest market's first day, and the youngest one's at the start.
    private static let ageDaysMax = 2_900
    private static let ageDaysMin = 250

    /// The turnover of the most traded market in 24 hours, in won: it and the others' shares give
    /// histories of the size seen in 2026.
    private static let wonPerDay: Int128 = 180_000_000_000
    /// The usual size of a trade in won; with the turnover it says how many minutes are empty.
    private static let wonPerTrade: Int128 = 60_000
    /// How far a price moves at most, in millionths: in a minute, and by the square root of time
    /// in an hour and in a day.
    private static let moves = (minute: 1_600, hour: 12_400, day: 60_000)
    /// For how long a coin that is never traded has not been.
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

    /// Trades in a minute when it has any: 2...100.
    private var tradesPerMinute: Int { min(100, max(2, tradesThousandths / 1_000)) }

    // MARK: Minutes

    /// The last 25 hours as the simulation starts from them.
    func recent() -> [Minute] {
        var random = random
        let count = MinuteHistory.capacity
        let first = current - count + 1
        var traded = traded(from: first, count: count, random: &random)
        traded[count - 1] = false
        return walk.periods(traded: traded, close: seed.price, random: &random)
    }

    /// The minutes before those of ``recent()``, the last of them the first one there.
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

    /// Which minutes have trades: of little traded markets few, and none during maintenance.
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

    /// When the exchange was closed to everybody: days before the start, hour in Seoul, length.
    private static let closures: [(daysAgo: Int, hour: Int, hours: Int)] = [
        (5, 3, 2), (19, 2, 2), (47, 4, 4), (110, 1, 6),
    ]
    /// Days that are missing from the histories of old coins, counted back from the start.
    private static let missingDays = [2_000...2_045, 2_420...2_464]

    private func isClosed(_ minute: Int) -> Bool {
        Self.closures.contains { closure in
            let start = midnight(daysAgo: closure.daysAgo) + closure.hour * 60
            return minute >= start && minute < start + closure.hours * 60
        }
    }
}

extension PastMarket {
    /// All rows of charts and the last trades before the start: some milliseconds of work.
    func archive() -> MarketArchive {
        let recent = recent()
        let (first, earlier) = earlier(than: recent)
        // The last of the earlier minutes is the first of the recent ones, with its figures.
        let minutes = earlier + recent.dropFirst()
        let rows = minutes.enumerated().compactMap { index, minute in
            CandleRow(minute, start: first + index, last: first + index)
        }
        var random = SeededRandom(seed: key ^ 0x686f_7572)
        let hourly = hours(endingAt: minutes[0].close, random: &random)
        let hours = hourly.rows + rows.folded(by: .hour1)
        let days = days(endingAt: hourly.open, random: &random) + hours.folded(by: .hours24)
        return MarketArchive(
            minutes5: rows.folded(by: .minutes5).suffix(ChartInterval.minutes5.rowsMax),
            minutes10: rows.folded(by: .minutes10).suffix(ChartInterval.minutes10.rowsMax),
            minutes30: rows.folded(by: .minutes30).suffix(ChartInterval.minutes30.rowsMax),
            hours: hours,
            days: days,
            trades: trades(of: minutes, first: first)
        )
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

    /// The last hundred trades, which are the last traded minutes told one by one.
    private func trades(of minutes: [Minute], first: Int) -> [SimulatedTrade] {
        var pieces: [[SimulatedTrade]] = []
        var count = 0
        for index in minutes.indices.reversed() where minutes[index].hasTrades {
            let number = first + index
            var random = SeededRandom(seed: key &+ UInt64(number))
            let teller = MinuteTradeGenerator(ladder: ladder, countUsual: tradesPerMinute)
            pieces.append(teller.trades(of: minutes[index], number: number, random: &random))
            count += pieces.last?.count ?? 0
            if count >= RecentTrades.capacity { break }
        }
        return pieces.reversed().flatMap(\.self).suffix(RecentTrades.capacity)
    }
}

/// What was before a simulation began, as charts and lists of trades show it.
///
/// The bound: 1,501 + 2 × 3,001 + 5,100 + 2,900 rows and 100 trades, about a megabyte.
final class MarketArchive: Sendable {
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

    /// The stored rows that a span is made of; those of a minute and three come from elsewhere.
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
