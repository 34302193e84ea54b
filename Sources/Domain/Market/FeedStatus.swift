/// What kind of feed the data come from.
public enum FeedKind: String, Sendable, Hashable {
    /// The exchange itself.
    case live
    /// The exchange simulator.
    case simulated
    /// A recording.
    case replay
}

/// What happened to the feed.
///
/// Losing the connection is an event like any other, never silence.
public enum FeedEvent: Sendable, Hashable {
    /// What kind of data the source says it serves.
    case identified(FeedKind)
    /// Subscribed, but the snapshot that makes the data complete is still awaited.
    case subscribed
    /// Complete and live.
    case live
    /// The busiest market has been silent for too long, though the connection stands.
    case stale
    /// The connection is gone; the next attempt has this number and is made at this time.
    case reconnecting(attempt: Int, nextRetryAt: Timestamp, failure: FeedFailure)
    /// A REST reading failed; the next one is made at this time.
    case listingFailed(FeedFailure, nextRetryAt: Timestamp)
    /// A recording was played to its end.
    case ended
}

/// Why the feed does not deliver.
public struct FeedFailure: Error, Sendable, Hashable {
    /// What kind of failure it was, as far as a reader can use it.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The exchange could not be reached.
        case unreachable
        /// The proxy on the way is not there, or does not let the connection through.
        case proxy
        /// The exchange's certificate is not to be trusted.
        case untrusted
        /// The exchange did not answer in time.
        case timedOut = "timed_out"
        /// The connection was lost.
        case disconnected
        /// The busiest market was silent for so long that the connection was given up.
        case silent
        /// The exchange answered with an HTTP error.
        case httpStatus = "http_status"
        /// The exchange answered with an error status of its own.
        case refused
        /// Too many requests: the exchange asked for a pause.
        case rateLimited = "rate_limited"
        /// The answer was not what the protocol says.
        case malformed
    }

    /// What kind of failure it was.
    public var code: Code
    /// The exchange's own status and words where it gave any, else where it happened; for people.
    public var detail: String
    /// Whether trying again can help.
    public var isRetryable: Bool

    /// Makes a failure.
    public init(code: Code, detail: String, isRetryable: Bool) {
        self.code = code
        self.detail = detail
        self.isRetryable = isRetryable
    }
}

/// How the feed stands.
public struct FeedStatus: Sendable, Hashable {
    /// The connection's state.
    public enum Connection: Sendable, Hashable {
        /// The first connection is being made.
        case connecting
        /// Subscribed, not yet complete.
        case subscribed
        /// Complete and live.
        case live
        /// Connected but silent.
        case stale
        /// Lost; the attempt with this number comes at this time.
        case reconnecting(attempt: Int, nextRetryAt: Timestamp)
        /// A recording was played to its end.
        case ended
    }

    /// Where the newest data came from.
    public enum Origin: Sendable, Hashable {
        /// What was kept when the feed was last followed.
        case store
        /// A REST answer.
        case rest
        /// The stream.
        case stream
    }

    /// How long a feed may be silent before its data are stale.
    public static let staleAfter: Duration = .seconds(5)

    /// What kind of data it is.
    public var kind: FeedKind
    /// The connection's state.
    public var connection = Connection.connecting
    /// What broke the stream last, until it is live again.
    public var streamFailure: FeedFailure?
    /// What broke the last REST reading, until one succeeds.
    public var listingFailure: FeedFailure?
    /// When the failed REST reading is repeated.
    public var listingRetryAt: Timestamp?
    /// When the newest data of any kind were received.
    public var lastDataAt: Timestamp?
    /// When the busiest market was last heard of, or a listing was last read while no stream runs.
    public var lastActivityAt: Timestamp?
    /// Where the newest data came from.
    public var origin: Origin?
    /// The quote currencies that a listing was read of since the last loss of the connection.
    public var listedQuotes: Set<Quote> = []
    /// Stream frames received since the start.
    public var framesReceived = 0
    /// Entries that could not be read since the start.
    public var entriesSkipped: Int { skipped.total }
    /// The same by where they stood.
    public var skipped = SkippedEntries()
    /// Trades that came too late for a full tape since the start.
    public var tradesDropped = 0
    /// How often the connection was lost since the start.
    public var reconnects = 0

    /// A feed that has not yet been heard of.
    public init(kind: FeedKind) { self.kind = kind }

    /// Whether everything that belongs to the list is there.
    public var isComplete: Bool {
        switch connection {
        case .connecting, .subscribed, .live, .stale, .ended:
            listedQuotes.count == Quote.allCases.count
        case .reconnecting: false
        }
    }

    /// When the data turn stale unless something newer comes.
    public var staleAt: Timestamp? {
        lastActivityAt?.advanced(by: Self.staleAfter)
    }

    /// Whether the data are as fresh as the feed promises.
    public func isFresh(at now: Timestamp) -> Bool {
        switch connection {
        case .live, .connecting, .subscribed: staleAt.map { now < $0 } ?? false
        case .stale, .reconnecting, .ended: false
        }
    }
}
