import Domain
import HTTPServer
public import Presentation

extension DocumentQuery {
    /// Reads what a request asks for; nil if nothing is at its address.
    ///
    /// Markets are taken in any spelling. The path is decoded already, so that an escaped slash
    /// parts it as any other.
    ///
    /// - Throws: ``Problem`` `method_not_allowed`, `invalid_parameter`.
    init?(_ request: HTTPServerRequest) throws(Problem) {
        guard let address = Address(path: request.path) else { return nil }
        try SnapshotService.requireGet(request)
        self = try address.query(request.query)
    }

    /// Reads the parameters of a document, wherever they were written: those of the HTTP contract,
    /// and for the documents about one market also `market`.
    ///
    /// - Parameters:
    ///   - document: `market-list`, `market-detail`, `order-book`, `trades`, `candles`, `assets`
    ///     or `snapshot`.
    ///   - parameters: by their names in the HTTP contract.
    /// - Throws: ``ParameterError`` naming the parameter, or `DOCUMENT` if there is none such.
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

    /// The documents that everybody gets.
    public static let names =
        [MarketListViewState.schemaName] + DetailDocumentKind.allCases.map(\.rawValue)
        + [AssetsViewState.schemaName, SnapshotViewState.schemaName]

    private static func named(
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
        case MarketListViewState.schemaName: return try Address.list.query(parameters)
        case AssetsViewState.schemaName: return try Address.assets.query(parameters)
        case SnapshotViewState.schemaName: return try Address.snapshot.query(parameters)
        default:
            throw .invalidParameter(
                "DOCUMENT",
                "there is no such document",
                allowed: names
            )
        }
    }
}

/// An address of the public listener.
private enum Address {
    case list
    case detail(MarketID, DetailDocumentKind)
    case assets
    case snapshot

    /// What is at a path; nil for nothing.
    init?(path: String) {
        switch path {
        case "/v1/markets": self = .list
        case "/v1/assets": self = .assets
        case "/v1/snapshot": self = .snapshot
        default:
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(
                String.init
            )
            guard parts.count == 4 || parts.count == 5, parts[..<3] == ["", "v1", "markets"],
                let market = MarketID(anySpelling: parts[3])
            else { return nil }
            let last = parts.count == 5 ? parts[4] : nil
            let kind = DetailDocumentKind.allCases.first { $0.pathPart == last }
            guard let kind else { return nil }
            self = .detail(market, kind)
        }
    }

    func query(
        _ parameters: [(name: String, value: String)]
    ) throws(Problem) -> DocumentQuery {
        switch self {
        case .list:
            .marketList(
                try MarketListQuery(
                    RequestParameters(parameters, known: MarketListQuery.parameterNames)
                )
            )
        case .detail(let market, let kind):
            kind.query(
                try MarketDetailQuery(
                    market,
                    kind,
                    RequestParameters(parameters, known: kind.parameterNames)
                )
            )
        case .assets:
            .assets(
                try AssetsQuery(RequestParameters(parameters, known: AssetsQuery.parameterNames))
            )
        case .snapshot:
            .snapshot(
                try SnapshotQuery(
                    RequestParameters(parameters, known: SnapshotQuery.parameterNames)
                )
            )
        }
    }
}

/// A parameter that is not one, or has a value that is not allowed.
public struct ParameterError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, with the parameter's name in front, and what would be allowed.
    public let description: String

    init(_ problem: Problem) {
        let allowed = problem.allowed.map { "; allowed: " + $0.joined(separator: ", ") }
        description = problem.detail + (allowed ?? "")
    }
}
