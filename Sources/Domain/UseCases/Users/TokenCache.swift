public import Domain

/// What is known of the tokens that were shown lately, and which are to be looked up: a plain
/// value that decides.
///
/// Bounds: ``openMax`` tokens that open something and ``unknownMax`` others; when either is full,
/// those that were shown longest ago are forgotten. Whoever tries tokens at random pushes out no
/// token that opens something.
struct TokenCache: Sendable {
    /// Tokens that open something.
    static let openMax = 8_192
    /// Tokens that open nothing, or of which nothing is known yet.
    static let unknownMax = 1_024
    /// Tokens that are looked up in one call.
    static let batchMax = 256
    /// A token that was shown so lately is looked up ahead of time.
    static let warmth: Duration = .seconds(3)
    /// How old an answer is when it is looked up ahead of time.
    static let warmAge: Duration = .milliseconds(500)
    /// How long a failure of the store counts before it is asked again.
    static let failureLifetime: Duration = .seconds(1)

    /// What is to be done about a token that is shown.
    enum Verdict: Sendable {
        /// It opens something.
        case open(TokenGrant)
        /// It opens nothing.
        case shut
        /// Nobody can say.
        case failed(StoreFailure)
        /// The store is to be asked: what it says is taken with ``take(_:askedAt:)``.
        case unknown
    }

    private struct Entry {
        var plan = CachedGrant()
        var shownAt: Duration
        /// How many streams it opened that are open still.
        var pins = 0
        var isOpen = false
        var isWanted = false
    }

    private var entries: [TokenHash: Entry] = [:]
    private var openCount = 0
    /// What is to be looked up: those that somebody waits for, then those ahead of time.
    private var wanted: [TokenHash] = []
    private var warm: [TokenHash] = []
    private var failure: (value: StoreFailure, at: Duration)?
    private var askingSince: Duration?

    /// How many tokens something is known of, or will be.
    var count: Int { entries.count }

    /// Takes note that a token is shown.
    ///
    /// - Parameters:
    ///   - token: its hash.
    ///   - time: the moment, monotonic.
    ///   - now: the local wall clock, for tokens that end while the store is away.
    /// - Returns: what it is worth.
    mutating func show(_ token: TokenHash, at time: Duration, now: Timestamp) -> Verdict {
        guard var entry = entries[token] else {
            if let failure = recentFailure(at: time) { return .failed(failure) }
            guard makeRoomForStranger() else { return .failed(.tooManyTokenLookups) }
            entries[token] = Entry(shownAt: time, isWanted: true)
            wanted.append(token)
            return .unknown
        }
        entry.shownAt = time
        defer { entries[token] = entry }
        if let answer = entry.plan.standing(at: time) { return Self.verdict(answer) }
        if isAway(at: time), let answer = entry.plan.remaining(at: time) {
            // The store goes by its own clock, and cannot say now whether the token has ended.
            if case .open(let grant) = answer, !grant.isOpen(at: now) { return .shut }
            return Self.verdict(answer)
        }
        if let failure = recentFailure(at: time) { return .failed(failure) }
        if !entry.isWanted {
            entry.isWanted = true
            wanted.append(token)
        }
        return .unknown
    }

    /// What a token is worth without anybody showing it; nil where nothing counts any more.
    func worth(of token: TokenHash, at time: Duration, now: Timestamp) -> CachedGrant.Answer? {
        guard let entry = entries[token] else { return nil }
        if let answer = entry.plan.standing(at: time) { return answer }
        guard let answer = entry.plan.remaining(at: time) else { return nil }
        if case .open(let grant) = answer, !grant.isOpen(at: now) { return .shut }
        return answer
    }

    /// Lets a token be looked up ahead of time for as long as it is pinned; any number of times.
    mutating func pin(_ token: TokenHash) { entries[token]?.pins += 1 }

    /// Takes one pin away.
    mutating func unpin(_ token: TokenHash) {
        guard let pins = entries[token]?.pins, pins > 0 else { return }
        entries[token]?.pins = pins - 1
    }

