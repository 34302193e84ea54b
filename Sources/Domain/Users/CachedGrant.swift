/// The last answer of the store about a token.
///
/// Times are monotonic. An answer is as old as its lookup. News of the store, which tell each
/// change of access, confirm older answers: one that they did not change is still the store's.
public struct CachedGrant: Sendable {
    /// An answer about a token.
    public enum Answer: Sendable, Hashable {
        /// The token is valid.
        case valid(TokenGrant)
        /// The token is unknown, expired or revoked, or its user is disabled.
        case invalid
    }

    /// How long an answer without news is fresh, and so how long a revoked token may still work.
    public static let freshness: Duration = .seconds(1)
    /// How long news confirm answers: they come each second, and at once after a change of access.
    public static let newsLifetime: Duration = .seconds(3)
    /// The age from which the store is asked again about a token that news confirm.
    public static let sweepAge: Duration = .seconds(60)
    /// The age at which news confirm an answer no more; the sweep comes before.
    static let confirmedAgeMax: Duration = .seconds(90)
    /// How long an answer is used while the store is unreachable.
    public static let offlineLifetime: Duration = .seconds(60)

    private var last: (answer: Answer, at: Duration)?
    /// Whether no news concerned the answer since its lookup began.
    private var isUnchanged = false

    /// Starts without an answer.
    public init() {}

    /// The answer if it is fresh.
    ///
    /// - Parameters:
    ///   - time: the time.
    ///   - newsAt: the time until which news are complete; nil without news.
    ///   - now: the local wall clock, by which a token expires that news confirm.
    /// - Returns: nil if the store has to be asked.
    public func fresh(at time: Duration, newsAt: Duration?, now: Timestamp) -> Answer? {
        guard let last else { return nil }
        if time - last.at < Self.freshness { return last.answer }
        guard isConfirmed(at: time, newsAt), time - last.at < Self.confirmedAgeMax,
            case .valid(let grant) = last.answer, grant.isValid(at: now)
        else { return nil }
        return last.answer
    }

    /// The answer to use while the store is unreachable.
    ///
    /// - Parameters:
    ///   - time: the time.
    ///   - newsAt: the time until which news are complete; nil without news.
    ///   - now: the local wall clock, because the store cannot tell whether the token has expired.
    /// - Returns: nil without an answer, or if it is too old.
    public func usable(at time: Duration, newsAt: Duration?, now: Timestamp) -> Answer? {
        guard let last else { return nil }
        let knownAt = isUnchanged ? max(last.at, newsAt ?? last.at) : last.at
        guard time - knownAt < Self.offlineLifetime else { return nil }
        if case .valid(let grant) = last.answer, !grant.isValid(at: now) { return .invalid }
        return last.answer
    }

    /// Whether the store should be asked ahead of time about a token in use.
    ///
    /// - Parameters:
    ///   - age: the age from which answers without news are asked for again.
    ///   - time: the time.
    ///   - newsAt: the time until which news are complete; nil without news.
    ///   - now: the local wall clock.
    /// - Returns: whether the answer has that age, or that of the sweep while news confirm it.
    public func isDue(
        from age: Duration,
        at time: Duration,
        newsAt: Duration?,
        now: Timestamp
    ) -> Bool {
        guard let last else { return false }
        if fresh(at: time, newsAt: newsAt, now: now) != nil,
            // Before the news are too old to confirm it.
            isConfirmed(at: time + age, newsAt)
        {
            return time - last.at >= Self.sweepAge
        }
        return time - last.at >= age
    }

    private func isConfirmed(at time: Duration, _ newsAt: Duration?) -> Bool {
        guard isUnchanged, let newsAt else { return false }
        return time - newsAt < Self.newsLifetime
    }

    /// Stores the answer to a lookup.
    ///
    /// The answer to the later lookup wins.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - time: when the lookup began.
    ///   - changedAt: the last time that news told of a change of any access, or were interrupted.
    ///     The answer to a lookup before may be older than the change.
    public mutating func store(_ answer: Answer, askedAt time: Duration, changedAt: Duration?) {
        if let last, time < last.at { return }
        last = (answer, time)
        isUnchanged = changedAt.map { $0 < time } ?? true
    }

    /// The user of the token; nil if it is not known to be valid.
    public var user: UserID? {
        guard case .valid(let grant)? = last?.answer else { return nil }
        return grant.user
    }

    /// Records that news were interrupted: they do not confirm this answer.
    public mutating func interruptNews() { isUnchanged = false }

    /// Makes the answer stale.
    public mutating func invalidate() {
        guard let known = last else { return }
        last = (known.answer, known.at - Self.freshness)
        isUnchanged = false
    }
}
