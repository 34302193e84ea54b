public import Domain

/// Which way a value went.
public enum DirectionViewState: String, Sendable, Equatable, Decodable, CaseIterable {
    /// Above zero, or above the price before.
    case up
    /// Below zero, or below the price before.
    case down
    /// Exactly zero after rounding, or the same price again.
    case flat
}

/// One market of a list.
///
/// Unknown values are nil, never zero.
public struct MarketRowViewState: Sendable, Equatable, Decodable {
    /// A coin's names; nil where the shipped list does not know the coin.
    public struct Name: Sendable, Equatable, Decodable {
        /// The Korean name.
        public var ko: String?
        /// The English name.
        public var en: String?

        /// Makes the names.
        public init(ko: String?, en: String?) {
            self.ko = ko
            self.en = en
        }
    }

    /// `BTC_KRW`: the identity of the row.
    public var market: String
    /// `BTC`.
    public var symbol: String
    /// `KRW` or `BTC`.
    public var quote: String
    /// The coin's names.
    public var name: Name
    /// Place by 24-hour trade value in won among all markets, from 1.
    public var rank: Int?
    /// The current price in the quote currency.
    public var price: FixedDecimal?
    /// `143,210,000`.
    public var priceText: String?
    /// Exchange time of the trade or frame the price is from.
    public var priceAt: Timestamp?
    /// The price in won.
    public var priceKRW: FixedDecimal?
    /// The period the change refers to: the same for all rows of a list.
    public var changePeriod: String
    /// The change in per cent: as the exchange prints it, else rounded to two decimals.
    public var changeRatePercent: FixedDecimal?
    /// `+0.21%`, `0.00%`.
    public var changeRateText: String?
    /// The change in the quote currency.
    public var changeAmount: FixedDecimal?
    /// `-1,945,000`.
    public var changeAmountText: String?
    /// Exchange time of the base the change is reckoned from.
    public var changeAt: Timestamp?
    /// Whether the change is zero because nothing was traded within the period.
    public var noTrade: Bool
    /// The direction of the rounded change.
    public var priceDirection: DirectionViewState?
    /// Where the last price went against the one before.
    public var tickDirection: DirectionViewState?
    /// Turnover of 24 hours in the quote currency.
    public var tradeValue24h: FixedDecimal?
    /// Turnover of 24 hours in won.
    public var tradeValue24hKRW: FixedDecimal?
    /// `98,123백만`.
    public var tradeValueText: String?
    /// What the exchange warns of, and whether it trades.
    public var marks: MarksViewState
    /// The row as one sentence.
    public var spokenText: String
    /// Whether the user has starred the market; nil in public lists, which have no such key.
    public var favorite: FavoriteViewState?

    /// Makes a row without values.
    public init(
        market: String,
        symbol: String,
        quote: String,
        name: Name,
        changePeriod: String,
        marks: MarksViewState,
        spokenText: String
    ) {
        self.market = market
        self.symbol = symbol
        self.quote = quote
        self.name = name
        self.changePeriod = changePeriod
        noTrade = false
        self.marks = marks
        self.spokenText = spokenText
    }
}

/// What a market is to one user, in lists of that user's own.
public struct FavoriteViewState: Sendable, Equatable, Decodable {
    /// The place among the favourites, from 1; nil if the market is none.
    public var position: Int?

    /// Makes a mark.
    public init(position: Int?) { self.position = position }
}

/// The exchange's marks of a market.
public struct MarksViewState: Sendable, Equatable, Decodable {
    /// Whether a market trades.
    public enum Trading: String, Sendable, Equatable, Decodable, CaseIterable {
        /// It trades.
        case trading
        /// It is suspended or gone.
        case suspended
    }

    /// One warning with its step and end.
    public struct Alert: Sendable, Equatable, Decodable {
        /// `PRICE_SUDDEN_FLUCTUATION`, ….
        public var type: String
        /// `CAUTION`, `WARNING` or `DANGER`; nil where the exchange does not say.
        public var step: String?
        /// When the warning ends.
        public var endsAt: Timestamp?

        /// Makes a warning.
        public init(type: String, step: String?, endsAt: Timestamp?) {
            self.type = type
            self.step = step
            self.endsAt = endsAt
        }
    }

    /// 유의: an investment warning stands; nil while the exchange's marks are not known.
    public var investmentWarning: Bool?
    /// 경보: warnings in force.
    public var alerts: [Alert]
    /// Whether the market trades.
    public var state: Trading

    /// Makes marks.
    public init(investmentWarning: Bool?, alerts: [Alert], state: Trading) {
        self.investmentWarning = investmentWarning
        self.alerts = alerts
        self.state = state
    }
}
