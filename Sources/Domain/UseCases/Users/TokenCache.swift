public import Domain

/// The grants of tokens that were used lately, and the lookups that are due.
///
/// Times are monotonic.
///
/// Holds at most ``validMax`` valid tokens and ``unknownMax`` others. Within each group the tokens
/// used longest ago are evicted, so that guessed tokens never evict valid ones.
struct TokenCache: Sendable {
    /// The most valid tokens.
    static let validMax = 8_192
    /// The most tokens that are invalid or not looked up yet.
    static let unknownMax = 1_024
    /// The most tokens in one lookup.
    static let batchMax = 256
    /// A token used within this time is looked up ahead of time.
    static let activeTime: Duration = .seconds(3)
    /// The age of an answer from which it is looked up ahead of time, unless news confirm it.
    static let refreshAge: Duration = .milliseconds(500)
    /// How long a failure of the store is reported before the store is asked again.
    static let failureLifetime: Duration = .seconds(1)

    /// The result of using a token.
    enum Verdict: Sendable {
        /// The token is valid.
        case valid(TokenGrant)
        /// The token is invalid.
        case invalid
        /// The store failed, or the cache is full of lookups.
        case failed(StoreFailure)
        /// The token has to be looked up, with the next batch.
        case unknown
    }

    private struct Entry {
        var grant = CachedGrant()
        var usedAt: Duration
        /// The number of open streams.
        var pins = 0
        var isValid = false
        /// Whether a lookup is queued or in flight.
        var isQueued = false
        /// The round of the last lookup; 0 before the first.
        var round: UInt64 = 0
    }

    private var entries: [TokenHash: Entry] = [:]
    private var validCount = 0
    /// Tokens that callers wait for.
    private var queued: [TokenHash] = []
    /// Tokens to look up ahead of time.
    private var expiring: [TokenHash] = []
    private var failure: (value: StoreFailure, at: Duration)?
    private var askingSince: Duration?
    /// The time until which news are complete; nil without news.
    private var newsAt: Duration?
    /// The last time that news told of a change of any access, or were interrupted.
    private var changedAt: Duration?

    /// Counts finished lookups.
    private(set) var round: UInt64 = 0

    /// The number of tokens in the cache.
    var count: Int { entries.count }

    /// The round of a token's last lookup; nil if the token is not in the cache.
    func round(of token: TokenHash) -> UInt64? { entries[token]?.round }

    /// Whether the store would have to be asked about a token that was not valid before.
    func isUnknown(_ token: TokenHash, at time: Duration, now: Timestamp) -> Bool {
        guard let entry = entries[token] else { return true }
        return !entry.isValid && entry.grant.fresh(at: time, newsAt: newsAt, now: now) == nil
    }

    /// Records the use of a token.
    ///
    /// - Parameters:
    ///   - token: the token's hash.
    ///   - time: the time, monotonic.
    ///   - now: the local wall clock, for tokens that expire while the store is unreachable.
    /// - Returns: whether the token is valid, or must be looked up.
    mutating func use(_ token: TokenHash, at time: Duration, now: Timestamp) -> Verdict {
        guard var entry = entries[token] else {
            if let failure = recentFailure(at: time) { return .failed(failure) }
            guard makeRoomForUnknown() else { return .failed(.tooManyTokenLookups) }
            entries[token] = Entry(usedAt: time, isQueued: true)
            queued.append(token)
            return .unknown
        }
        entry.usedAt = time
        defer { entries[token] = entry }
        if let answer = entry.grant.fresh(at: time, newsAt: newsAt, now: now) {
            return Self.verdict(answer)
        }
        if isUnreachable(at: time),
            let answer = entry.grant.usable(at: time, newsAt: newsAt, now: now)
        {
            return Self.verdict(answer)
        }
        if let failure = recentFailure(at: time) { return .failed(failure) }
        if !entry.isQueued {
            entry.isQueued = true
            queued.append(token)
        }
        return .unknown
    }

    /// The last answer about a token, without using it; nil if there is none or it is too old.
    func usableAnswer(
        for token: TokenHash,
        at time: Duration,
        now: Timestamp
    ) -> CachedGrant.Answer? {
        guard let entry = entries[token] else { return nil }
        return entry.grant.fresh(at: time, newsAt: newsAt, now: now)
            ?? entry.grant.usable(at: time, newsAt: newsAt, now: now)
    }

    /// The result of a token's last lookup.
    func lastAnswer(
        for token: TokenHash,
        at time: Duration,
        now: Timestamp
    ) -> Result<TokenGrant, StoreFailure> {
        switch usableAnswer(for: token, at: time, now: now) {
        case .valid(let grant): .success(grant)
        case .invalid: .failure(.invalidToken)
        case nil: .failure(failure?.value ?? .invalidToken)
        }
    }

    /// Keeps a token in the cache and looks it up ahead of time, until it is unpinned as often.
    mutating func pin(_ token: TokenHash) { entries[token]?.pins += 1 }

