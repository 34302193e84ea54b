/// What is known of a token, and when the store is to be asked again.
///
/// Times are monotonic, since any fixed moment.
public struct CachedGrant: Sendable {
    /// What a token is worth.
    public enum Answer: Sendable, Hashable {
        /// It opens something.
        case open(TokenGrant)
        /// It opens nothing: unknown, expired, revoked, or of a user who is disabled.
        case shut
    }

    /// How long an answer of the store counts: a token that was revoked opens nothing after that.
    public static let answerLifetime: Duration = .seconds(1)
    /// How long a token stays good that the store knew, while the store cannot be asked.
    public static let offlineLifetime: Duration = .seconds(60)

    /// What the store said, and when it was asked.
    private var last: (answer: Answer, at: Duration)?

    /// Nothing is known.
    public init() {}

    /// The answer that still counts at a moment; nil if the store is to be asked.
    public func standing(at time: Duration) -> Answer? {
        guard let last, time - last.at < Self.answerLifetime else { return nil }
        return last.answer
    }

    /// Takes what the store answered to a question of that moment.
    public mutating func take(_ answer: Answer, askedAt time: Duration) {
        // Of two answers, that to the later question counts.
        if let last, time < last.at { return }
        last = (answer, time)
    }

    /// What counts while the store cannot answer: what it said last, for a while; nil afterwards,
    /// and if it never said anything.
    public func remaining(at time: Duration) -> Answer? {
        guard let last, time - last.at < Self.offlineLifetime else { return nil }
        return last.answer
    }

    /// How old the store's last answer is at a moment; nil if it never said anything.
    public func age(at time: Duration) -> Duration? { last.map { time - $0.at } }

    /// Lets the store be asked next time, whenever that is.
    public mutating func doubt() {
        guard let known = last else { return }
        last = (known.answer, known.at - Self.answerLifetime)
    }
}
