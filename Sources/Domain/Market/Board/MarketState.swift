/// One market on the board.
///
/// Implements the rules of price and change. They order by exchange time, so REST answers and
/// frames may arrive in any order.
public struct MarketState: Sendable, Hashable {
    /// Source of a value.
    ///
    /// Within one second of exchange time the later case wins, because its time is more precise.
    public enum ValueSource: Int, Sendable, Hashable {
        /// The store.
        case store
        /// A REST listing of all markets.
        case listing
        /// A ticker frame.
        case ticker
        /// A trade.
        case trade
    }

    /// The base of a change: the newest frame of a period.
    struct ChangeBase: Sendable, Hashable {
        /// Price at the start of the period; nil if the exchange rounds it away.
        var base: FixedDecimal?
        /// The price that the reported figures belong to.
        var reportedPrice: FixedDecimal
        var reportedRate: FixedDecimal?
        var reportedAmount: FixedDecimal?
        var at: Timestamp
        var source: ValueSource
    }

    /// The market.
    public let id: MarketID
    /// False while the market is suspended or no longer listed.
    public internal(set) var isTrading = true
    /// The current price in the quote currency; never zero.
    public internal(set) var price: FixedDecimal?
    /// Exchange time of ``price``.
    public internal(set) var priceAt: Timestamp?
    /// Direction of the last price change; nil until two prices are known.
    public internal(set) var tick: PriceDirection?
    /// Source of ``price``.
    public internal(set) var priceSource: ValueSource?
    /// Quote turnover of the rolling 24 hours.
    public internal(set) var tradeValue24h: FixedDecimal?
    /// Base volume of the rolling 24 hours.
    public internal(set) var volume24h: FixedDecimal?
    /// 체결강도: volume bought by takers in percent of volume sold by takers, from the newest 24-hour
    /// frame, two decimals; nil if nothing was sold.
    public internal(set) var tradeStrengthPercent: FixedDecimal?
    /// Incremented with each visible change: equal numbers mean equal values.
    public internal(set) var revision: UInt64 = 0

    /// Whether the only known price is a stored one.
    ///
    /// The stored price is shown until a listing is read, and while the market is suspended.
    public internal(set) var isStored = false

    /// Whether the exchange said last that trading is suspended.
    var isHalted = false
    /// Whether a listing ever contained the market.
    ///
    /// Only such a market can be delisted.
    var wasListed = false
    /// Whether the newest listing of its quote currency contains the market.
    ///
    /// A frame may name a market that no listing has.
    var isListed = false
    /// Exchange time of the newest trade.
    var lastTradeAt: Timestamp?
    var tradeValueAt: Timestamp?
    /// Exchange time of the frame with ``tradeStrengthPercent``.
    var strengthAt: Timestamp?
    var tradeValueSource: ValueSource?
    /// 전일종가 and the Seoul day it belongs to.
    var previousClose: FixedDecimal?
    var previousCloseDay: Int?
    /// 당일 statistics with their Seoul day, time and source.
    var figures = DayStatistics()
    var figuresDay: Int?
    /// Price range of the received trades of the newest day.
    var traded = TradedRange()
    var figuresAt: Timestamp?
    var figuresSource: ValueSource?
    var bases = PeriodTable<ChangeBase>()
    /// Latest moment, on the local clock, at which the market may have traded.
    var activeAt: Timestamp
    /// Exchange time of the newest listing.
    var listedAt: Timestamp?
    /// Whether the newest listing had no volume in 24 hours (or today) and no trade has arrived
    /// since.
    var isQuiet24h = false
    var isQuietToday = false
    /// The newest volumes.
    ///
    /// A larger one proves a trade.
    var volumes = PeriodTable<FixedDecimal>()

    init(id: MarketID, seenAt: Timestamp) {
        self.id = id
        activeAt = seenAt
    }
}

/// Price range of the received trades of one Seoul day.
struct TradedRange: Sendable, Hashable {
    var day: Int?
    var high: FixedDecimal?
    var low: FixedDecimal?
}

/// Direction of a value.
public enum PriceDirection: Sendable, Hashable {
    /// Rising, or above zero.
    case up
    /// Falling, or below zero.
    case down
    /// Unchanged, or exactly zero.
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
