public import Domain

/// Presents one market's detail for a query.
///
/// Every block can be presented alone. All blocks read the snapshot only, so blocks of one snapshot
/// agree.
public struct MarketDetailPresenter: Sendable {
    /// Coin names until the board has its own.
    public let names: CoinNames

    /// Makes a presenter.
    public init(names: CoinNames) {
        self.names = names
    }

    /// Presents all blocks.
    ///
    /// - Returns: the four blocks; the health of a block without a subscription or data says so.
    public func detail(
        _ snapshot: BoardSnapshot,
        _ query: MarketDetailQuery
    ) -> MarketDetailViewState {
        MarketDetailViewState(
            header: header(snapshot, query),
            orderBook: orderBook(snapshot, query),
            trades: trades(snapshot, query),
            chart: chart(snapshot, query)
        )
    }
}
