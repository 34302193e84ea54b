import Domain

/// One REST call of the feed of details: everybody who needs it shares it.
enum DetailRequest: Sendable, Hashable {
    /// The order book of a market.
    case book(MarketID)
    /// The newest trades of a market.
    case trades(MarketID)
    /// The candles of a market in an interval that the exchange serves.
    case candles(MarketID, CandleInterval)

    /// The call that an interest is served by.
    init(_ interest: DetailInterest) {
        switch interest.facet {
        case .book: self = .book(interest.market)
        case .trades: self = .trades(interest.market)
        case .candles(let interval): self = .candles(interest.market, interval.served)
        }
    }

    /// The market.
    var market: MarketID {
        switch self {
        case .book(let market), .trades(let market), .candles(let market, _): market
        }
    }
}

/// Calls of one purpose, never more than two in any second.
struct CallRateLimit: Sendable {
    /// How far apart two calls are at the least.
    static let spacing: Duration = .milliseconds(500)

    private var nextAt: Duration = .zero

    /// When the next call may be made.
    func next(at now: Duration) -> Duration { max(now, nextAt) }

    /// Takes a call if one may be made now.
    mutating func take(at now: Duration) -> Bool {
        guard now >= nextAt else { return false }
        nextAt = now + Self.spacing
        return true
    }
}

/// When the candles of a screen are read again: a while after each close of a bucket.
struct CandleCorrection: Sendable, Hashable {
    /// How long after a close a reading holds what was traded until then.
    static let first: Duration = .seconds(2)
    /// How long after a close a reading still is in time for a screen.
    static let last: Duration = .seconds(7)

    /// When the next bucket closes, in exchange time.
    let closesAt: Timestamp
    /// When a screen reads again: at random, so that many series do not come together.
    let dueAt: Timestamp

    /// The correction that is due after a reading.
    ///
    /// - Parameters:
    ///   - time: when the reading was asked for, in exchange time.
    ///   - interval: the interval, one that the exchange serves.
    ///   - random: uniformly random bits.
    init(afterReadingAt time: Timestamp, interval: CandleInterval, random: UInt64) {
        // A reading right after a close comes too early to be the last word on that bucket.
        let settled = time.advanced(by: .zero - Self.first)
        closesAt = interval.advanced(settled, by: 1)
        let span = Self.last - Self.first
        // 1,024 steps from the first moment to one step before the last.
        let spread = span * Int(random % 1_024) / 1_024
        dueAt = closesAt.advanced(by: Self.first + spread)
    }

    /// How long after the first reading of a series it is read once more.
    ///
    /// The exchange makes up what nobody asked for lately, so a first answer may be long under way,
    /// and nobody can say which trades it holds; the second one is quick.
    static let confirmation: Duration = .seconds(4)

    /// The second reading of a series, whoever looks at it.
    ///
    /// - Parameter time: when the first one was asked for, in exchange time.
    init(confirmingReadingAt time: Timestamp) {
        dueAt = time.advanced(by: Self.confirmation)
        closesAt = dueAt.advanced(by: .zero - Self.last)
    }

    /// From when on a series that is on no screen is read again.
    var sweptFrom: Timestamp { closesAt.advanced(by: Self.last) }
}
