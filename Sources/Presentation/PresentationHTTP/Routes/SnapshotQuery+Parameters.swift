import Domain
import ViewStates

/// The documents that a snapshot can hold.
private enum SnapshotPart: String, CaseIterable {
    case marketList = "market-list"
    case marketDetail = "market-detail"
    case assets
    /// Only among a user's own.
    case portfolio

    /// Those that are everybody's.
    static let publicTabs = allCases.filter { $0 != .portfolio }

    var parameterNames: [String] {
        switch self {
        case .marketList: MarketListQuery.parameterNames
        case .marketDetail: DetailDocumentKind.marketDetail.parameterNames
        case .assets: AssetsQuery.parameterNames
        case .portfolio: UserSnapshotQuery.portfolioParameterNames
        }
    }

    /// What stands before the names of the document's parameters.
    var prefix: String { rawValue + "." }

    /// The names of the document's parameters, the prefix in front.
    var prefixedNames: [String] { parameterNames.map { prefix + $0 } }
}

extension UserSnapshotQuery {
    /// The parameters of `portfolio`.
    static let portfolioParameterNames = ["lang"]

    /// The parameters of a snapshot that may hold a user's own documents.
    static let parameterNames =
        SnapshotQuery.parameterNames + SnapshotPart.portfolio.prefixedNames

    /// The documents that it can hold.
    static let documents = SnapshotPart.allCases.map(\.rawValue)

    /// Reads a query, as that of `/v1/snapshot` is read, with `portfolio` among the documents.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        let parts = try SnapshotQuery.parts(parameters, among: SnapshotPart.allCases)
        let own = parameters.part(SnapshotPart.portfolio.prefix)
        self.init(
            market: try SnapshotQuery(parameters, parts, tabs: MarketListQuery.Tab.allCases),
            portfolio: parts.contains(.portfolio) ? try own.choice("lang") ?? .korean : nil
        )
    }
}

extension SnapshotQuery {
    /// The parameters of `/v1/snapshot`.
    static let parameterNames =
        ["documents", "market"] + SnapshotPart.publicTabs.flatMap(\.prefixedNames)

    /// The documents that it can hold.
    static let documents = SnapshotPart.publicTabs.map(\.rawValue)

    /// Reads a query.
    ///
    /// Without `documents` it asks for the list, and for the detail of a market if one is named.
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

    /// The documents that are asked for; no parameter is of any other.
    fileprivate static func parts(
        _ parameters: RequestParameters,
        among known: [SnapshotPart]
    ) throws(Problem) -> Set<SnapshotPart> {
        let documents = try named(parameters, among: known)
        for document in known where !documents.contains(document) {
            guard let name = parameters.part(document.prefix).anyName else { continue }
            throw .invalidParameter(
                name,
                "is of a document that was not asked for",
                allowed: ["with \(document.rawValue) among documents"]
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
                throw parameters.refusal(
                    "documents",
                    "\"\(Problem.short(String(part)))\" is not one of its values",
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
            throw parameters.refusal(
                "market",
                "is of a document that was not asked for",
                allowed: ["with market-detail among documents"]
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
    /// Reads the parameter `market`, which must be there.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        let allowed = ["a market, such as BTC_KRW"]
        let market = try parameters.value("market", "no name of a market", allowed: allowed) {
            MarketID(anySpelling: $0)
        }
        guard let market else {
            throw parameters.refusal("market", "is missing", allowed: allowed)
        }
        self = market
    }
}
