/// Source of the data.
public enum FeedKind: String, Sendable, Hashable {
    /// The exchange itself.
    case live
    /// The exchange simulator.
    case simulated
    /// A recording.
    case replay
}

/// A generation of the exchange's API.
public enum ExchangeAPI: String, Sendable, Hashable {
    /// API 1.x.
    case v1 = "1"
    /// API 2.x.
    case v2 = "2"
}

/// Whether a generation of the exchange's API is used.
public struct ExchangeAPIUse: Sendable, Hashable {
    /// The generation.
    public var api: ExchangeAPI
    /// Why it was left, and when by the local clock; nil while it is in use.
    public var leave: Leave?

    /// Why a generation was left.
    public struct Leave: Sendable, Hashable {
        /// The failure.
        public var failure: FeedFailure
        /// When it was left, by the local clock.
        public var at: Timestamp

        /// Whether the generation was left because it was silent.
        public var isSilence: Bool { failure.code == .silent }

        /// Makes a reason.
        public init(failure: FeedFailure, at: Timestamp) {
            self.failure = failure
            self.at = at
        }
    }

    /// Makes a state.
    public init(api: ExchangeAPI, leave: Leave? = nil) {
        self.api = api
        self.leave = leave
    }
}

/// A state change of the feed.
///
/// A lost connection is an event, never silence.
public enum FeedEvent: Sendable, Hashable {
    /// The source identified the kind of its data.
    case identified(FeedKind)
    /// Prices and trades come from this API from here on.
    case reads(ExchangeAPI)
    /// These generations of the API are read or were left.
    case uses([ExchangeAPIUse])
    /// Subscribed; the snapshot that completes the data is still missing.
    case subscribed
    /// Complete and live.
    case live
    /// The busiest market is silent too long although the connection is open.
    case stale
    /// The connection was lost.
    ///
    /// The next attempt has this number and time.
    case reconnecting(attempt: Int, nextRetryAt: Timestamp, failure: FeedFailure)
    /// A REST request failed.
    ///
    /// The request is retried at this time.
    case listingFailed(FeedFailure, nextRetryAt: Timestamp)
    /// The recording has ended.
    case ended
}

/// Why the feed does not deliver data.
public struct FeedFailure: Error, Sendable, Hashable {
    /// Kind of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The exchange is unreachable.
        case unreachable
        /// The proxy is unreachable or refuses the connection.
        case proxy
        /// The exchange's certificate is not trusted.
        case untrusted
        /// The exchange did not answer in time.
        case timedOut = "timed_out"
        /// The connection was lost.
        case disconnected
        /// The connection was closed because the busiest market was silent too long.
        case silent
        /// The exchange returned an HTTP error.
        case httpStatus = "http_status"
        /// The exchange returned an error status of its own.
        case refused
        /// Too many requests: the exchange requires a pause.
        case rateLimited = "rate_limited"
        /// The API in use does not have the requested data.
        case unserved
        /// The answer violates the protocol.
        case malformed
    }

    /// Kind of failure.
    public var code: Code
    /// The exchange's own status and message if it sent one, otherwise the place of the failure;
    /// for people.
    public var detail: String
    /// Whether a retry can help.
    public var isRetryable: Bool

    /// Makes a failure.
    public init(code: Code, detail: String, isRetryable: Bool) {
        self.code = code
        self.detail = detail
        self.isRetryable = isRetryable
    }
}

/// State of the feed.
public struct FeedStatus: Sendable, Hashable {
    /// State of the connection.
    public enum Connection: Sendable, Hashable {
        /// The first connection is being made.
        case connecting
        /// Subscribed, not yet complete.
        case subscribed
        /// Complete and live.
        case live
        /// Connected, but silent.
        case stale
        /// Lost; the next attempt has this number and time.
        case reconnecting(attempt: Int, nextRetryAt: Timestamp)
        /// The recording has ended.
        case ended
    }

    /// Source of the newest data.
    public enum Origin: Sendable, Hashable {
        /// The store.
        case store
        /// A REST answer.
        case rest
        /// The stream.
        case stream
    }

    /// A feed that is silent for longer is stale.
    public static let staleAfter: Duration = .seconds(5)

    /// Source of the data.
    public var kind: FeedKind
    /// The API of prices and trades.
    public var api = ExchangeAPI.v1
    /// The chosen generations of the API in ascending order; empty if only one can be read.
    public var apis: [ExchangeAPIUse] = []
    /// The connection's state.
    public var connection = Connection.connecting
    /// The last stream failure, until the stream is live again.
    public var streamFailure: FeedFailure?
    /// The last REST failure, until a request succeeds.
    public var listingFailure: FeedFailure?
    /// When the failed REST request is retried.
    public var listingRetryAt: Timestamp?
    /// When the newest data of any kind were received.
    public var lastDataAt: Timestamp?
    /// When data of the busiest market last arrived, or the listings while no stream runs: the
    /// oldest one of them.
    public var lastActivityAt: Timestamp?
    /// Source of the newest data.
    public var origin: Origin?
    /// Quote currencies of which a listing was read since the last connection loss, and was not old
    /// at the subscription.
    public var listedQuotes: Set<Quote> = []
    /// Stream frames received since the start.
    public var framesReceived = 0
    /// Number of entries that could not be decoded since the start.
    public var entriesSkipped: Int { skipped.total }
    /// Skipped entries by source.
    public var skipped = SkippedEntries()
    /// Number of trades dropped because they were older than a full tape, since the start.
    public var tradesDropped = 0
    /// Number of connection losses since the start.
    public var reconnects = 0

    /// A feed without data.
    public init(kind: FeedKind) { self.kind = kind }

    /// Whether listings of all quote currencies are current.
    public var isComplete: Bool {
        switch connection {
        case .connecting, .subscribed, .live, .stale, .ended:
            listedQuotes.count == Quote.allCases.count
        case .reconnecting: false
        }
    }

    /// When the data become stale without newer data.
    public var staleAt: Timestamp? {
        lastActivityAt?.advanced(by: Self.staleAfter)
    }

    /// Lets the last sign of life count from now on if the clock was set back since: how long ago
    /// it was is unknown.
    mutating func noteClock(_ now: Timestamp) {
        if let at = lastActivityAt, at.duration(since: now) >= Self.staleAfter {
            lastActivityAt = now
        }
    }

    /// Whether the data are fresh.
    public func isFresh(at now: Timestamp) -> Bool {
        switch connection {
        case .live, .connecting, .subscribed:
            lastActivityAt?.isFresh(at: now, for: Self.staleAfter) ?? false
        case .stale, .reconnecting, .ended: false
        }
    }
}

extension FeedStatus {
    /// Whether anything differs except times and frame counts, which change with every batch.
    func differs(from before: FeedStatus) -> Bool {
        var before = before
        before.framesReceived = framesReceived
        before.tradesDropped = tradesDropped
        before.lastDataAt = lastDataAt
        before.lastActivityAt = lastActivityAt
        return self != before
    }
}
