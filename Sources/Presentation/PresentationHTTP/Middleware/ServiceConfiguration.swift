import Domain
public import HTTPServer
public import NetworkAddresses
public import UseCases
public import ViewStates

/// The requests in the access log.
public enum AccessLogMode: String, Sendable, CaseIterable {
    /// Failed and slow requests.
    case errors
    /// All requests.
    case all
    /// No requests.
    case off
}

/// The limits and switches of the service; static members are fixed by the HTTP contract.
public struct ServiceConfiguration: Sendable, Equatable {
    /// Whether the page is served at `/`.
    public var servesPage: Bool
    /// Whether public data needs a token.
    public var requiresToken: Bool
    /// Proxies whose `X-Forwarded-For` is trusted.
    public var trustedProxies: [AddressRange]
    /// Origins whose pages may read responses; CORS is off without any.
    public var corsOrigins: [CrossOrigin]
    /// Concurrent connections.
    public var connectionsMax: Int
    /// Concurrent connections of one client.
    public var connectionsPerClientMax: Int
    /// Units of one client's requests per minute; see ``RequestCost``.
    public var requestsPerClient: Int
    /// Units of requests with one token per minute.
    public var requestsPerToken: Int
    /// Requests of one client per minute that are answered with 304, in addition.
    public var notModifiedPerClient: Int
    /// Look-ups per minute and client of tokens that are not known to be valid, which may come at
    /// once: at most twice as many in any minute.
    public var unknownTokensPerClient: Int
    /// Concurrent streams of one user, or of one client without a token.
    public var streamsPerUser: Int
    /// Different documents that are streamed at a time.
    public var topicsMax: Int
    /// Estimated bytes of cached documents and of streamed ones without readers.
    public var cacheBytesMax: Int
    /// Estimated bytes of streamed documents with readers.
    public var streamBytesMax: Int
    /// Bytes of responses and events that clients have not taken; a client may use a quarter.
    public var unsentBytesMax: Int
    /// Estimated bytes of the users' data in memory.
    public var userBytesMax: Int
    /// Threads that make and compress documents; as many again do so for streams.
    public var documentThreads: Int
    /// The requests in the access log.
    public var accessLog: AccessLogMode
    /// The longest wait for the store, after which it counts as unavailable.
    public var storeTimeout: Duration
    /// The longest wait of a first request for a market's data.
    public var firstDataTimeout: Duration

    /// Makes a configuration; the limits are 1 or more.
    public init(
        servesPage: Bool = true,
        requiresToken: Bool,
        trustedProxies: [AddressRange],
        corsOrigins: [CrossOrigin],
        connectionsMax: Int,
        connectionsPerClientMax: Int,
        requestsPerClient: Int,
        requestsPerToken: Int,
        notModifiedPerClient: Int,
        unknownTokensPerClient: Int = 30,
        streamsPerUser: Int,
        topicsMax: Int,
        cacheBytesMax: Int = 64 << 20,
        streamBytesMax: Int = 256 << 20,
        unsentBytesMax: Int = HTTPServer.unsentBytesMax,
        userBytesMax: Int = UserStateService.standardBytesMax,
        documentThreads: Int = 2,
        accessLog: AccessLogMode,
        storeTimeout: Duration = .seconds(5),
        firstDataTimeout: Duration = DocumentQuery.patience
    ) {
        self.servesPage = servesPage
        self.requiresToken = requiresToken
        self.trustedProxies = trustedProxies
        self.corsOrigins = corsOrigins
        self.connectionsMax = connectionsMax
        self.connectionsPerClientMax = connectionsPerClientMax
        self.requestsPerClient = requestsPerClient
        self.requestsPerToken = requestsPerToken
        self.notModifiedPerClient = notModifiedPerClient
        self.unknownTokensPerClient = unknownTokensPerClient
        self.streamsPerUser = streamsPerUser
        self.topicsMax = topicsMax
        self.cacheBytesMax = cacheBytesMax
        self.streamBytesMax = streamBytesMax
        self.unsentBytesMax = unsentBytesMax
        self.userBytesMax = userBytesMax
        self.documentThreads = documentThreads
        self.accessLog = accessLog
        self.storeTimeout = storeTimeout
        self.firstDataTimeout = firstDataTimeout
    }

    /// The longest header of a request in bytes.
    public static let headerBytesMax = 8_192
    /// The longest body of a request in bytes.
    public static let bodyBytesMax = 65_536
    /// Seconds for a header, and again for a body.
    public static let requestSecondsMax = 10
    /// Seconds after which a connection without progress is closed.
    public static let idleSecondsMax = 60
    /// The least rate at which a client must receive, beyond the first ``idleSecondsMax``.
    public static let sentBytesPerSecondMin = 16_384
    /// Seconds that requests in flight have when the process stops.
    public static let stopSecondsMax = 10
    /// A longer request counts as slow in the access log.
    public static let slowThreshold: Duration = .seconds(1)

    /// The limits by name, for `/v1/about`.
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
            "unknownTokensPerClientPerMinute": unknownTokensPerClient,
            "unitsPer1000Markets": RequestCost.market.json,
            "unitsPer1000MarketsGzip": RequestCost.market.gzip,
            "unitsPer1000HeldMarkets": RequestCost.heldMarket.json,
            "unitsPer1000Candles": RequestCost.candle.json,
            "unitsPer1000CandlesGzip": RequestCost.candle.gzip,
            "unitsPer1000CandlesWithoutAverages": RequestCost.bareCandle.json,
            "unitsPer1000CandlesWithoutAveragesGzip": RequestCost.bareCandle.gzip,
            "unitsPer1000Trades": RequestCost.trade.json,
            "unitsPer1000TradesGzip": RequestCost.trade.gzip,
            "unitsPer1000Assets": RequestCost.asset.json,
            "unitsPer1000AssetsGzip": RequestCost.asset.gzip,
            "streamsPerUser": streamsPerUser,
            "tokensPerUser": UserToken.validMax,
            "newTokensPerUserPerDay": UserToken.perDayMax,
            "streamTopics": topicsMax,
            "cacheBytes": cacheBytesMax,
            "streamBytes": streamBytesMax,
            "unsentBytes": unsentBytesMax,
            "userBytes": userBytesMax,
        ]
    }
}
