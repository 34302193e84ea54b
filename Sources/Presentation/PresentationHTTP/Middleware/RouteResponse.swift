import Domain
import HTTPServer

/// A request on its way to the room that answers it: routed, and let in.
struct RoutedRequest: Sendable {
    /// The request itself.
    let request: HTTPServerRequest
    /// Its name in answers and logs.
    let requestID: String
    /// Where it goes.
    let route: Route
    /// What is to be done.
    let method: Route.Method
    /// The text at the route's placeholder, percent-decoded: a market or a coin as the client
    /// wrote it; nil where the route has none.
    let place: String?
    /// Who asks, for limits.
    let client: NetworkAddress
    /// The token that opened the address; nil where none is needed.
    var token: AccessToken?
    /// What a change has to ask before it begins; nil where nothing is changed.
    var permit: ChangePermit?
}

/// What a room answers; the pass adds what every answer has.
///
/// That is: `X-Request-Id`, the limits, `Vary`, CORS, `ETag` and `Content-Encoding`; a 304 is made
/// of it where the client has it already.
struct RouteResponse: Sendable {
    /// What stands in the answer.
    enum Content: Sendable {
        /// A document in every encoding, with its tag.
        case document(EncodedDocument)
        /// Nothing, as with 204.
        case nothing
        /// A failure.
        case problem(Problem)
    }

    /// The HTTP status.
    var status: Int
    /// What stands in it.
    var content: Content
    /// Fields beside those that the pass adds.
    var headers: [(name: String, value: String)] = []

    /// A document.
    static func document(_ document: EncodedDocument) -> RouteResponse {
        RouteResponse(status: 200, content: .document(document))
    }

    /// A failure.
    static func problem(_ problem: Problem) -> RouteResponse {
        RouteResponse(status: problem.code.status, content: .problem(problem))
    }
}

/// Tells what tokens open.
protocol TokenAuthenticator: Sendable {
    /// Looks a token up.
    ///
    /// - Parameters:
    ///   - token: well-formed, and nothing more is known of it.
    ///   - reply: is called once: before this returns where the answer is known, else later on
    ///     any thread. A failure is `unauthorized`, or `store_unavailable`.
    func grant(
        of token: AccessToken,
        reply: @escaping @Sendable (Result<TokenGrant, Problem>) -> Void
    )
}

/// The room of what is kept for users.
protocol UserAPI: TokenAuthenticator {
    /// Answers a request on a personal address, its stream apart.
    ///
    /// - Parameters:
    ///   - call: its route's target is `personal`; the method is one that the route takes, and
    ///     its token is of a scope that opens that.
    ///   - grant: what the token opened a moment ago.
    ///   - reply: is called once, at once or later, on any thread.
    func answer(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        reply: @escaping @Sendable (RouteResponse) -> Void
    )

    /// Begins a user's stream.
    ///
    /// - Parameters:
    ///   - query: what it is to tell.
    ///   - call: a reading of the address of streams.
    ///   - grant: what the token opened a moment ago.
    ///   - token: the token.
    ///   - reply: is called once, at once or later, on any thread.
    func stream(
        _ query: UserStreamQuery,
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ token: AccessToken,
        reply: @escaping @Sendable (Result<UserStream, Problem>) -> Void
    )
}
