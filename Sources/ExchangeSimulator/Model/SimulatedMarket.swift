import Domain

/// One market: its price, its day, its last 25 hours, its charts and its last trades.
struct SimulatedMarket: Sendable {
    /// How answers and frames describe the market.
    enum Standing: Sendable {
        /// Traded as often as its weight says, which may be never.
        case active
        /// Neither traded nor described: an empty list stands for it.
        case suspended
        /// Delisted: no answer lists it.
        case delisted
    }

    /// The figures since 00:00 in Seoul.
    struct Day: Sendable {
        /// The first price of the day; nil before its first trade.
        var open: Int64?
        /// The last price of the day before.
        var previousClose: Int64
        var sums = MinuteSums()
    }

    /// The identifier, which renaming changes.
    var id: MarketID
    /// The code that tells the coin's name; another one if the code had another coin before.
    var nameSymbol: String
    let ladder: PriceGrid
    /// The price to which the walk tends back.
    let anchor: Int64
    /// How often the market is chosen relative to the others.
    var weight: Int
    var standing: Standing
    private(set) var price: Int64
    private(set) var lastTradeAt: Timestamp?
    /// The last trades since the simulation began.
    private(set) var trades: RecentTrades
    /// The last trade before the simulation began; nil if unknown.
    var pastTrade: SimulatedTrade?
    /// The chart rows since the simulation began.
    private(set) var chartRows = ChartRows()
    /// The history before; nil for a coin that was listed later.
    let past: PastMarket?
    /// Seed of its order book.
    let bookSeed: UInt64
    private(set) var history: MinuteHistory
    private(set) var day: Day
    /// The opening prices in the frames of the last trade, by ``TickerPeriod/index``; undefined
    /// before the first trade.
    private(set) var opensAtLastTrade: [5 of Int64] = [0, 0, 0, 0, 0]

    init(
        id: MarketID,
        anchor: Int64,
        weight: Int,
        standing: Standing,
        price: Int64,
        history: MinuteHistory,
        day: Day,
        past: PastMarket?,
        pastTrade: SimulatedTrade? = nil,
        bookSeed: UInt64
    ) {
        self.id = id
        nameSymbol = id.symbol
        ladder = PriceGrid.of(id.quote)
        self.anchor = anchor
        self.weight = weight
        self.standing = standing
        self.price = price
        self.history = history
        self.day = day
        self.past = past
        self.pastTrade = pastTrade
        let isBusy = weight >= Self.busyWeight
        trades = RecentTrades(capacity: isBusy ? Self.busyTradesMax : Self.quietTradesMax)
        self.bookSeed = bookSeed
    }

    /// Markets with this weight keep more trades: the fifty busiest of a large exchange.
    private static let busyWeight = 20_000
    private static let busyTradesMax = 4_096
    private static let quietTradesMax = 500

    /// The last trade; nil if unknown.
    var lastTrade: SimulatedTrade? { trades.last ?? pastTrade }

    /// Number of fraction digits of a sum of price × volume.
    var valueDigits: Int { ladder.fractionDigits + SimulatedTrade.volumeDigits }

    mutating func apply(_ newTrades: [SimulatedTrade]) {
        for trade in newTrades {
            price = trade.price
            lastTradeAt = trade.at
            trades.add(trade)
            history.add(trade)
            if day.open == nil { day.open = trade.price }
            var minute = Minute(close: trade.price)
            minute.add(trade)
            day.sums.add(minute)
        }
        for period in TickerPeriod.allCases {
            opensAtLastTrade[period.index] = open(of: period)
        }
    }

    /// Advances to a minute since the Unix epoch; earlier ones have no effect.
    mutating func advance(toMinute minute: Int) {
        while history.minute < minute {
            chartRows.close(history[history.minute], number: history.minute)
            history.advance()
            if SeoulMinute.startsDay(history.minute) {
                day = Day(open: nil, previousClose: price)
            }
        }
    }

    /// The price at the start of a period; for the day, its first price.
    func open(of period: TickerPeriod) -> Int64 {
        guard let window = period.window else { return day.open ?? day.previousClose }
        return history.open(ofWindow: window)
    }

    /// The sums of a period.
    func sums(of period: TickerPeriod) -> MinuteSums {
        guard let window = period.window else { return day.sums }
        return history.sums(ofWindow: window)
    }
}

/// The periods of ticker frames, as sent.
enum TickerPeriod: String, Sendable, CaseIterable {
    case minutes30 = "30M"
    case hour1 = "1H"
    case hours12 = "12H"
    case hours24 = "24H"
    case midnight = "MID"

    /// The index of the rolling window; nil for the day.
    var window: Int? {
        switch self {
        case .minutes30: 0
        case .hour1: 1
        case .hours12: 2
        case .hours24: 3
        case .midnight: nil
        }
    }

    /// The position of the period in lists of all periods.
    var index: Int { window ?? 4 }
}

/// Minutes since the Unix epoch, in Seoul time.
enum SeoulMinute: Sendable {
    static let perDay = 1_440
    private static let offset = 540

    /// The wall clock at the start of a minute.
    static func time(of minute: Int) -> SeoulTime {
        SeoulTime(start(of: minute))
    }

    /// The first moment of a minute.
    static func start(of minute: Int) -> Timestamp { end(of: minute - 1) }

    /// The minute of a time.
    static func number(of time: Timestamp) -> Int {
        Int(time.second) / 60
    }

    /// The first moment after a minute.
    static func end(of minute: Int) -> Timestamp {
        Timestamp(microseconds: Int64(minute + 1) * 60_000_000)
    }

    /// Minutes since midnight in Seoul.
    static func sinceMidnight(_ minute: Int) -> Int {
        (minute + offset) % perDay
    }

    static func startsDay(_ minute: Int) -> Bool {
        sinceMidnight(minute) == 0
    }
}
