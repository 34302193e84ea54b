public import Domain

/// Turns a board and a query into one market's detail as screen and JSON show it.
///
/// Every block can be made alone. All of them read nothing but the cut, so blocks of one cut belong
/// together.
public struct MarketDetailPresenter: Sendable {
    /// The names of coins for as long as a board has none.
    public let names: CoinNames

    /// Makes a presenter.
    public init(names: CoinNames) {
        self.names = names
    }

    /// Presents everything of the query's market.
    ///
    /// - Returns: the four blocks; what nobody follows, or is not there yet, says so in its health.
    public func detail(_ cut: BoardSnapshot, _ query: MarketDetailQuery) -> MarketDetailViewState {
        MarketDetailViewState(
            header: header(cut, query),
            orderBook: orderBook(cut, query),
            trades: trades(cut, query),
            chart: chart(cut, query)
        )
    }
}
