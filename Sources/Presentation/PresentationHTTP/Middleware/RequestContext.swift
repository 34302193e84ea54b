import Domain
import HTTPServer
import NetworkAddresses

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
    var ifNoneMatch: String?
    /// Whether the client accepts gzip.
    let acceptsGzip: Bool
    /// Nil for an unknown path.
    var route: Route?
    /// The user of the request's token.
    var user: UserID?
    /// The quota of the request's token.
    var tokenKey: RateLimits.Key?
    /// The request's charge in units.
    var cost = RequestCost.one
    /// The charges so far, by the name and the owner of the quota.
    var charges: [(name: String, key: RateLimits.Key, charge: TokenBucket.Charge)] = []

    /// The quota of the request's client.
    var clientKey: RateLimits.Key { RateLimits.Key(client) }
}
