public import Domain

/// Names, price, change and the day's figures of one market.
///
/// Unknown values are nil, never zero.
public struct DetailHeaderViewState: Sendable, Equatable, Decodable {
    /// The day since 00:00 in Seoul.
    public struct Today: Sendable, Equatable, Decodable {
        /// 시가: the first price.
        public var open: FixedDecimal?
        /// 고가: the highest price.
        public var high: FixedDecimal?
        /// 저가: the lowest price.
        public var low: FixedDecimal?
        /// 전일종가: the last price of the day before.
        public var previousClose: FixedDecimal?
        /// Base volume.
        public var volume: FixedDecimal?
        /// Quote turnover.
        public var tradeValue: FixedDecimal?

        /// A day of which nothing is known.
        public init() {}
    }

    /// The rolling 24 hours.
    public struct Rolling: Sendable, Equatable, Decodable {
        /// Base volume.
        public var volume: FixedDecimal?
        /// Quote turnover.
        public var tradeValue: FixedDecimal?
        /// The change in the quote currency.
        public var changeAmount: FixedDecimal?
        /// The change in per cent.
        public var changeRatePercent: FixedDecimal?

        /// Hours of which nothing is known.
        public init() {}
    }

    /// How fresh and complete the header is.
    public var health: HealthViewState
    /// `BTC_KRW`.
    public var market: String
    /// `BTC`.
    public var symbol: String
    /// `KRW` or `BTC`.
    public var quote: String
    /// The coin's names.
    public var name: MarketRowViewState.Name
    /// The current price in the quote currency.
    public var price: FixedDecimal?
    /// `143,210,000`.
    public var priceText: String?
    /// Exchange time of the trade or frame the price is from.
    public var priceAt: Timestamp?
    /// `trade`, `ticker` or `listing`: what the price is from.
    public var priceOrigin: String?
    /// The period the change refers to.
    public var changePeriod: String
    /// The change in per cent.
    public var changeRatePercent: FixedDecimal?
    /// `+0.21%`, `0.00%`.
    public var changeRateText: String?
    /// The change in the quote currency.
    public var changeAmount: FixedDecimal?
    /// `-1,945,000`.
    public var changeAmountText: String?
    /// The direction of the rounded change.
    public var priceDirection: DirectionViewState?
    /// Where the last price went against the one before.
    public var tickDirection: DirectionViewState?
    /// 당일: since 00:00 in Seoul.
    public var today: Today
    /// 24시간: the rolling 24 hours.
    public var rolling24h: Rolling
    /// 체결강도: bought volume in per cent of sold volume over 24 hours, two decimals; nil while
    /// nothing was sold.
    public var tradeStrengthPercent: FixedDecimal?
    /// Whether the coin can be deposited; nil if unknown.
    public var deposit: TransferViewState?
    /// Whether the coin can be withdrawn; nil if unknown.
    public var withdrawal: TransferViewState?
    /// What the exchange warns of, and whether it trades.
    public var marks: MarksViewState
    /// The first prices of the last ninety days.
    public var sparkline: SparklineViewState?

    /// Makes a header without values.
    public init(
        health: HealthViewState,
        market: String,
        symbol: String,
        quote: String,
        name: MarketRowViewState.Name,
        changePeriod: String,
        marks: MarksViewState
    ) {
        self.health = health
        self.market = market
        self.symbol = symbol
        self.quote = quote
        self.name = name
        self.changePeriod = changePeriod
        self.marks = marks
        today = Today()
        rolling24h = Rolling()
    }
}

/// The first prices of the last days, oldest first.
public struct SparklineViewState: Sendable, Equatable, Decodable {
    /// How many days there are at the most.
    public static let daysMax = 90

    /// The date of the first price, `2026-08-23`.
    public var from: String
    /// The date of the last price.
    public var to: String
    /// The prices; days without a trade are left out.
    public var opens: [FixedDecimal]
    /// Whether the days are all there that the exchange has.
    public var complete: Bool

    /// Makes a line.
    public init(from: String, to: String, opens: [FixedDecimal], complete: Bool) {
        self.from = from
        self.to = to
        self.opens = opens
        self.complete = complete
    }
}
