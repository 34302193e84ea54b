/// The last answer of the store about a token.
///
/// Times are monotonic.
public struct CachedGrant: Sendable {
    /// An answer about a token.
    public enum Answer: Sendable, Hashable {
        /// The token is valid.
        case valid(TokenGrant)
        /// The token is unknown, expired or revoked, or its user is disabled.
        case invalid
    }

    /// How long an answer is fresh, and so how long a revoked token may still work.
    public static let freshness: Duration = .seconds(1)
    /// How long an answer is used while the store is unreachable.
    public static let offlineLifetime: Duration = .seconds(60)

    private var last: (answer: Answer, at: Duration)?

    /// Starts without an answer.
    public init() {}

    /// The answer if it is fresh; nil if the store has to be asked.
    public func fresh(at time: Duration) -> Answer? {
        guard let last, time - last.at < Self.freshness else { return nil }
        return last.answer
    }

    /// The answer to use while the store is unreachable; nil without one, or if it is too old.
    public func usable(at time: Duration) -> Answer? {
        guard let last, time - last.at < Self.offlineLifetime else { return nil }
        return last.answer
    }

    /// Stores the answer to a lookup.
    ///
    /// The answer to the later lookup wins.
    public mutating func store(_ answer: Answer, askedAt time: Duration) {
        if let last, time < last.at { return }
        last = (answer, time)
    }

    /// The age of the answer; nil without one.
    public func age(at time: Duration) -> Duration? { last.map { time - $0.at } }

    /// Makes the answer stale.
    public mutating func invalidate() {
        guard let known = last else { return }
        last = (known.answer, known.at - Self.freshness)
    }
}
