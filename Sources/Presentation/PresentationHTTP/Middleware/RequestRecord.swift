public import Domain
public import HTTPServer

/// A request whose answer has ended: what logs and metrics are made of.
public struct RequestRecord: Sendable {
    /// The name that the answer carried in `X-Request-Id`: at most 64 letters, digits, `.-_`.
    public var requestID: String
    /// `GET`, `HEAD`, `PUT`, `PATCH`, `DELETE`, `OPTIONS`, or `other` for any else.
    public var method: String
    /// The template of the address, `/v1/markets/{market}`; nil where nothing is.
    public var route: String?
    /// The path as the client sent it, percent-decoded, without its query.
    ///
    /// It may hold anything but a zero byte, so it has to be escaped and cut before it is written.
    public var path: String
    /// The HTTP status.
    public var status: Int
    /// The bytes of the answer's body; of a stream those that were given to the connection.
    public var byteCount: Int
    /// From the whole request to the end of its answer.
    public var duration: Duration
    /// Who asked: for a trusted proxy whom it forwards.
    public var client: NetworkAddress
    /// Whose token opened it; nil without one.
    public var user: UserID?
    /// Whether the client took the whole answer; false if it left before.
    public var isWhole: Bool
    /// Whether the answer was an event stream: its duration tells nothing of slowness.
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
        isWhole: Bool,
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
        self.isWhole = isWhole
        self.isStream = isStream
    }
}

/// Is told of every request when its answer has ended.
public protocol RequestObserver: Sendable {
    /// Takes note of a request; called on threads of the server, many at a time, so it must
    /// neither block nor wait.
    func observe(_ request: RequestRecord)
}
