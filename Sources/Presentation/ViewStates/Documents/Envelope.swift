public import Domain

/// The source of a document's data.
public struct SourceViewState: DocumentObject {
    /// `bithumb`.
    public var exchange: String
    /// The kind of feed; never left open.
    public var feed: FeedLabel
    /// The generation of the exchange's API with the prices: `1` or `2`.
    public var api: String

    /// Makes a source.
    public init(exchange: String, feed: FeedLabel, api: String) {
        self.exchange = exchange
        self.feed = feed
        self.api = api
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Source", "Where a document's data come from.")
        fields.add("exchange", \.exchange)
        fields.add("feed", \.feed)
        fields.add("api", \.api)
    }
}

/// The kind of feed that supplies the data.
public enum FeedLabel: String, DocumentValue, CaseIterable {
    /// The exchange itself.
    case live
    /// The exchange simulator.
    case simulated
    /// A recording.
    case replay
}

/// How fresh and complete one block of a document is.
///
/// All times are absolute, because bytes are shared and cached: a consumer's age is its own clock
/// minus `at`.
public struct HealthViewState: DocumentObject {
    /// The state of the block's data.
    public enum Phase: String, DocumentValue, CaseIterable {
        /// No data yet.
        case loading
        /// Fresh data.
        case ready
        /// Data older than `staleAfter`, or a lost feed.
        case stale
        /// No data, and an error.
        case failed
        /// The recording has been played to its end.
        case ended
    }

    /// The origin of the newest data.
    public enum Origin: String, DocumentValue, CaseIterable {
        /// A REST answer.
        case rest
        /// The live stream.
        case stream
        /// The store.
        case store
    }

    /// The state of the data.
    public var phase: Phase
    /// When the newest data were received.
    public var at: Timestamp?
    /// When the data become stale without newer ones; nil if they cannot.
    public var staleAfter: Timestamp?
    /// The origin of the newest data.
    public var origin: Origin?
    /// Whether all data that belong to the block are present.
    public var complete: Bool
    /// The error of the last refresh; the last good data stay.
    public var error: ErrorViewState?

    /// Whether data are loaded, so that an empty list means "none".
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

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "Health",
            "How fresh and complete a block is. All times are absolute: its age is the"
                + " `Date` header less `at`. A failed refresh keeps the last good data beside"
                + " `error`."
        )
        fields.add("phase", \.phase)
        fields.add("at", \.at)
        fields.add("staleAfter", \.staleAfter)
        fields.add("origin", \.origin)
        fields.add("complete", \.complete)
        fields.add("error", \.error)
    }
}

/// A failure for people and programs.
public struct ErrorViewState: DocumentObject {
    /// A stable code for programs: `reconnecting`, `unreachable`, `proxy`, `untrusted`, ….
    public var code: String
    /// A message for people, in the document's language.
    public var message: String
    /// Whether a retry can help.
    public var retryable: Bool
    /// When the next automatic attempt is made.
    public var nextRetryAt: Timestamp?

    /// Makes a failure.
    public init(code: String, message: String, retryable: Bool, nextRetryAt: Timestamp?) {
        self.code = code
        self.message = message
        self.retryable = retryable
        self.nextRetryAt = nextRetryAt
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Failure", "Why the data are not fresh.")
        fields.add("code", \.code, note: "A stable code for programs.")
        fields.add("message", \.message, note: "A message for people.")
        fields.add("retryable", \.retryable)
        fields.add("nextRetryAt", \.nextRetryAt)
    }
}
