import Domain
import ViewStates

/// A document of a snapshot.
private enum SnapshotPart: String, CaseIterable {
    case marketList = "market-list"
    case marketDetail = "market-detail"
    case assets
    /// In a user's snapshot only.
    case portfolio
    /// In a user's snapshot only.
    case alerts

    /// The documents of a public snapshot.
    static let publicTabs: [SnapshotPart] = [.marketList, .marketDetail, .assets]

    var parameterNames: [String] {
        switch self {
        case .marketList: MarketListQuery.parameterNames
        case .marketDetail: DetailDocumentKind.marketDetail.parameterNames
        case .assets: AssetsQuery.parameterNames
        case .portfolio, .alerts: UserSnapshotQuery.languageParameterNames
        }
    }

    /// The prefix of the document's parameters.
    var prefix: String { rawValue + "." }

    /// The names of the document's parameters with the prefix.
    var prefixedNames: [String] { parameterNames.map { prefix + $0 } }
}

extension UserSnapshotQuery {
    /// The parameters of `portfolio` and of `alerts`.
    static let languageParameterNames = ["lang"]

    /// The parameters of a user's snapshot.
    static let parameterNames =
        SnapshotQuery.parameterNames + SnapshotPart.portfolio.prefixedNames
        + SnapshotPart.alerts.prefixedNames

    /// The possible documents.
    static let documents = SnapshotPart.allCases.map(\.rawValue)

    /// Parses the parameters of `/v1/snapshot` with `portfolio` and `alerts` among the documents.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        let parts = try SnapshotQuery.parts(parameters, among: SnapshotPart.allCases)
        let portfolio = parameters.part(SnapshotPart.portfolio.prefix)
        let alerts = parameters.part(SnapshotPart.alerts.prefix)
        self.init(
            market: try SnapshotQuery(parameters, parts, tabs: MarketListQuery.Tab.allCases),
            portfolio: parts.contains(.portfolio) ? try portfolio.choice("lang") ?? .korean : nil,
            alerts: parts.contains(.alerts) ? try alerts.choice("lang") ?? .korean : nil
        )
    }
}

extension SnapshotQuery {
    /// The parameters of `/v1/snapshot`.
    static let parameterNames =
        ["documents", "market"] + SnapshotPart.publicTabs.flatMap(\.prefixedNames)

    /// The possible documents.
    static let documents = SnapshotPart.publicTabs.map(\.rawValue)

    /// Parses the parameters.
    ///
    /// Without `documents` the snapshot has the list, and the detail if `market` is present.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        let parts = try Self.parts(parameters, among: SnapshotPart.publicTabs)
        try self.init(parameters, parts, tabs: MarketListQuery.Tab.publicTabs)
    }

    fileprivate init(
        _ parameters: RequestParameters,
        _ parts: Set<SnapshotPart>,
        tabs: [MarketListQuery.Tab]
    ) throws(Problem) {
        let list = parameters.part(SnapshotPart.marketList.prefix)
        let assets = parameters.part(SnapshotPart.assets.prefix)
        self.init(
            marketList: parts.contains(.marketList) ? try MarketListQuery(list, tabs: tabs) : nil,
            marketDetail: try Self.detail(parameters, isWanted: parts.contains(.marketDetail)),
            assets: parts.contains(.assets) ? try AssetsQuery(assets) : nil
        )
    }

    /// The requested documents, after checking that no parameter belongs to another.
    fileprivate static func parts(
        _ parameters: RequestParameters,
        among known: [SnapshotPart]
    ) throws(Problem) -> Set<SnapshotPart> {
        let documents = try named(parameters, among: known)
        for document in known where !documents.contains(document) {
            guard let name = parameters.part(document.prefix).anyName else { continue }
            throw .invalidParameter(
                name,
                "belongs to a document that is not requested",
                allowed: ["only if documents contains \(document.rawValue)"]
            )
        }
        return documents
    }

    private static func named(
        _ parameters: RequestParameters,
        among known: [SnapshotPart]
    ) throws(Problem) -> Set<SnapshotPart> {
        guard let text = parameters["documents"] else {
            return parameters["market"] == nil ? [.marketList] : [.marketList, .marketDetail]
        }
        var documents: Set<SnapshotPart> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let document = known.first(where: { $0.rawValue == part }) else {
                throw parameters.error(
                    "documents",
                    "\"\(Problem.short(String(part)))\" is not an allowed value",
                    allowed: known.map(\.rawValue)
                )
            }
            documents.insert(document)
        }
        return documents
    }

    private static func detail(
        _ parameters: RequestParameters,
        isWanted: Bool
    ) throws(Problem) -> MarketDetailQuery? {
        guard isWanted else {
            guard parameters["market"] != nil else { return nil }
            throw parameters.error(
                "market",
                "belongs to a document that is not requested",
                allowed: ["only if documents contains market-detail"]
            )
        }
        let market = try MarketID(parameters)
        return try MarketDetailQuery(
            market,
            .marketDetail,
            parameters.part(SnapshotPart.marketDetail.prefix)
        )
    }
}

extension MarketID {
    /// Parses the required parameter `market`.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        let allowed = ["a market, e.g. BTC_KRW"]
        let market = try parameters.value("market", "not a market", allowed: allowed) {
            MarketID(anySpelling: $0)
        }
        guard let market else {
            throw parameters.error("market", "is missing", allowed: allowed)
        }
        self = market
    }
}
