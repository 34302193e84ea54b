import Domain
import ViewStates

/// Parses the parameters of `/v1/stream`: those of one document or of a snapshot.
enum StreamQuery {
    /// The documents that can be streamed, alone or in a snapshot.
    static let documents = DocumentQuery.names.filter { $0 != SnapshotViewState.schemaName }

    /// Paging parameters, which a stream does not have: it starts with the newest data.
    private static let pageNames = ["since", "before", "at", "offset", "revision"]

    /// Whether a parameter, perhaps with the name of a document as prefix, chooses a page.
    static func isPaging(_ name: String) -> Bool {
        pageNames.contains { name == $0 || name.hasSuffix("." + $0) }
    }

    /// Parses the parameters.
    ///
    /// With one name in `documents` the parameters have no prefix. Several documents are a
    /// snapshot, whose parameters have one. Without `documents` the document is `market-list`, or
    /// `market-detail` if `market` is present.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    static func document(
        _ query: [(name: String, value: String)]
    ) throws(Problem) -> DocumentQuery {
        do throws(Problem) {
            switch try StreamShape(query, documents: documents) {
            case .one(let name, let parameters): return try DocumentQuery.named(name, parameters)
            case .several: return try DocumentQuery.named(SnapshotViewState.schemaName, query)
            }
        } catch {
            throw error.ofStream
        }
    }
}

extension Problem {
    /// The problem without the parameters that only requests have among the allowed ones.
    fileprivate var ofStream: Problem {
        var problem = self
        problem.allowed = allowed?.filter { !StreamQuery.isPaging($0) }
        return problem
    }
}

/// The parameters of `/v1/me/stream`.
enum UserStreamQuery: Sendable, Equatable {
    /// Documents of the user, perhaps with others in one snapshot.
    case own(UserDocumentQuery)
    /// Public documents.
    case publicTabs(DocumentQuery)

    /// The documents that can be streamed, alone or in a snapshot.
    static let documents =
        StreamQuery.documents + [PortfolioViewState.schemaName, AlertsViewState.schemaName]

    /// Parses the parameters as ``StreamQuery/document(_:)`` does, with `portfolio`, `alerts` and
    /// the user's own list.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ query: [(name: String, value: String)]) throws(Problem) {
        do throws(Problem) {
            try self.init(parsing: query)
        } catch {
            throw error.ofStream
        }
    }

    private init(parsing query: [(name: String, value: String)]) throws(Problem) {
        switch try StreamShape(query, documents: Self.documents) {
        case .one(MarketListViewState.schemaName, let parameters):
            let known = try RequestParameters(parameters, known: MarketListQuery.parameterNames)
            self = .own(.marketList(try MarketListQuery(known, tabs: MarketListQuery.Tab.allCases)))
        case .one(PortfolioViewState.schemaName, let parameters):
            let known = try RequestParameters(
                parameters,
                known: UserSnapshotQuery.languageParameterNames
            )
            self = .own(.portfolio(try known.choice("lang") ?? .korean))
        case .one(AlertsViewState.schemaName, let parameters):
            let known = try RequestParameters(
                parameters,
                known: UserSnapshotQuery.languageParameterNames
            )
            self = .own(.alerts(try known.choice("lang") ?? .korean))
        case .one(let name, let parameters):
            self = .publicTabs(try DocumentQuery.named(name, parameters))
        case .several:
            let query = try UserSnapshotQuery(
                RequestParameters(query, known: UserSnapshotQuery.parameterNames)
            )
            let isOwn =
                query.market.marketList != nil || query.portfolio != nil || query.alerts != nil
            self = isOwn ? .own(.snapshot(query)) : .publicTabs(.snapshot(query.market))
        }
    }

    /// The market data that the first event needs; nil if it needs none.
    var market: DocumentQuery? {
        switch self {
        case .publicTabs(let query): query
        case .own(.snapshot(let query)): .snapshot(query.market)
        case .own: nil
        }
    }
}

/// The form of a stream's parameters.
private enum StreamShape {
    /// One document; its parameters have no prefix.
    case one(String, [(name: String, value: String)])
    /// A snapshot; its parameters have the names of documents as prefix.
    case several

    init(_ query: [(name: String, value: String)], documents: [String]) throws(Problem) {
        if let name = query.first(where: { StreamQuery.isPaging($0.name) })?.name {
            throw .invalidParameter(
                name,
                "a stream starts with the newest data and has no pages",
                allowed: Route.streamParameterNames
            )
        }
        let named = query.filter { $0.name == "documents" }
        guard named.count <= 1 else {
            throw .invalidParameter("documents", "is given more than once", allowed: ["once"])
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
                "\"\(Problem.short(names))\" is not an allowed value",
                allowed: documents
            )
        }
        self = .one(names, query.filter { $0.name != "documents" })
    }
}
