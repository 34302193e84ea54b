import Domain
import HTTPServer

/// A request on its way through the service: who asks, under which name, since when, and what was
/// taken of whose quota.
struct RequestContext: Sendable {
    /// The request itself.
    let request: HTTPServerRequest
    /// Its name in answers and logs.
    var id: String
    /// Who asks.
    let client: NetworkAddress
    /// When it had come in whole, on the monotonic clock.
    var startedAt: Duration
    /// The tags that the client has; nil if it asks unconditionally, and for a stream, which has
    /// no tag.
    ///
    /// Where there are any, only the answer tells which quota is charged.
    var ifNoneMatch: String?
    /// Whether the client takes gzip.
    let acceptsGzip: Bool
    /// Where it goes; nil for nowhere.
    var route: Route?
    /// Whose token opened it.
    var user: UserID?
    /// The quota of that token.
    var tokenKey: RateLimits.Key?
    /// What was taken so far.
    var uses: [(name: String, taken: TokenBucket.Taken)] = []

    /// Whose quotas are charged.
    var keys: [(name: String, key: RateLimits.Key)] {
        let client = (name: "client", key: RateLimits.Key(client))
        guard let tokenKey else { return [client] }
        return [client, (name: "token", key: tokenKey)]
    }
}
