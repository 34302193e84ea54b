public import ViewStates

/// Which requests the access log tells of.
public enum AccessLogMode: String, Sendable, CaseIterable {
    /// Those that failed, and slow ones.
    case errors
    /// Every one.
    case all
    /// None.
    case off
}

/// What the service lets its clients do: every limit and switch.
///
/// They are configured, except those that name a fixed bound of the contract, and the waits.
public struct ServiceConfiguration: Sendable, Equatable {
    /// Whether public data, too, need a token.
    public var requiresToken: Bool
    /// Proxies that are believed whom they forward.
    public var trustedProxies: [AddressRange]
    /// Whose pages may read answers in a browser; none: CORS is off.
    public var corsOrigins: [CrossOrigin]
    /// Connections at one time.
    public var connectionsMax: Int
    /// Connections of one address at one time.
    public var connectionsPerClientMax: Int
    /// Requests of one client in a minute.
    public var requestsPerClient: Int
    /// Requests with one token in a minute.
    public var requestsPerToken: Int
    /// Requests of one client in a minute that are answered with 304: beside the others.
    public var notModifiedPerClient: Int
    /// Streams of one user, or of one client without a token, at one time.
    public var streamsPerUser: Int
    /// Different questions that streams may follow at one time.
    public var topicsMax: Int
    /// Which requests are logged.
    public var accessLog: AccessLogMode
    /// The longest wait for the store's word on a token, and for what is kept: then it is away.
    public var storeTimeout: Duration
    /// The longest wait for the data of a first question, even when no cut tells the time.
    public var firstDataTimeout: Duration

    /// Makes rules; the limits are 1 or more.
    public init(
        requiresToken: Bool,
        trustedProxies: [AddressRange],
        corsOrigins: [CrossOrigin],
        connectionsMax: Int,
        connectionsPerClientMax: Int,
        requestsPerClient: Int,
        requestsPerToken: Int,
        notModifiedPerClient: Int,
        streamsPerUser: Int,
        topicsMax: Int,
        accessLog: AccessLogMode,
        storeTimeout: Duration = .seconds(5),
        firstDataTimeout: Duration = DocumentQuery.patience
    ) {
        self.requiresToken = requiresToken
        self.trustedProxies = trustedProxies
        self.corsOrigins = corsOrigins
        self.connectionsMax = connectionsMax
        self.connectionsPerClientMax = connectionsPerClientMax
        self.requestsPerClient = requestsPerClient
        self.requestsPerToken = requestsPerToken
        self.notModifiedPerClient = notModifiedPerClient
        self.streamsPerUser = streamsPerUser
        self.topicsMax = topicsMax
        self.accessLog = accessLog
        self.storeTimeout = storeTimeout
        self.firstDataTimeout = firstDataTimeout
    }

    /// The longest header of a request in bytes.
    public static let headerBytesMax = 8_192
    /// The longest body of a request in bytes.
    public static let bodyBytesMax = 65_536
    /// The longest that a header may take in seconds, and then a body.
    public static let requestSecondsMax = 10
    /// A connection on which nothing moves for so many seconds is closed.
    public static let idleSecondsMax = 60
    /// The least rate at which a client takes an answer, beyond the first ``idleSecondsMax``.
    public static let sentBytesPerSecondMin = 16_384
    /// The longest that the end waits for requests in flight, in seconds.
    public static let stopSecondsMax = 10
    /// A request that takes longer is slow: the access log tells of it.
    public static let slowThreshold: Duration = .seconds(1)

    /// The limits in force by name, for `/v1/about`.
    public var limits: [String: Int] {
        [
            "headerBytes": Self.headerBytesMax,
            "headerSeconds": Self.requestSecondsMax,
            "bodyBytes": Self.bodyBytesMax,
            "bodySeconds": Self.requestSecondsMax,
            "idleSeconds": Self.idleSecondsMax,
            "sentBytesPerSecond": Self.sentBytesPerSecondMin,
            "connections": connectionsMax,
            "connectionsPerClient": connectionsPerClientMax,
            "requestsPerClientPerMinute": requestsPerClient,
            "requestsPerTokenPerMinute": requestsPerToken,
            "notModifiedPerClientPerMinute": notModifiedPerClient,
            "streamsPerUser": streamsPerUser,
            "streamTopics": topicsMax,
        ]
    }
}
