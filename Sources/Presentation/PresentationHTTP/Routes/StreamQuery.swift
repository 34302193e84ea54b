import Domain
import ViewStates

/// Reads what a stream is to tell: the parameters of one document, or of a snapshot.
enum StreamQuery {
    /// The documents that a stream of everybody's may be of, one at a time or in one cut.
    static let documents = DocumentQuery.names.filter { $0 != SnapshotViewState.schemaName }

    /// What reads on from a place that was reached: a stream tells of what is newest.
    static let pageNames = ["since", "before"]

    /// Reads the parameters of `/v1/stream`.
    ///
    /// One name in `documents` is that document, and its parameters have no prefix. Several are a
    /// snapshot, and theirs have one. Without `documents` it is `market-list`, or `market-detail`
    /// where a market is named.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    static func document(
        _ query: [(name: String, value: String)]
    ) throws(Problem) -> DocumentQuery {
        switch try StreamShape(query, documents: documents) {
        case .one(let name, let parameters): return try DocumentQuery.named(name, parameters)
        case .several: return try DocumentQuery.named(SnapshotViewState.schemaName, query)
        }
    }
}

/// What a user's stream is to tell.
enum UserStreamQuery: Sendable, Equatable {
    /// Documents with the user's marks or of the user alone, and perhaps others in one cut.
    case own(UserDocumentQuery)
    /// Documents that are the same for everybody.
    case publicTabs(DocumentQuery)

    /// The documents that a user's stream may be of, one at a time or in one cut.
    static let documents = StreamQuery.documents + [PortfolioViewState.schemaName]

    /// Reads the parameters of `/v1/me/stream`: as ``StreamQuery/document(_:)`` does, with
    /// `portfolio` among the documents and the list as the user sees it.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ query: [(name: String, value: String)]) throws(Problem) {
        switch try StreamShape(query, documents: Self.documents) {
        case .one(MarketListViewState.schemaName, let parameters):
            let known = try RequestParameters(parameters, known: MarketListQuery.parameterNames)
            self = .own(.marketList(try MarketListQuery(known, tabs: MarketListQuery.Tab.allCases)))
        case .one(PortfolioViewState.schemaName, let parameters):
            let known = try RequestParameters(
                parameters,
                known: UserSnapshotQuery.portfolioParameterNames
            )
            self = .own(.portfolio(try known.choice("lang") ?? .korean))
        case .one(let name, let parameters):
            self = .publicTabs(try DocumentQuery.named(name, parameters))
        case .several:
            let query = try UserSnapshotQuery(
                RequestParameters(query, known: UserSnapshotQuery.parameterNames)
            )
            let isOwn = query.market.marketList != nil || query.portfolio != nil
            self = isOwn ? .own(.snapshot(query)) : .publicTabs(.snapshot(query.market))
        }
    }

    /// What has to be there before the first event; nil where nothing is waited for.
    var market: DocumentQuery? {
        switch self {
        case .publicTabs(let query): query
        case .own(.snapshot(let query)): .snapshot(query.market)
        case .own: nil
        }
    }
}

/// Whether a stream is of one document, or of several in one cut.
private enum StreamShape {
    /// One, with its parameters, which have no prefix.
    case one(String, [(name: String, value: String)])
    /// Several, or one as a snapshot has it: the parameters have the names of documents in front.
    case several

    init(_ query: [(name: String, value: String)], documents: [String]) throws(Problem) {
        if let name = query.first(where: { StreamQuery.pageNames.contains($0.name) })?.name {
            throw .invalidParameter(
                name,
                "a stream begins with what is newest; pages are asked for without one",
                allowed: Route.streamParameterNames
            )
        }
        let named = query.filter { $0.name == "documents" }
        guard named.count <= 1 else {
            throw .invalidParameter("documents", "stands more than once", allowed: ["once"])
        }
        let isPrefixed = query.contains { $0.name.contains(".") }
        guard let names = named.first?.value else {
            let isOfMarket = query.contains { $0.name == "market" }
            self =
                isPrefixed
                ? .several
                : .one(
                    isOfMarket ? MarketDetailViewState.schemaName : MarketListViewState.schemaName,
                    query
                )
            return
        }
        guard !names.contains(","), !isPrefixed else {
            self = .several
            return
        }
        guard documents.contains(names) else {
            throw .invalidParameter(
                "documents",
                "\"\(Problem.short(names))\" is not one of its values",
                allowed: documents
            )
        }
        self = .one(names, query.filter { $0.name != "documents" })
    }
}
