public import Domain
public import NetworkAddresses

/// A finished request, for logs and metrics.
public struct RequestRecord: Sendable {
    /// The value of `X-Request-Id`: at most 64 letters, digits and `.-_`.
    public var requestID: String
    /// `GET`, `HEAD`, `PUT`, `PATCH`, `DELETE`, `OPTIONS` or `other`.
    public var method: String
    /// The template of the route, `/v1/markets/{market}`; nil for an unknown path.
    public var route: String?
    /// The percent-decoded path without its query.
    ///
    /// The path may contain any character except zero: escape and shorten it before writing it.
    public var path: String
    /// The HTTP status.
    public var status: Int
    /// Bytes of the response's body; of a stream the bytes handed to the connection.
    public var byteCount: Int
    /// From the complete request to the end of its response.
    public var duration: Duration
    /// The client; behind a trusted proxy the forwarded one.
    public var client: NetworkAddress
    /// The user of the token; nil without one.
    public var user: UserID?
    /// Whether the response was sent to its end; false if the client disconnected before.
    public var isComplete: Bool
    /// Whether the response was an event stream, whose duration does not measure latency.
    public var isStream: Bool

    /// Makes a record.
    public init(
        requestID: String,
        method: String,
        route: String?,
        path: String,
        status: Int,
        byteCount: Int,
        duration: Duration,
        client: NetworkAddress,
        user: UserID?,
        isComplete: Bool,
        isStream: Bool
    ) {
        self.requestID = requestID
        self.method = method
        self.route = route
        self.path = path
        self.status = status
        self.byteCount = byteCount
        self.duration = duration
        self.client = client
        self.user = user
        self.isComplete = isComplete
        self.isStream = isStream
    }
}

/// Receives a record of every finished request.
public protocol RequestObserver: Sendable {
    /// Called concurrently on the server's threads; must not block.
    func observe(_ request: RequestRecord)
}