    /// Lets a token be looked up the next time that it is shown.
    mutating func doubt(_ token: TokenHash) { entries[token]?.plan.doubt() }

    // MARK: Looking up

    /// Wants those looked up whose answers are about to be too old, as long as they are in use.
    mutating func lookAhead(at time: Duration) {
        guard recentFailure(at: time) == nil else { return }
        warm = entries.filter { _, entry in
            entry.isOpen && !entry.isWanted
                && (entry.pins > 0 || time - entry.shownAt < Self.warmth)
                && (entry.plan.age(at: time) ?? .zero) >= Self.warmAge
        }
        .map(\.key)
    }

    /// What is to be asked next, in one call; empty if nothing is.
    mutating func nextBatch(at time: Duration) -> [TokenHash] {
        var batch = Array(wanted.prefix(Self.batchMax))
        wanted.removeFirst(batch.count)
        while batch.count < Self.batchMax, let token = warm.popLast() {
            if entries[token]?.isWanted == false {
                entries[token]?.isWanted = true
                batch.append(token)
            }
        }
        askingSince = batch.isEmpty ? nil : time
        return batch
    }

    /// Takes what the store said to a question of that moment.
    mutating func take(_ answers: [(TokenHash, TokenGrant?)], askedAt time: Duration) {
        askingSince = nil
        failure = nil
        for (token, grant) in answers {
            guard var entry = entries[token] else { continue }
            entry.isWanted = false
            entry.plan.take(grant.map(CachedGrant.Answer.open) ?? .shut, askedAt: time)
            let isOpen = grant != nil
            openCount += (isOpen ? 1 : 0) - (entry.isOpen ? 1 : 0)
            entry.isOpen = isOpen
            entries[token] = entry
        }
        if openCount > Self.openMax { forget(isOpen: true, beyond: Self.openMax) }
    }

    /// Takes it that the store did not answer a question.
    mutating func fail(_ tokens: [TokenHash], _ failure: StoreFailure, at time: Duration) {
        askingSince = nil
        self.failure = (failure, time)
        for token in tokens { entries[token]?.isWanted = false }
    }

    // MARK: Deciding

    private static func verdict(_ answer: CachedGrant.Answer) -> Verdict {
        switch answer {
        case .open(let grant): .open(grant)
        case .shut: .shut
        }
    }

    private func recentFailure(at time: Duration) -> StoreFailure? {
        guard let failure, time - failure.at < Self.failureLifetime else { return nil }
        return failure.value
    }

    /// Whether the store is away: it failed a moment ago, or hangs.
    private func isAway(at time: Duration) -> Bool {
        if recentFailure(at: time) != nil { return true }
        guard let askingSince else { return false }
        return time - askingSince >= Self.failureLifetime
    }

    /// - Returns: false if each place is taken by somebody who waits.
    private mutating func makeRoomForStranger() -> Bool {
        guard entries.count - openCount >= Self.unknownMax else { return true }
        forget(isOpen: false, beyond: Self.unknownMax)
        return entries.count - openCount < Self.unknownMax
    }

    /// Forgets an eighth, so that it is seldom done: those shown longest ago, which nobody waits
    /// for and no stream needs.
    private mutating func forget(isOpen: Bool, beyond limit: Int) {
        let oldest = entries.filter { _, entry in
            entry.isOpen == isOpen && entry.pins == 0 && !entry.isWanted
        }
        .sorted { $0.value.shownAt < $1.value.shownAt }
        .prefix(limit / 8)
        for (token, _) in oldest { entries[token] = nil }
        if isOpen { openCount -= oldest.count }
    }
}

extension StoreFailure {
    /// More tokens are being looked up than may.
    static let tooManyTokenLookups = StoreFailure(
        .busy,
        "\(TokenCache.unknownMax) tokens are being looked up; repeat it in a moment"
    )

    /// The program ends.
    static let ending = StoreFailure(.unavailable, "the program is about to end")

    /// The token opens nothing.
    public static let invalidToken = StoreFailure(
        .unauthorized,
        "the token opens nothing: it is unknown, has expired or was revoked; ask for a new one "
            + "(hoga user token new NAME)"
    )
}
