/// The last price of a market, as kept in the store.
public struct StoredPrice: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The price in the quote currency; never zero.
    public var price: FixedDecimal
    /// Exchange time of the price.
    public var at: Timestamp
    /// Quote turnover of the 24 hours before, used only to sort an offline list; nil if unknown.
    public var tradeValue24h: FixedDecimal?
    /// False if the market was suspended or no longer listed.
    public var isTrading: Bool

    /// Makes a stored price.
    public init(
        market: MarketID,
        price: FixedDecimal,
        at: Timestamp,
        tradeValue24h: FixedDecimal?,
        isTrading: Bool = true
    ) {
        self.market = market
        self.price = price
        self.at = at
        self.tradeValue24h = tradeValue24h
        self.isTrading = isTrading
    }
}
