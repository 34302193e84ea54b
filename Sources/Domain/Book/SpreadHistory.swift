/// The spread of one market's book over the last hour, in basis points of the midpoint.
///
/// Each minute of exchange time has the time-weighted mean of the spreads that were seen in it. A
/// spread holds until the next one is seen, but no longer than ``holdLimit``: what follows is a
/// gap, as is the time in which the book was not followed or was stale.
public struct SpreadHistory: Sendable, Equatable {
    /// How many minutes are kept, the running one included.
    public static let minutesKept = 60
    /// How long a spread holds without another look at the book.
    public static let holdLimit = Duration.seconds(10)
    /// No spread is wider: the ask would have to be infinite.
    private static let widest = FixedDecimal(20_000)
    private static let minute: Int64 = 60_000_000

    /// The part of a minute that is known.
    private struct Minute: Equatable {
        /// Minutes since the Unix epoch.
        let number: Int64
        /// The sum of units times microseconds; sixty of the widest spread are below 2¹⁰⁷.
        var weighted: Int128
        /// How many microseconds are known.
        var known: Int64
    }

    /// The minutes with known parts, ascending.
    private var minutes: [Minute] = []
    /// The spread that holds; nil in a gap.
    private var held: FixedDecimal?
    /// When the book was last seen; nil before the first time.
    private var seenAt: Timestamp?

    /// Makes a history without a spread.
    public init() {}

    /// Records what the book shows at a time.
    ///
    /// A time before the last one is that of a corrected clock and records nothing; one that is
    /// earlier by more than the limit starts a new history.
    ///
    /// - Parameters:
    ///   - spread: the spread in basis points; nil, negative or above 20,000 where the book has
    ///     none that counts.
    ///   - time: of the exchange.
    public mutating func observe(_ spread: FixedDecimal?, at time: Timestamp) {
        if let seenAt, time < seenAt {
            guard seenAt.duration(since: time) > Self.holdLimit else { return }
            self = SpreadHistory()
        }
        if let seenAt, let held, time.duration(since: seenAt) <= Self.holdLimit {
            add(held, seenAt.microseconds..<time.microseconds)
        }
        seenAt = time
        held = spread.flatMap { $0.sign >= 0 && $0 <= Self.widest ? $0 : nil }
        let first = Self.firstMinute(at: time)
        minutes.removeAll { $0.number < first }
    }

    /// Ends the spread that holds: nobody follows the book from its last time on.
    public mutating func interrupt() { held = nil }

    /// The last hour; nil while nothing is known of it.
    public func hour(at time: Timestamp) -> SpreadHour? {
        let first = Self.firstMinute(at: time)
        let shown = minutes.filter {
            $0.number >= first && $0.number < first + Int64(Self.minutesKept)
        }
        guard let oldest = shown.first else { return nil }
        let count = Int(first) + Self.minutesKept - Int(oldest.number)
        var means = [FixedDecimal?](repeating: nil, count: count)
        for minute in shown {
            means[Int(minute.number - oldest.number)] = Self.mean(minute.weighted, minute.known)
        }
        let known = shown.reduce(0) { $0 + $1.known }
        return SpreadHour(
            minutes: means,
            mean: Self.mean(shown.reduce(0) { $0 + $1.weighted }, known),
            known: .microseconds(known)
        )
    }

    private static func mean(_ weighted: Int128, _ known: Int64) -> FixedDecimal {
        FixedDecimal.mean(ofSum: weighted, count: Int(known))
    }

    private static func firstMinute(at time: Timestamp) -> Int64 {
        time.microseconds.floorDivided(by: minute) - Int64(minutesKept) + 1
    }

    /// Adds a spread that held for a time, which may end in a later minute.
    private mutating func add(_ spread: FixedDecimal, _ span: Range<Int64>) {
        var start = span.lowerBound
        while start < span.upperBound {
            let number = start.floorDivided(by: Self.minute)
            let end = min((number + 1) * Self.minute, span.upperBound)
            if minutes.last?.number != number {
                minutes.append(Minute(number: number, weighted: 0, known: 0))
            }
            minutes[minutes.count - 1].weighted += spread.units * Int128(end - start)
            minutes[minutes.count - 1].known += end - start
            start = end
        }
    }
}

/// The last hour of a ``SpreadHistory``.
public struct SpreadHour: Sendable, Equatable {
    /// The mean of each minute in basis points; nil for a minute without a known spread.
    ///
    /// From the oldest known minute to the running one: at most 60.
    public let minutes: [FixedDecimal?]
    /// The time-weighted mean of all known time, rounded half-even to 18 digits.
    public let mean: FixedDecimal
    /// For how long the spread is known.
    public let known: Duration

    /// Makes an hour.
    public init(minutes: [FixedDecimal?], mean: FixedDecimal, known: Duration) {
        self.minutes = minutes
        self.mean = mean
        self.known = known
    }
}

/// The spreads of the markets that were viewed last.
public struct SpreadHistories: Sendable, Equatable {
    /// How many markets are kept; of more, the least recently viewed one is dropped.
    public static let marketsKept = 30

    private var histories: [MarketID: SpreadHistory] = [:]
    /// The kept markets, the most recently viewed one last.
    private var order: [MarketID] = []

    /// Makes an empty collection.
    public init() {}

    /// The kept markets, the most recently viewed one last.
    public var markets: [MarketID] { order }

    /// Records what the book of the viewed market shows.
    ///
    /// One market is viewed at a time: the spread of the one before does not hold any longer.
    ///
    /// - Parameters:
    ///   - spread: the spread in basis points; nil where the book has none that counts.
    ///   - market: the market.
    ///   - time: of the exchange.
    /// - Returns: the market's last hour; nil while nothing is known of it.
    public mutating func observe(
        _ spread: FixedDecimal?,
        of market: MarketID,
        at time: Timestamp
    ) -> SpreadHour? {
        if let last = order.last, last != market {
            histories[last]?.interrupt()
            order.removeAll { $0 == market }
        }
        if order.last != market {
            order.append(market)
            if order.count > Self.marketsKept { histories[order.removeFirst()] = nil }
        }
        histories[market, default: SpreadHistory()].observe(spread, at: time)
        return histories[market]?.hour(at: time)
    }
}