    /// Takes back one pin.
    mutating func unpin(_ token: TokenHash) {
        guard let pins = entries[token]?.pins, pins > 0 else { return }
        entries[token]?.pins = pins - 1
    }

    /// Makes the answer about a token stale.
    mutating func invalidate(_ token: TokenHash) { entries[token]?.grant.invalidate() }

    // MARK: News

    /// Takes a notification of the store.
    mutating func receive(_ notification: ChangeNotification, at time: Duration) {
        switch notification {
        case .users, .ages: break
        case .access(let users):
            changedAt = time
            let users = Set(users)
            for (token, entry) in entries {
                guard let user = entry.grant.user, users.contains(user) else { continue }
                entries[token]?.grant.invalidate()
            }
        case .anybody:
            changedAt = time
            for token in Array(entries.keys) { entries[token]?.grant.interruptNews() }
        case .current(let age): newsAt = time - age
        }
    }

    // MARK: Lookups

    /// Queues lookups of tokens in use whose answers expire soon.
    mutating func refreshSoon(at time: Duration, now: Timestamp) {
        guard recentFailure(at: time) == nil else { return }
        expiring = entries.filter { _, entry in
            entry.isValid && !entry.isQueued
                && (entry.pins > 0 || time - entry.usedAt < Self.activeTime)
                && entry.grant.isDue(from: Self.refreshAge, at: time, newsAt: newsAt, now: now)
        }
        .map(\.key)
    }

    /// Takes the next batch from the queue; empty if nothing is due.
    mutating func nextBatch(at time: Duration) -> [TokenHash] {
        var batch = Array(queued.prefix(Self.batchMax))
        queued.removeFirst(batch.count)
        while batch.count < Self.batchMax, let token = expiring.popLast() {
            if entries[token]?.isQueued == false {
                entries[token]?.isQueued = true
                batch.append(token)
            }
        }
        askingSince = batch.isEmpty ? nil : time
        return batch
    }

    /// Stores the answers to a lookup.
    mutating func store(_ answers: [(TokenHash, TokenGrant?)], askedAt time: Duration) {
        finishRound(answers.map(\.0))
        failure = nil
        for (token, grant) in answers {
            guard var entry = entries[token] else { continue }
            entry.grant.store(
                grant.map(CachedGrant.Answer.valid) ?? .invalid,
                askedAt: time,
                changedAt: changedAt
            )
            let isValid = grant != nil
            validCount += (isValid ? 1 : 0) - (entry.isValid ? 1 : 0)
            entry.isValid = isValid
            entries[token] = entry
        }
        if validCount > Self.validMax { evict(valid: true, of: Self.validMax) }
    }

    /// Records that a lookup failed.
    mutating func fail(_ tokens: [TokenHash], _ failure: StoreFailure, at time: Duration) {
        finishRound(tokens)
        self.failure = (failure, time)
    }

    private mutating func finishRound(_ tokens: [TokenHash]) {
        askingSince = nil
        round += 1
        for token in tokens {
            entries[token]?.isQueued = false
            entries[token]?.round = round
        }
    }

    // MARK: Decisions

    private static func verdict(_ answer: CachedGrant.Answer) -> Verdict {
        switch answer {
        case .valid(let grant): .valid(grant)
        case .invalid: .invalid
        }
    }

    private func recentFailure(at time: Duration) -> StoreFailure? {
        guard let failure, time - failure.at < Self.failureLifetime else { return nil }
        return failure.value
    }

    /// Whether the store failed lately or does not answer the lookup in flight.
    private func isUnreachable(at time: Duration) -> Bool {
        if recentFailure(at: time) != nil { return true }
        guard let askingSince else { return false }
        return time - askingSince >= Self.failureLifetime
    }

    /// - Returns: false if a caller waits for each unknown token.
    private mutating func makeRoomForUnknown() -> Bool {
        guard entries.count - validCount >= Self.unknownMax else { return true }
        evict(valid: false, of: Self.unknownMax)
        return entries.count - validCount < Self.unknownMax
    }

    /// Evicts an eighth of a group, so that evictions are rare: tokens without a stream and without
    /// a queued lookup that were used longest ago.
    private mutating func evict(valid: Bool, of limit: Int) {
        let oldest = entries.filter { _, entry in
            entry.isValid == valid && entry.pins == 0 && !entry.isQueued
        }
        .sorted { $0.value.usedAt < $1.value.usedAt }
        .prefix(limit / 8)
        for (token, _) in oldest { entries[token] = nil }
        if valid { validCount -= oldest.count }
    }
}

extension StoreFailure {
    /// ``TokenCache/unknownMax`` tokens are being looked up.
    static let tooManyTokenLookups = StoreFailure(
        .busy,
        "\(TokenCache.unknownMax) tokens are being looked up. Try again in a moment"
    )

    /// The token is invalid.
    public static let invalidToken = StoreFailure(
        .unauthorized,
        "the token is unknown, expired or revoked. Ask for a new one (hoga user token new NAME)"
    )
}
