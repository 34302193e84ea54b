import Domain

/// One REST request of the detail feed, shared by all interests that it serves.
enum DetailRequest: Sendable, Hashable {
    /// The order book of a market.
    case book(MarketID)
    /// The newest trades of a market.
    case trades(MarketID)
    /// The candles of a market in an interval that the exchange serves.
    case candles(MarketID, CandleInterval)
    /// A block of past candles of a market.
    case pastCandles(MarketID, CandleBlock)

    /// The request that serves an interest; nil if others serve it.
    init?(_ interest: DetailInterest) {
        switch interest.facet {
        case .book, .deepBook: self = .book(interest.market)
        case .trades: self = .trades(interest.market)
        case .candles(let interval): self = .candles(interest.market, interval.served)
        case .pastCandles(let block): self = .pastCandles(interest.market, block)
        case .newestCandles: return nil
        }
    }

    /// The market.
    var market: MarketID {
        switch self {
        case .book(let market), .trades(let market), .candles(let market, _),
            .pastCandles(let market, _):
            market
        }
    }
}

extension DetailRequest: Comparable {
    /// Whether an order book is read.
    var isBook: Bool {
        switch self {
        case .book: true
        case .trades, .candles, .pastCandles: false
        }
    }

    /// Whether past candles are read.
    var isPast: Bool { pastStart != nil }

    /// A total order, for equal times: by market, then book, trades, candles, and past candles from
    /// the newest on.
    static func < (left: DetailRequest, right: DetailRequest) -> Bool {
        if left.market != right.market { return left.market < right.market }
        if left.rank != right.rank { return left.rank < right.rank }
        guard let start = left.pastStart, let other = right.pastStart else { return false }
        return start > other
    }

    /// When the block of past candles begins; nil for other requests.
    private var pastStart: Timestamp? {
        switch self {
        case .pastCandles(_, let block): block.start
        case .book, .trades, .candles: nil
        }
    }

    private var rank: Int {
        switch self {
        case .book: 0
        case .trades: 1
        case .candles(_, let interval): 2 + interval.place
        case .pastCandles(_, let block):
            2 + CandleInterval.allCases.count + block.interval.place
        }
    }
}

extension CandleInterval {
    /// Its place among all.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A limit of the requests in any second for one purpose.
struct CallRateLimit: Sendable {
    /// The shortest time between two requests.
    let spacing: Duration

    private var nextAt: Duration = .zero

    /// Makes a limit; two a second by default.
    init(spacing: Duration = .milliseconds(500)) { self.spacing = spacing }

    /// When the next request may be sent.
    func next(at now: Duration) -> Duration { max(now, nextAt) }

    /// Acquires a request if one may be sent now.
    mutating func acquire(at now: Duration) -> Bool {
        guard now >= nextAt else { return false }
        nextAt = now + spacing
        return true
    }
}

/// When candles are read again: some time after each close of a bucket.
struct CandleCorrection: Sendable, Hashable {
    /// How long after a close a response holds all trades until then.
    static let first: Duration = .seconds(2)
    /// How long after a close a response is still in time for a screen.
    static let last: Duration = .seconds(7)

    /// When the next bucket closes, in exchange time.
    let closesAt: Timestamp
    /// When a screen reads again; random, to spread many series.
    let dueAt: Timestamp
    /// Whether it confirms a first response.
    let isConfirmation: Bool

    /// The correction after a response.
    ///
    /// - Parameters:
    ///   - time: when the response was requested, in exchange time.
    ///   - interval: an interval that the exchange serves.
    ///   - random: uniformly random bits.
    init(afterRequestAt time: Timestamp, interval: CandleInterval, random: UInt64) {
        // A response right after a close is too early to be final for that bucket.
        let settled = time.advanced(by: .zero - Self.first)
        closesAt = interval.advanced(settled, by: 1)
        let span = Self.last - Self.first
        // 1,024 steps from the first moment to one step before the last.
        let spread = span * Int(random % 1_024) / 1_024
        dueAt = closesAt.advanced(by: Self.first + spread)
        isConfirmation = false
    }

    /// How long after its first response a series is read once more.
    ///
    /// The exchange computes candles that were not requested lately, so the first response may take
    /// long and may lack trades; the second one is quick.
    static let confirmation: Duration = .seconds(4)

    /// The second request of a series, on a screen or not.
    ///
    /// - Parameter time: when the first one was sent, in exchange time.
    init(confirmingRequestAt time: Timestamp) {
        dueAt = time.advanced(by: Self.confirmation)
        closesAt = dueAt.advanced(by: .zero - Self.last)
        isConfirmation = true
    }

    /// From when a series on no screen is read again.
    var sweptFrom: Timestamp { closesAt.advanced(by: Self.last) }
}
