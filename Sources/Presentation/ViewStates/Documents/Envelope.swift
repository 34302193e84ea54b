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
    /// Whether every figure that the block orders, filters or shows is known.
    public var complete: Bool
    /// How many of ``of`` rows have all of these figures; nil where there are no rows.
    public var known: Int?
    /// How many rows can have them.
    public var of: Int?
    /// The interval of the closes that changes are computed from, if longer than a minute.
    public var baseResolution: String?
    /// When the exchange had the order book's levels beyond the fifteenth, if not with the others.
    public var deepAt: Timestamp?
    /// The generation of the exchange's API with the block's data, if not `source.api`.
    public var api: String?
    /// What became of the newest loss of data; nil without one.
    public var repair: RepairViewState?
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
        known: Int? = nil,
        of: Int? = nil,
        baseResolution: String? = nil,
        deepAt: Timestamp? = nil,
        api: String? = nil,
        repair: RepairViewState? = nil,
        error: ErrorViewState?
    ) {
        self.phase = phase
        self.at = at
        self.staleAfter = staleAfter
        self.origin = origin
        self.complete = complete
        self.known = known
        self.of = of
        self.baseResolution = baseResolution
        self.deepAt = deepAt
        self.api = api
        self.repair = repair
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
        fields.add("known", \.known, note: "How many rows have every figure; null without rows.")
        fields.add("of", \.of, note: "How many rows can have every figure.")
        fields.add(
            "baseResolution",
            \.baseResolution,
            note: "The resolution of a period's bases where it is coarser than a minute."
        )
        fields.add(
            "deepAt",
            \.deepAt,
            note: "When the levels of an order book beyond the fifteenth were read, if apart."
        )
        fields.add(
            "api",
            \.api,
            note: "The generation of the exchange's API where it is not `source.api`."
        )
        fields.add("repair", \.repair, note: "What became of the newest loss of data.")
        fields.add("error", \.error)
    }
}

/// A span in which data were lost and read again, or could not be.
public struct RepairViewState: DocumentObject {
    /// Why a span could not be filled.
    public enum Failure: String, DocumentValue, CaseIterable {
        /// The API serves its newest page alone.
        case onePage
        /// The loss exceeds the number of rows that are read.
        case tooLong
        /// The exchange has no older data.
        case notServed
        /// Some rows could not be read.
        case unreadable
    }

    /// The start of the span.
    public var from: Timestamp
    /// The end of the span.
    public var to: Timestamp
    /// Why it could not be filled; nil if it was.
    public var failure: Failure?

    /// Makes a span.
    public init(from: Timestamp, to: Timestamp, failure: Failure?) {
        self.from = from
        self.to = to
        self.failure = failure
    }

    /// The span in the words of the contract.
    init(_ repair: DataRepair) {
        let failure: Failure? =
            switch repair.failure {
            case .onePage: .onePage
            case .tooLong: .tooLong
            case .notServed: .notServed
            case .unreadable: .unreadable
            case nil: nil
            }
        self.init(from: repair.span.lowerBound, to: repair.span.upperBound, failure: failure)
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("Repair", "A span in which data were lost and read again, or could not be.")
        fields.add("from", \.from)
        fields.add("to", \.to)
        fields.add("failure", \.failure, note: "Why the span could not be filled.")
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
