public import Domain

extension MarketBoard {
    /// The price steps for grouping the market's book, ascending from its own tick size; none while
    /// its price is unknown.
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
