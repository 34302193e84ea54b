import Compression
import Domain
import HTTPServer
import NetworkAddresses
import SharedMemory
import ViewStates

/// A routed and authorized request.
struct RoutedRequest: Sendable {
    let request: HTTPServerRequest
    /// The value of `X-Request-Id`.
    let requestID: String
    let route: Route
    let method: Route.Method
    /// The percent-decoded path parameter, a market, an asset or a number; nil if the route has
    /// none.
    let place: String?
    /// The parsed query; nil if the route's own code parses it.
    let query: RequestedQuery?
    /// The client for limits.
    let client: NetworkAddress
    /// The verified token; nil if the route needs none.
    var token: AccessToken?
    /// Must be asked before a change begins; nil for a read.
    var permit: ChangePermit?
}

/// The response of a route, before ``RequestPipeline`` adds the common header fields and decides on
/// a 304.
struct RouteResponse: Sendable {
    /// The body.
    enum Content: Sendable {
        case document(CacheableDocument)
        /// No body, as with 204.
        case nothing
        case problem(Problem)
    }

    /// The HTTP status.
    var status: Int
    var content: Content
    /// Header fields beside those that the pipeline adds.
    var headers: [(name: String, value: String)] = []

    /// A response with a document.
    static func document(_ document: CacheableDocument) -> RouteResponse {
        RouteResponse(status: 200, content: .document(document))
    }

    /// A response with a failure.
    static func problem(_ problem: Problem) -> RouteResponse {
        RouteResponse(status: problem.code.status, content: .problem(problem))
    }
}

/// An encoded document, and how HTTP caches may keep it.
struct CacheableDocument: Sendable {
    /// The readers of the document.
    enum Scope: Sendable {
        /// Anyone: caches revalidate it.
        case anyone
        /// One user.
        case user
        /// One user; stored data, whose tag is the store's revision in every coding.
        case stored
        /// One user, once: no cache keeps it, so it has no tag.
        case secret
        /// Anyone: caches keep it, because its address changes with its content.
        case fixed
    }

    let document: EncodedDocument
    let scope: Scope
    /// The time since the data were last known to be the store's; nil while they are current.
    var age: Duration?
    /// The value of `Content-Type`.
    var mediaType = "application/json"

    /// The value of `Cache-Control`.
    var cacheControl: String {
        switch scope {
        case .anyone: "no-cache"
        case .user, .stored: "private, no-cache"
        case .secret: "no-store"
        case .fixed: "public, max-age=31536000, immutable"
        }
    }

    /// Whether gzip is offered.
    var isCompressible: Bool {
        switch scope {
        case .anyone, .user, .fixed: true
        case .stored, .secret: false
        }
    }

    /// The value of `ETag`; that of old data differs, because newer data may exist.
    func tag(isGzip: Bool) -> String {
        "\"\(document.tag)\(age == nil ? "" : "-old")\(isGzip ? "-gzip" : "")\""
    }

    /// Whether the bytes to send exist already.
    func isMade(isGzip: Bool) -> Bool {
        document.cached(isGzip && isCompressible ? .gzip : .identity) != nil
    }

    /// The bytes to send.
    func body(isGzip: Bool) -> SharedBytes {
        isGzip ? document.gzip(Gzip.compressedDocument) : document.sharedJSON
    }
}

/// Verifies tokens.
protocol TokenAuthenticator: Sendable {
    /// Looks a token up.
    ///
    /// - Parameters:
    ///   - token: a well-formed token.
    ///   - admit: called before the store is asked about a token that is not known to be valid;
    ///     an error is the reply.
    ///   - reply: called once, before this returns if the grant is cached, else on any thread. A
    ///     failure is `unauthorized`, `store_unavailable` or an error of `admit`.
    func grant(
        of token: AccessToken,
        admit: () throws(Problem) -> Void,
        reply: @escaping @Sendable (Result<TokenGrant, Problem>) -> Void
    )
}

/// The routes below `/v1/me`.
protocol UserAPI: TokenAuthenticator {
    /// Whether the store refuses all changes, because it is a standby.
    var isReadOnly: Bool { get }

    /// Answers a request, except for a stream.
    ///
    /// - Parameters:
    ///   - call: a request whose target is `personal`; its method and scope are checked.
    ///   - grant: the grant of its token.
    ///   - reply: called once, on any thread.
    func answer(
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        reply: @escaping @Sendable (RouteResponse) -> Void
    )

    /// Begins a user's stream.
    ///
    /// - Parameters:
    ///   - query: the documents to stream.
    ///   - call: the request.
    ///   - grant: the grant of its token.
    ///   - token: its token.
    ///   - reader: the reader.
    ///   - reply: called once, on any thread.
    func stream(
        _ query: UserStreamQuery,
        _ call: RoutedRequest,
        _ grant: TokenGrant,
        _ token: AccessToken,
        for reader: StreamReader,
        reply: @escaping @Sendable (Result<UserStream, Problem>) -> Void
    )
}
