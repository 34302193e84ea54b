import Domain
import Presentation

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
        if let name = query.first(where: { pageNames.contains($0.name) })?.name {
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
        let rest = query.filter { $0.name != "documents" }
        guard let names = named.first?.value else {
            let isOfMarket = query.contains { $0.name == "market" }
            let isPrefixed = query.contains { $0.name.contains(".") }
            if isPrefixed { return try DocumentQuery.named(SnapshotViewState.schemaName, query) }
            return try DocumentQuery.named(
                isOfMarket ? MarketDetailViewState.schemaName : MarketListViewState.schemaName,
                query
            )
        }
        let isPrefixed = rest.contains { $0.name.contains(".") }
        guard !names.contains(","), !isPrefixed else {
            return try DocumentQuery.named(SnapshotViewState.schemaName, query)
        }
        guard documents.contains(names) else {
            throw .invalidParameter(
                "documents",
                "\"\(Problem.short(names))\" is not one of its values",
                allowed: documents
            )
        }
        return try DocumentQuery.named(names, rest)
    }
}
