import Domain
import Presentation

extension SnapshotQuery {
    /// The documents that a snapshot can hold.
    private enum Document: String, CaseIterable {
        case marketList = "market-list"
        case marketDetail = "market-detail"
        case assets

        var parameterNames: [String] {
            switch self {
            case .marketList: MarketListQuery.parameterNames
            case .marketDetail: DetailDocumentKind.marketDetail.parameterNames
            case .assets: AssetsQuery.parameterNames
            }
        }

        /// What stands before the names of the document's parameters.
        var prefix: String { rawValue + "." }
    }

    /// The parameters of `/v1/snapshot`.
    static let parameterNames =
        ["documents", "market"]
        + Document.allCases.flatMap { document in
            document.parameterNames.map { document.prefix + $0 }
        }

    /// Reads a query.
    ///
    /// Without `documents` it asks for the list, and for the detail of a market if one is named.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        let documents = try Self.documents(parameters)
        for document in Document.allCases where !documents.contains(document) {
            guard let name = parameters.part(document.prefix).anyName else { continue }
            throw .invalidParameter(
                name,
                "is of a document that was not asked for",
                allowed: ["with \(document.rawValue) among documents"]
            )
        }
        self.init(
            marketList: documents.contains(.marketList)
                ? try MarketListQuery(parameters.part(Document.marketList.prefix)) : nil,
            marketDetail: try Self.detail(parameters, isWanted: documents.contains(.marketDetail)),
            assets: documents.contains(.assets)
                ? try AssetsQuery(parameters.part(Document.assets.prefix)) : nil
        )
    }

    private static func documents(
        _ parameters: RequestParameters
    ) throws(Problem) -> Set<Document> {
        guard let text = parameters["documents"] else {
            return parameters["market"] == nil ? [.marketList] : [.marketList, .marketDetail]
        }
        var documents: Set<Document> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let document = Document(rawValue: String(part)) else {
                throw parameters.refusal(
                    "documents",
                    "\"\(Problem.short(String(part)))\" is not one of its values",
                    allowed: Document.allCases.map(\.rawValue)
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
            parameters.part(Document.marketDetail.prefix)
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
