/// The last price of a market that was kept when somebody last followed it.
public struct StoredPrice: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The price in the quote currency; never zero.
    public var price: FixedDecimal
    /// Exchange time of the price.
    public var at: Timestamp
    /// Quote turnover of the 24 hours before, which only orders an offline list; nil if unknown.
    public var tradeValue24h: FixedDecimal?
    /// False if the exchange had suspended the market, or listed it no more.
    public var isTrading: Bool

    /// Makes a close.
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
