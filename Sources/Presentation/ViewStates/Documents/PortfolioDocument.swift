public import Domain

/// The document `portfolio`, version 1: a user's holdings at current prices.
public typealias PortfolioDocument = Document<PortfolioViewState>

/// 보유자산: value, share and profit of a user's holdings.
///
/// Amounts are in won. Unknown values are nil, never zero.
public struct PortfolioViewState: StreamedState {
    /// `portfolio`.
    public static let schemaName = "portfolio"

    /// The owner.
    public struct User: DocumentObject {
        /// The user name.
        public var name: String
        /// The display name; nil without one.
        public var displayName: String?

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("The owner.")
            fields.add("name", \.name)
            fields.add("displayName", \.displayName)
        }
    }

    /// The cash row.
    public struct Cash: DocumentObject {
        /// The amount in won; nil until the user enters one.
        public var amount: FixedDecimal?
        /// `1,500,000`.
        public var amountText: String?
        /// 보유비중: the share of the total in percent, two decimals; nil without an amount.
        public var sharePercent: FixedDecimal?

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("The cash row.")
            fields.add("amount", \.amount)
            fields.add("amountText", \.amountText)
            fields.add("sharePercent", \.sharePercent)
        }
    }

    /// One coin.
    public struct Row: KeyedRow {
        /// `BTC`.
        public var asset: String
        /// The coin's names.
        public var name: MarketRowViewState.Name
        /// The quantity held.
        public var quantity: FixedDecimal
        /// 매수평균가: the average price paid, in won; nil if the user does not know it.
        public var averagePrice: FixedDecimal?
        /// The price of one coin in won; nil if the coin cannot be valued.
        public var price: FixedDecimal?
        /// The market that values the coin: `BTC_KRW`; `ETH_BTC` goes through `BTC_KRW`.
        public var valuedThrough: String?
        /// 평가금액: quantity × price.
        public var value: FixedDecimal?
        /// `7,160,500`.
        public var valueText: String?
        /// Quantity × average price.
        public var cost: FixedDecimal?
        /// 평가손익: value minus cost.
        public var profit: FixedDecimal?
        /// `+1,160,500`.
        public var profitText: String?
        /// 수익률: profit in percent of cost, two decimals.
        public var profitRatePercent: FixedDecimal?
        /// 보유비중: the share of the total in percent, two decimals; nil without a value.
        public var sharePercent: FixedDecimal?
        /// Whether the coin can be deposited; nil if unknown.
        public var deposit: TransferViewState?
        /// Whether the coin can be withdrawn; nil if unknown.
        public var withdrawal: TransferViewState?
        /// The direction of the market's change, as in the list.
        public var priceDirection: DirectionViewState?

        /// Makes a row without values.
        public init(asset: String, name: MarketRowViewState.Name, quantity: FixedDecimal) {
            self.asset = asset
            self.name = name
            self.quantity = quantity
        }

        /// The coin.
        public var rowID: String { asset }

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("PortfolioRow", "One coin of a portfolio, in won.")
            fields.add("asset", \.asset, .asset)
            fields.add("name", \.name)
            fields.add("quantity", \.quantity)
            fields.add("averagePrice", \.averagePrice)
            fields.add("price", \.price)
            fields.add("valuedThrough", \.valuedThrough, .market)
            fields.add("value", \.value)
            fields.add("valueText", \.valueText)
            fields.add("cost", \.cost)
            fields.add("profit", \.profit)
            fields.add("profitText", \.profitText)
            fields.add("profitRatePercent", \.profitRatePercent)
            fields.add("sharePercent", \.sharePercent)
            fields.add("deposit", \.deposit)
            fields.add("withdrawal", \.withdrawal)
            fields.add("priceDirection", \.priceDirection)
        }
    }

    /// The sums.
    public struct Totals: DocumentObject {
        /// The value of all valued coins and the cash; nil if the sum overflows.
        public var value: FixedDecimal?
        /// `8,660,500`.
        public var valueText: String?
        /// The cost of the coins whose average price and value are known.
        public var cost: FixedDecimal?
        /// 평가손익 of those coins.
        public var profit: FixedDecimal?
        /// 수익률 of those coins in percent of their cost, two decimals.
        public var profitRatePercent: FixedDecimal?

        /// Makes totals without values.
        public init() {}

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("The sums.")
            fields.add("value", \.value)
            fields.add("valueText", \.valueText)
            fields.add("cost", \.cost)
            fields.add("profit", \.profit)
            fields.add("profitRatePercent", \.profitRatePercent)
        }
    }

    /// How fresh and complete the prices are.
    public var health: HealthViewState
    /// The owner.
    public var user: User
    /// The cash.
    public var cash: Cash
    /// The coins, highest value first, then by name; those without a value last.
    public var rows: [Row]
    /// The sums.
    public var totals: Totals
    /// The coins that cannot be valued, alphabetical.
    public var unvalued: [String]

    /// Whether the holdings are loaded; otherwise all amounts are unknown, not zero.
    ///
    /// A user without holdings has a total of zero; without loaded holdings the total is nil.
    public var isRead: Bool { !rows.isEmpty || cash.amount != nil || totals.value != nil }

    /// About 600 bytes a row.
    public var estimatedJSONSize: Int { 1_024 + rows.count * 600 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "PortfolioState",
            "A user's holdings at current prices; all shares and the cash sum to 100.00."
        )
        fields.add("health", \.health)
        fields.add("user", \.user)
        fields.add("cash", \.cash)
        fields.rows("rows", \.rows, insert: .last)
        fields.add("totals", \.totals)
        fields.add("unvalued", \.unvalued, .list(.asset))
    }
}
