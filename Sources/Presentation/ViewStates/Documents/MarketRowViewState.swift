public import Domain
public import JSON

/// The direction of a change.
public enum DirectionViewState: String, DocumentValue, CaseIterable {
    /// Above zero, or above the previous price.
    case up
    /// Below zero, or below the previous price.
    case down
    /// Zero after rounding, or an unchanged price.
    case flat

    /// The component `Direction`.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .schema("Direction") }
}

/// One market of a list.
///
/// Unknown values are nil, never zero.
public struct MarketRowViewState: KeyedRow {
    /// A coin's names; nil where none is known.
    public struct Name: DocumentObject {
        /// The Korean name.
        public var ko: String?
        /// The English name.
        public var en: String?

        /// Makes the names.
        public init(ko: String?, en: String?) {
            self.ko = ko
            self.en = en
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Name", "A coin's names; null where none is known.")
            fields.add("ko", \.ko)
            fields.add("en", \.en)
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
    /// Rank by 24-hour trade value in won among all markets, from 1.
    public var rank: Int?
    /// The current price in the quote currency.
    public var price: FixedDecimal?
    /// `143,210,000`.
    public var priceText: String?
    /// Exchange time of the trade or frame that set the price.
    public var priceAt: Timestamp?
    /// The price in won.
    public var priceKRW: FixedDecimal?
    /// The change period: the same for all rows of a list.
    public var changePeriod: String
    /// The change in percent: as the exchange sent it, else rounded to two decimals.
    public var changeRatePercent: FixedDecimal?
    /// `+0.21%`, `0.00%`.
    public var changeRateText: String?
    /// The change in the quote currency.
    public var changeAmount: FixedDecimal?
    /// `-1,945,000`.
    public var changeAmountText: String?
    /// Exchange time of the base price of the change.
    public var changeAt: Timestamp?
    /// Whether the change is zero because no trade happened within the period.
    public var noTrade: Bool
    /// The direction of the rounded change.
    public var priceDirection: DirectionViewState?
    /// The last price against the previous one.
    public var tickDirection: DirectionViewState?
    /// 24-hour trade value in the quote currency.
    public var tradeValue24h: FixedDecimal?
    /// 24-hour trade value in won.
    public var tradeValue24hKRW: FixedDecimal?
    /// `98,123백만`.
    public var tradeValueText: String?
    /// Warnings of the exchange, and whether the market trades.
    public var marks: MarksViewState
    /// The row as a sentence for screen readers.
    public var spokenText: String
    /// The user's favorite mark; nil in shared lists, where the member is absent.
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

    /// The market.
    public var rowID: String { market }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "MarketRow",
            "One market of a list.",
            user: "One market of a user's own list."
        )
        fields.add("market", \.market, .market)
        fields.add("symbol", \.symbol, .asset)
        fields.add("quote", \.quote, .values(of: Quote.self))
        fields.add("name", \.name)
        fields.add(
            "rank",
            \.rank,
            .integer(from: 1),
            note: "Rank by 24-hour trade value in won among all markets."
        )
        fields.add("price", \.price)
        fields.add("priceText", \.priceText)
        fields.add("priceAt", \.priceAt)
        fields.add("priceKRW", \.priceKRW, note: "The price in won.")
        fields.add("changePeriod", \.changePeriod, .values(of: ChangePeriod.self))
        fields.add("changeRatePercent", \.changeRatePercent)
        fields.add("changeRateText", \.changeRateText)
        fields.add("changeAmount", \.changeAmount)
        fields.add("changeAmountText", \.changeAmountText)
        fields.add("changeAt", \.changeAt)
        fields.add(
            "noTrade",
            \.noTrade,
            note: "Whether the change is zero because no trade happened within the period."
        )
        fields.add("priceDirection", \.priceDirection)
        fields.add("tickDirection", \.tickDirection)
        fields.add("tradeValue24h", \.tradeValue24h)
        fields.add("tradeValue24hKRW", \.tradeValue24hKRW)
        fields.add("tradeValueText", \.tradeValueText)
        fields.add("marks", \.marks)
        fields.add("spokenText", \.spokenText)
        fields.optional("favorite", \.favorite, only: .user)
    }
}

/// A market's place among a user's favorites.
public struct FavoriteViewState: DocumentValue {
    /// The place, from 1; nil if the market is not a favorite.
    public var position: Int?

    /// Makes a mark.
    public init(position: Int?) { self.position = position }

    /// Writes `{"position":1}`, or `null` if the market is not a favorite.
    public func write(to json: inout JSONWriter) {
        guard let position else { return json.null() }
        json.object { json in
            json.key("position")
            json.integer(position)
        }
    }

    /// The component `Favorite`, or null.
    public static func schema(_ scope: SchemaScope) -> JSONValue { .schema("Favorite").orNull }
}

extension KeyedDecodingContainer {
    /// Reads a mark: the member is absent in shared lists, and null for a market that is not a
    /// favorite.
    ///
    /// The synthesized decoding of rows calls this method; the general one takes null for absent.
    func decodeIfPresent(
        _ type: FavoriteViewState.Type,
        forKey key: Key
    ) throws -> FavoriteViewState? {
        guard contains(key) else { return nil }
        if try decodeNil(forKey: key) { return FavoriteViewState(position: nil) }
        return try decode(type, forKey: key)
    }
}

/// The exchange's marks of a market.
public struct MarksViewState: DocumentObject {
    /// Whether a market trades.
    public enum Trading: String, DocumentValue, CaseIterable {
        /// Trading is open.
        case trading
        /// Trading is suspended, or the market is delisted.
        case suspended
    }

    /// One warning.
    public struct Alert: DocumentObject {
        /// `PRICE_SUDDEN_FLUCTUATION`, ….
        public var type: String
        /// `CAUTION`, `WARNING` or `DANGER`; nil if the exchange gives none.
        public var step: String?
        /// When the warning ends.
        public var endsAt: Timestamp?

        /// Makes a warning.
        public init(type: String, step: String?, endsAt: Timestamp?) {
            self.type = type
            self.step = step
            self.endsAt = endsAt
        }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("Alert", "One warning of the exchange.")
            fields.add("type", \.type)
            fields.add("step", \.step)
            fields.add("endsAt", \.endsAt)
        }
    }

    /// 유의: an investment warning; nil while the exchange's marks are not loaded.
    public var investmentWarning: Bool?
    /// 경보: active warnings.
    public var alerts: [Alert]
    /// Whether the market trades.
    public var state: Trading

    /// Makes marks.
    public init(investmentWarning: Bool?, alerts: [Alert], state: Trading) {
        self.investmentWarning = investmentWarning
        self.alerts = alerts
        self.state = state
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Marks", "Warnings of the exchange, and whether the market trades.")
        fields.add("investmentWarning", \.investmentWarning)
        fields.add("alerts", \.alerts)
        fields.add("state", \.state)
    }
}
