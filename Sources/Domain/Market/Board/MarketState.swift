/// One market as the board holds it.
///
/// The rules of price and change live here. They order by exchange time, so it does not matter
/// whether a REST answer or a frame arrives first.
public struct MarketState: Sendable, Hashable {
    /// Where a value came from.
    ///
    /// Within one second of the exchange the later case goes first: it tells time more finely.
    public enum ValueSource: Int, Sendable, Hashable {
        /// What was kept when the market was last followed.
        case store
        /// A reading of all markets.
        case listing
        /// A ticker frame.
        case ticker
        /// A trade.
        case trade
    }

    /// What a change is reckoned from: the newest frame of a period.
    struct ChangeBase: Sendable, Hashable {
        /// The price where the period opens; nil where the exchange rounds it away.
        var base: FixedDecimal?
        /// The price that the exchange's own figures belong to.
        var reportedPrice: FixedDecimal
        var reportedRate: FixedDecimal?
        var reportedAmount: FixedDecimal?
        var at: Timestamp
        var source: ValueSource
    }

    /// The market.
    public let id: MarketID
    /// False while the exchange suspends the market or no longer lists it.
    public internal(set) var isTrading = true
    /// The current price in the quote currency; never zero.
    public internal(set) var price: FixedDecimal?
    /// Exchange time of ``price``.
    public internal(set) var priceAt: Timestamp?
    /// Where the last price went against the one before; nil until there were two.
    public internal(set) var tick: PriceDirection?
    /// Where ``price`` came from.
    public internal(set) var priceSource: ValueSource?
    /// Quote turnover of the rolling 24 hours.
    public internal(set) var tradeValue24h: FixedDecimal?
    /// Base volume of the rolling 24 hours.
    public internal(set) var volume24h: FixedDecimal?
    /// 체결강도: what takers bought in per cent of what they sold in the newest 24-hour frame, two
    /// decimals; nil while nothing was sold.
    public internal(set) var tradeStrengthPercent: FixedDecimal?
    /// Counts the visible changes of this market: equal numbers mean equal values.
    public internal(set) var revision: UInt64 = 0

    /// Whether no price but a stored one is known of the market: it is shown until the exchange
    /// says which markets there are, and stands for as long as the market is suspended.
    public internal(set) var isStored = false

    /// Whether a listing ever named the market; only such a market can vanish from one.
    var wasListed = false
    /// Exchange time of the newest trade.
    var lastTradeAt: Timestamp?
    var tradeValueAt: Timestamp?
    /// Exchange time of the frame that ``tradeStrengthPercent`` is from.
    var strengthAt: Timestamp?
    var tradeValueSource: ValueSource?
    /// 전일종가 and the Seoul day on which it is that.
    var previousClose: FixedDecimal?
    var previousCloseDay: Int?
    /// 당일 figures, and the Seoul day, time and source of the newest of them.
    var figures = DayStatistics()
    var figuresDay: Int?
    /// How far the trades of the newest day reach that were seen.
    var traded = TradedRange()
    var figuresAt: Timestamp?
    var figuresSource: ValueSource?
    var bases = PeriodTable<ChangeBase>()
    /// The newest moment, on the local clock, at which the market may have been traded.
    var activeAt: Timestamp
    /// Exchange time of the newest listing.
    var listedAt: Timestamp?
    /// Whether the newest listing had no volume in 24 hours, and none today, nothing since.
    var isQuiet24h = false
    var isQuietToday = false
    /// The newest volumes: one that grew tells of a trade.
    var volumes = PeriodTable<FixedDecimal>()

    init(id: MarketID, seenAt: Timestamp) {
        self.id = id
        activeAt = seenAt
    }
}

/// The highest and the lowest price of the trades of one Seoul day that were seen.
struct TradedRange: Sendable, Hashable {
    var day: Int?
    var high: FixedDecimal?
    var low: FixedDecimal?
}

/// Which way a value went.
public enum PriceDirection: Sendable, Hashable {
    /// It rose, or is above zero.
    case up
    /// It fell, or is below zero.
    case down
    /// It is what it was, or exactly zero.
    case flat

    /// The direction of a number's sign.
    public init(signOf value: FixedDecimal) {
        self = value.isZero ? .flat : (value.sign > 0 ? .up : .down)
    }
}

/// One optional value for each change period, without a heap allocation.
struct PeriodTable<Value: Sendable & Hashable>: Sendable, Hashable {
    private var hours24: Value?
    private var midnight: Value?
    private var hours12: Value?
    private var hour1: Value?
    private var minutes30: Value?

    init() {}

    subscript(period: ChangePeriod) -> Value? {
        get {
            switch period {
            case .hours24: hours24
            case .midnight: midnight
            case .hours12: hours12
            case .hour1: hour1
            case .minutes30: minutes30
            }
        }
        set {
            switch period {
            case .hours24: hours24 = newValue
            case .midnight: midnight = newValue
            case .hours12: hours12 = newValue
            case .hour1: hour1 = newValue
            case .minutes30: minutes30 = newValue
            }
        }
    }
}
