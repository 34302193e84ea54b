import Domain
import HTTPServer

/// A request in the pipeline: its client, id and start, and the quotas it was charged to.
struct RequestContext: Sendable {
    let request: HTTPServerRequest
    /// The value of `X-Request-Id`.
    var id: String
    /// The client for limits and logs.
    let client: NetworkAddress
    /// When the request was complete, on the monotonic clock.
    var startedAt: Duration
    /// The value of `If-None-Match`; nil for an unconditional request and for a stream.
    ///
    /// A conditional request is charged once its status is known: 304s have a quota of their own.
    var ifNoneMatch: String?
    /// Whether the client accepts gzip.
    let acceptsGzip: Bool
    /// Nil for an unknown path.
    var route: Route?
    /// The user of the request's token.
    var user: UserID?
    /// The quota of the request's token.
    var tokenKey: RateLimits.Key?
    /// The charges so far, by the name of the quota.
    var charges: [(name: String, charge: TokenBucket.Charge)] = []

    /// The quotas to charge.
    var quotas: [(name: String, key: RateLimits.Key)] {
        let client = (name: RequestPipeline.clientQuota, key: RateLimits.Key(client))
        guard let tokenKey else { return [client] }
        return [client, (name: "token", key: tokenKey)]
    }
}
