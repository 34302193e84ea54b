public import Domain

extension MarketBoard {
    /// The price steps by which the market's book can be grouped, ascending, its own first; none
    /// while no price of it is known.
    public func priceSteps(of market: MarketID) -> [FixedDecimal] {
        let book = details[market]?.book.book
        let price = self.market(market)?.price ?? book?.best(.bid)?.price ?? book?.best(.ask)?.price
        guard let price else { return [] }
        return OrderBookGrouping.steps(
            for: price,
            quote: market.quote,
            finestStep: book?.finestStep(quote: market.quote)
        )
    }
}
