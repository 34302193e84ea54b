public import Domain

/// Names, price, change and the day's figures of one market.
///
/// Unknown values are nil, never zero.
public struct DetailHeaderViewState: DocumentObject {
    /// The day since 00:00 in Seoul.
    public struct Today: DocumentObject {
        /// 시가: the open price.
        public var open: FixedDecimal?
        /// 고가: the high.
        public var high: FixedDecimal?
        /// 저가: the low.
        public var low: FixedDecimal?
        /// 전일종가: the previous day's close.
        public var previousClose: FixedDecimal?
        /// Base volume.
        public var volume: FixedDecimal?
        /// Trade value in the quote currency.
        public var tradeValue: FixedDecimal?

        /// Makes a day without values.
        public init() {}

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Today", "The day since 00:00 in Seoul.")
            fields.add("open", \.open)
            fields.add("high", \.high)
            fields.add("low", \.low)
            fields.add("previousClose", \.previousClose)
            fields.add("volume", \.volume)
            fields.add("tradeValue", \.tradeValue)
        }
    }

    /// The last 24 hours.
    public struct Rolling: DocumentObject {
        /// Base volume.
        public var volume: FixedDecimal?
        /// Trade value in the quote currency.
        public var tradeValue: FixedDecimal?
        /// The change in the quote currency.
        public var changeAmount: FixedDecimal?
        /// The change in percent.
        public var changeRatePercent: FixedDecimal?

        /// Makes figures without values.
        public init() {}

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Rolling24h", "The last 24 hours.")
            fields.add("volume", \.volume)
            fields.add("tradeValue", \.tradeValue)
            fields.add("changeAmount", \.changeAmount)
            fields.add("changeRatePercent", \.changeRatePercent)
        }
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
    /// Exchange time of the trade or frame that set the price.
    public var priceAt: Timestamp?
    /// The source of the price: `trade`, `ticker`, `listing` or `store`.
    public var priceOrigin: String?
    /// The change period.
    public var changePeriod: String
    /// The change in percent.
    public var changeRatePercent: FixedDecimal?
    /// `+0.21%`, `0.00%`.
    public var changeRateText: String?
    /// The change in the quote currency.
    public var changeAmount: FixedDecimal?
    /// `-1,945,000`.
    public var changeAmountText: String?
    /// The direction of the rounded change.
    public var priceDirection: DirectionViewState?
    /// The last price against the previous one.
    public var tickDirection: DirectionViewState?
    /// 당일: since 00:00 in Seoul.
    public var today: Today
    /// 24시간: the last 24 hours.
    public var rolling24h: Rolling
    /// 체결강도: bought volume in percent of sold volume over 24 hours, two decimals; nil while
    /// the sold volume is zero.
    public var tradeStrengthPercent: FixedDecimal?
    /// Whether the coin can be deposited; nil if unknown.
    public var deposit: TransferViewState?
    /// Whether the coin can be withdrawn; nil if unknown.
    public var withdrawal: TransferViewState?
    /// Warnings of the exchange, and whether the market trades.
    public var marks: MarksViewState
    /// Daily open prices of the last ninety days.
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

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Header", "Names, price, change and the day's figures of one market.")
        fields.add("health", \.health)
        fields.add("market", \.market, .market)
        fields.add("symbol", \.symbol, .asset)
        fields.add("quote", \.quote, .values(of: Quote.self))
        fields.add("name", \.name)
        fields.add("price", \.price)
        fields.add("priceText", \.priceText)
        fields.add("priceAt", \.priceAt)
        fields.add("priceOrigin", \.priceOrigin, .values(["store", "listing", "ticker", "trade"]))
        fields.add("changePeriod", \.changePeriod, .values(of: ChangePeriod.self))
        fields.add("changeRatePercent", \.changeRatePercent)
        fields.add("changeRateText", \.changeRateText)
        fields.add("changeAmount", \.changeAmount)
        fields.add("changeAmountText", \.changeAmountText)
        fields.add("priceDirection", \.priceDirection)
        fields.add("tickDirection", \.tickDirection)
        fields.add("today", \.today)
        fields.add("rolling24h", \.rolling24h)
        fields.add("tradeStrengthPercent", \.tradeStrengthPercent)
        fields.add("deposit", \.deposit)
        fields.add("withdrawal", \.withdrawal)
        fields.add("marks", \.marks)
        fields.add("sparkline", \.sparkline)
    }
}

/// Daily open prices, oldest first.
public struct SparklineViewState: DocumentObject {
    /// Maximum days.
    public static let daysMax = 90

    /// The date of the first price, `2026-08-23`.
    public var from: String
    /// The date of the last price.
    public var to: String
    /// The prices; days without a trade are absent.
    public var opens: [FixedDecimal]
    /// Whether all days that the exchange has are present.
    public var complete: Bool

    /// Makes a line.
    public init(from: String, to: String, opens: [FixedDecimal], complete: Bool) {
        self.from = from
        self.to = to
        self.opens = opens
        self.complete = complete
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Sparkline", "Daily open prices, oldest first.")
        fields.add("from", \.from, .schema("Date"))
        fields.add("to", \.to, .schema("Date"))
        fields.add("opens", \.opens, .list(.decimal, count: 1...daysMax))
        fields.add("complete", \.complete)
    }
}
