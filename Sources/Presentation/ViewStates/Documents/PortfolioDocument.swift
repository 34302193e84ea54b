public import Domain

/// The document `portfolio`, version 1: what a user holds, valued now.
public typealias PortfolioDocument = Document<PortfolioViewState>

/// 보유자산: value, share and profit of what a user holds.
///
/// Amounts are in won. Unknown values are nil, never zero.
public struct PortfolioViewState: DocumentState {
    /// `portfolio`.
    public static let schemaName = "portfolio"
    /// Version 1.
    public static let schemaVersion = 1

    /// Whose it is.
    public struct User: Sendable, Equatable, Decodable {
        /// The name that commands use.
        public var name: String
        /// The name that screens show; nil without one.
        public var displayName: String?

        /// Makes a user.
        public init(name: String, displayName: String?) {
            self.name = name
            self.displayName = displayName
        }
    }

    /// The cash row.
    public struct Cash: Sendable, Equatable, Decodable {
        /// The amount in won; nil until the user said how much it is.
        public var amount: FixedDecimal?
        /// `1,500,000`.
        public var amountText: String?
        /// 보유비중: the share of the total in per cent, two decimals; nil without an amount.
        public var sharePercent: FixedDecimal?

        /// Makes a cash row.
        public init(amount: FixedDecimal?, amountText: String?, sharePercent: FixedDecimal?) {
            self.amount = amount
            self.amountText = amountText
            self.sharePercent = sharePercent
        }
    }

    /// One coin.
    public struct Row: Sendable, Equatable, Decodable {
        /// `BTC`.
        public var asset: String
        /// The coin's names.
        public var name: MarketRowViewState.Name
        /// How much is held.
        public var quantity: FixedDecimal
        /// 매수평균가: the average price paid, in won; nil if the user does not know it.
        public var averagePrice: FixedDecimal?
        /// The price of one coin in won; nil where it cannot be valued.
        public var price: FixedDecimal?
        /// `BTC_KRW`: the market whose price values it; `ETH_BTC` by way of `BTC_KRW`.
        public var valuedThrough: String?
        /// 평가금액: quantity times price.
        public var value: FixedDecimal?
        /// `7,160,500`.
        public var valueText: String?
        /// Quantity times average price.
        public var cost: FixedDecimal?
        /// 평가손익: value minus cost.
        public var profit: FixedDecimal?
        /// `+1,160,500`.
        public var profitText: String?
        /// 수익률: profit in per cent of cost, two decimals.
        public var profitRatePercent: FixedDecimal?
        /// 보유비중: the share of the total in per cent, two decimals; nil without a value.
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
    }

    /// Everything together.
    public struct Totals: Sendable, Equatable, Decodable {
        /// What can be valued, and the cash; nil where the sum is beyond all numbers.
        public var value: FixedDecimal?
        /// `8,660,500`.
        public var valueText: String?
        /// What was paid for the coins whose average price and value are known.
        public var cost: FixedDecimal?
        /// 평가손익 of those coins.
        public var profit: FixedDecimal?
        /// 수익률 of those coins in per cent of their cost, two decimals.
        public var profitRatePercent: FixedDecimal?

        /// Totals of which nothing is known.
        public init() {}
    }

    /// How fresh and complete the prices are.
    public var health: HealthViewState
    /// Whose it is.
    public var user: User
    /// The cash.
    public var cash: Cash
    /// The coins, the most valuable first, then by name; those without a value last.
    public var rows: [Row]
    /// Everything together.
    public var totals: Totals
    /// The coins that cannot be valued, alphabetical.
    public var unvalued: [String]

    /// Whether what is held was read: else everything is unknown, and not zero.
    ///
    /// Whoever has nothing at all has a total of zero; where nothing was read there is none.
    public var isRead: Bool { !rows.isEmpty || cash.amount != nil || totals.value != nil }

    /// Makes a portfolio.
    public init(
        health: HealthViewState,
        user: User,
        cash: Cash,
        rows: [Row],
        totals: Totals,
        unvalued: [String]
    ) {
        self.health = health
        self.user = user
        self.cash = cash
        self.rows = rows
        self.totals = totals
        self.unvalued = unvalued
    }
}
