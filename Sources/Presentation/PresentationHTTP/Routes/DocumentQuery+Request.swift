import Domain
public import ViewStates

extension DocumentQuery {
    /// Parses the query of a request; nil if its route has no document.
    ///
    /// Markets are accepted in any spelling.
    ///
    /// - Parameters:
    ///   - target: the target of the route.
    ///   - place: the market in the path.
    ///   - parameters: the query parameters.
    /// - Throws: ``Problem`` `invalid_parameter`.
    init?(
        _ target: Route.Target,
        _ place: String?,
        _ parameters: [(name: String, value: String)]
    ) throws(Problem) {
        switch target {
        case .marketList:
            let known = try RequestParameters(
                parameters,
                known: MarketListQuery.pageParameterNames
            )
            self = .marketList(try MarketListQuery(known))
        case .detail(let kind):
            guard let market = place.flatMap({ MarketID(anySpelling: $0) }) else { return nil }
            let known = try RequestParameters(parameters, known: kind.parameterNames)
            self = kind.query(try MarketDetailQuery(market, kind, known))
        case .assets: self = try .assets(parameters)
        case .snapshot: self = try .snapshot(parameters)
        case .stream, .about, .openAPI, .page, .personal: return nil
        }
    }

    /// Parses the parameters of the HTTP contract, as commands take them; documents about one
    /// market also have `market`.
    ///
    /// - Parameters:
    ///   - document: `market-list`, `market-detail`, `order-book`, `trades`, `candles`, `assets`
    ///     or `snapshot`.
    ///   - parameters: by their names in the HTTP contract.
    /// - Throws: ``ParameterError`` naming the parameter, or `DOCUMENT` for an unknown document.
    public init(
        document: String,
        parameters: [(name: String, value: String)]
    ) throws(ParameterError) {
        do throws(Problem) {
            self = try Self.named(document, parameters)
        } catch {
            throw ParameterError(error)
        }
    }

    /// The names of the public documents.
    public static let names =
        [MarketListViewState.schemaName] + DetailDocumentKind.allCases.map(\.rawValue)
        + [AssetsViewState.schemaName, SnapshotViewState.schemaName]

    static func named(
        _ document: String,
        _ parameters: [(name: String, value: String)]
    ) throws(Problem) -> DocumentQuery {
        if let kind = DetailDocumentKind(rawValue: document) {
            let known = ["market"] + kind.parameterNames
            let parameters = try RequestParameters(parameters, known: known)
            let market = try MarketID(parameters)
            return kind.query(try MarketDetailQuery(market, kind, parameters))
        }
        switch document {
        case MarketListViewState.schemaName: return try .marketList(parameters)
        case AssetsViewState.schemaName: return try .assets(parameters)
        case SnapshotViewState.schemaName: return try .snapshot(parameters)
        default:
            throw .invalidParameter(
                "DOCUMENT",
                "unknown document",
                allowed: names
            )
        }
    }
}

extension DocumentQuery {
    fileprivate static func marketList(
        _ parameters: [(name: String, value: String)]
    ) throws(Problem) -> DocumentQuery {
        let known = try RequestParameters(parameters, known: MarketListQuery.parameterNames)
        return .marketList(try MarketListQuery(known))
    }

    fileprivate static func assets(
        _ parameters: [(name: String, value: String)]
    ) throws(Problem) -> DocumentQuery {
        let known = try RequestParameters(parameters, known: AssetsQuery.parameterNames)
        return .assets(try AssetsQuery(known))
    }

    fileprivate static func snapshot(
        _ parameters: [(name: String, value: String)]
    ) throws(Problem) -> DocumentQuery {
        let known = try RequestParameters(parameters, known: SnapshotQuery.parameterNames)
        return .snapshot(try SnapshotQuery(known))
    }
}

/// An unknown parameter or an invalid value.
public struct ParameterError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The parameter, what is wrong, and the allowed values.
    public let description: String

    init(_ problem: Problem) {
        let allowed = problem.allowed.map { "; allowed: " + $0.joined(separator: ", ") }
        description = problem.detail + (allowed ?? "")
    }
}
