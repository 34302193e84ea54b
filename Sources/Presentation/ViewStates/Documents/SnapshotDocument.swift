/// The document `snapshot`, version 1: several documents in one cut.
public typealias SnapshotDocument = Document<SnapshotViewState>

/// The states of several documents, all from one cut; only those that were asked for are there.
public struct SnapshotViewState: DocumentState {
    /// `snapshot`.
    public static let schemaName = "snapshot"
    /// Version 1.
    public static let schemaVersion = 1

    /// The state of `market-list`.
    public var marketList: MarketListViewState?
    /// The state of `market-detail`.
    public var marketDetail: MarketDetailViewState?
    /// The state of `assets`.
    public var assets: AssetsViewState?
    /// The state of `portfolio`; only among a user's own documents.
    public var portfolio: PortfolioViewState?

    private enum CodingKeys: String, CodingKey {
        case marketList = "market-list"
        case marketDetail = "market-detail"
        case assets
        case portfolio
    }

    /// Makes a snapshot.
    public init(
        marketList: MarketListViewState?,
        marketDetail: MarketDetailViewState?,
        assets: AssetsViewState? = nil,
        portfolio: PortfolioViewState? = nil
    ) {
        self.marketList = marketList
        self.marketDetail = marketDetail
        self.assets = assets
        self.portfolio = portfolio
    }
}
