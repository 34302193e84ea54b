public import Domain

/// Where a document's data come from.
public struct SourceViewState: Sendable, Equatable, Decodable {
    /// `bithumb`.
    public var exchange: String
    /// Live, simulated or replayed: never left open.
    public var feed: FeedLabel
    /// The exchange's API family: `1`.
    public var api: String

    /// Makes a source.
    public init(exchange: String, feed: FeedLabel, api: String) {
        self.exchange = exchange
        self.feed = feed
        self.api = api
    }
}

/// What kind of feed stands behind the data.
public enum FeedLabel: String, Sendable, Equatable, Decodable, CaseIterable {
    /// The exchange itself.
    case live
    /// The exchange simulator.
    case simulated
    /// A recording.
    case replay
}

/// How fresh and complete one block of a document is.
///
/// All times are absolute, because the bytes are shared and cached: a consumer's age is its own
/// clock minus `at`.
public struct HealthViewState: Sendable, Equatable, Decodable {
    /// What can be said of the block in one word.
    public enum Phase: String, Sendable, Equatable, Decodable, CaseIterable {
        /// Nothing is there yet.
        case loading
        /// Data are there and fresh.
        case ready
        /// Data are there but older than they may be.
        case stale
        /// Nothing is there and an error stands.
        case failed
        /// A recording was played to its end.
        case ended
    }

    /// Where the newest data came from.
    public enum Origin: String, Sendable, Equatable, Decodable, CaseIterable {
        /// A REST answer.
        case rest
        /// The live stream.
        case stream
        /// The store.
        case store
    }

    /// The block's phase.
    public var phase: Phase
    /// When the newest data were received.
    public var at: Timestamp?
    /// When the data turn stale unless something newer comes; nil if they cannot.
    public var staleAfter: Timestamp?
    /// Where the newest data came from.
    public var origin: Origin?
    /// Whether everything that belongs to the block is there.
    public var complete: Bool
    /// What stands in the way; the last good data stay beside it.
    public var error: ErrorViewState?

    /// Whether something is there, so that what is not in it is known not to be there.
    public var isRead: Bool { phase != .loading && phase != .failed }

    /// Makes a health block.
    public init(
        phase: Phase,
        at: Timestamp?,
        staleAfter: Timestamp?,
        origin: Origin?,
        complete: Bool,
        error: ErrorViewState?
    ) {
        self.phase = phase
        self.at = at
        self.staleAfter = staleAfter
        self.origin = origin
        self.complete = complete
        self.error = error
    }
}

/// A failure as a person and a program can use it.
public struct ErrorViewState: Sendable, Equatable, Decodable {
    /// A stable word for programs: `reconnecting`, `unreachable`, `proxy`, `untrusted`, ….
    public var code: String
    /// A sentence for people, in the document's language.
    public var message: String
    /// Whether trying again can help.
    public var retryable: Bool
    /// When the next attempt is made by itself.
    public var nextRetryAt: Timestamp?

    /// Makes a failure.
    public init(code: String, message: String, retryable: Bool, nextRetryAt: Timestamp?) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.nextRetryAt = nextRetryAt
    }
}
