/// The document `snapshot`, version 2: several documents of one moment.
public typealias SnapshotDocument = Document<SnapshotViewState>

/// The requested states, all from one snapshot of the market; others are absent.
public struct SnapshotViewState: StreamedState {
    /// `snapshot`.
    public static let schemaName = "snapshot"
    /// That of the detail in it.
    public static var schemaVersion: Int { MarketDetailViewState.schemaVersion }

    /// The state of `market-list`.
    public var marketList: MarketListViewState?
    /// The state of `market-detail`.
    public var marketDetail: MarketDetailViewState?
    /// The state of `assets`.
    public var assets: AssetsViewState?
    /// The state of `portfolio`; only in a user's own snapshot.
    public var portfolio: PortfolioViewState?
    /// The state of `alerts`; only in a user's own snapshot.
    public var alerts: AlertsViewState?

    private enum CodingKeys: String, CodingKey {
        case marketList = "market-list"
        case marketDetail = "market-detail"
        case assets
        case portfolio
        case alerts
    }

    /// The sum of the documents.
    public var estimatedJSONSize: Int {
        (marketList?.estimatedJSONSize ?? 0) + (marketDetail?.estimatedJSONSize ?? 0)
            + (assets?.estimatedJSONSize ?? 0) + (portfolio?.estimatedJSONSize ?? 0)
            + (alerts?.estimatedJSONSize ?? 0)
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "SnapshotState",
            "The states of the requested documents, from one snapshot.",
            user: "The states of the user's requested documents, from one snapshot."
        )
        fields.optionalPart(MarketListViewState.schemaName, \.marketList)
        fields.optionalPart(MarketDetailViewState.schemaName, \.marketDetail)
        fields.optionalPart(AssetsViewState.schemaName, \.assets)
        fields.optionalPart(PortfolioViewState.schemaName, \.portfolio, only: .user)
        fields.optionalPart(AlertsViewState.schemaName, \.alerts, only: .user)
    }
}
