/// Which documents a reader wants in one cut.
public struct SnapshotQuery: Sendable, Hashable {
    /// What is asked of the list; nil without it.
    public var marketList: MarketListQuery?
    /// What is asked of a market's detail; nil without it.
    public var marketDetail: MarketDetailQuery?
    /// What is asked of deposits and withdrawals; nil without them.
    public var assets: AssetsQuery?

    /// Asks for these documents.
    public init(
        marketList: MarketListQuery?,
        marketDetail: MarketDetailQuery?,
        assets: AssetsQuery? = nil
    ) {
        self.marketList = marketList
        self.marketDetail = marketDetail
        self.assets = assets
    }
}
