import HTTPServer
import ViewStates

/// The query of a request, parsed before the request is charged.
///
/// An invalid query costs a unit; its problem is the answer of an authorized request.
enum RequestedQuery: Sendable {
    /// A public document.
    case document(Result<DocumentQuery, Problem>)
    /// The stream of a public document.
    case stream(Result<DocumentQuery, Problem>)
    /// The stream of a user.
    case userStream(Result<UserStreamQuery, Problem>)
    /// A document of a user, parsed again by its route.
    case user(UserDocumentQuery)

    /// Parses the query of a request; nil if the route has no parameters that cost anything.
    init?(_ route: Route, _ place: String?, _ request: HTTPServerRequest) {
        switch route.target {
        case .marketList, .detail, .assets, .snapshot:
            do throws(Problem) {
                let query = try DocumentQuery(route.target, place, request.query)
                guard let query else { return nil }
                self = .document(.success(query))
            } catch {
                self = .document(.failure(error))
            }
        case .stream:
            self = .stream(
                Result { () throws(Problem) in try StreamQuery.document(request.query) }
            )
        case .personal(.stream):
            self = .userStream(Result { () throws(Problem) in try UserStreamQuery(request.query) })
        case .personal(let resource) where request.method == "GET" && route.methods.contains(.get):
            let parameters = try? RequestParameters(request, known: route.parameterNames)
            guard let parameters, let query = try? UserRequest.query(resource, parameters) else {
                return nil
            }
            self = .user(query)
        case .about, .openAPI, .page, .personal: return nil
        }
    }

    /// The request's charge in units.
    func cost(isGzip: Bool) -> RequestCost {
        switch self {
        case .document(.success(let query)): RequestCost(query, isGzip: isGzip)
        case .stream(.success(let query)): RequestCost(streaming: query, isGzip: isGzip)
        case .userStream(.success(.publicTabs(let query))):
            RequestCost(streaming: query, isGzip: isGzip)
        case .userStream(.success(.own(let query))):
            RequestCost(streaming: query, isGzip: isGzip)
        case .user(let query): RequestCost(query, isGzip: isGzip)
        case .document(.failure), .stream(.failure), .userStream(.failure): .one
        }
    }
}
