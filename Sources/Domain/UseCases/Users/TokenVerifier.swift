import Concurrency
public import Domain
import Synchronization

/// Verifies any number of access tokens against the store.
///
/// An answer is valid for a second, or for about a minute while news of the store confirm it:
/// revoked, expired and disabled tokens stop working within a second, or within three if the news
/// cease. Lookups are batched, and at most one is in flight. While the store is unreachable, a
/// token that it knew stays valid for a minute.
public final class TokenVerifier: Sendable {
    /// The interval at which tokens in use are looked up ahead of time.
    public static let refreshInterval: Duration = .milliseconds(250)

    private typealias Answer = Result<TokenGrant, StoreFailure>

    private struct State {
        var tokens = TokenCache()
        var isAsking = false
    }

    private enum Step {
        case answer(Answer)
        /// Another caller's lookup is in flight; wait for the end of this one.
        case wait(after: UInt64)
        case ask([TokenHash], at: Duration)
    }

    private let repository: any TokenRepository
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())
    /// Counts finished lookups.
    private let lookups = AsyncValue<UInt64>(0)

    /// Makes a verifier with an empty cache.
    ///
    /// - Parameters:
    ///   - repository: looks tokens up.
    ///   - clock: measures the age of answers.
    ///   - now: the local wall clock, for tokens that expire while the store is unreachable.
    public init(
        repository: any TokenRepository,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.repository = repository
        self.clock = clock
        self.now = now
        stopwatch = Stopwatch(clock)
    }

    /// The grant of a token if the cache knows it.
    ///
    /// Never waits.
    ///
    /// - Returns: nil if ``grant(of:)`` has to look it up.
    public func known(_ token: TokenHash) -> Result<TokenGrant, StoreFailure>? {
        state.withLock { answer(for: token, &$0.tokens) }
    }

    /// Whether the store would have to be asked about a token that was not valid before.
    public func isUnknown(_ token: TokenHash) -> Bool {
        state.withLock { $0.tokens.isUnknown(token, at: stopwatch.elapsed, now: now()) }
    }

    /// The grant of a token.
    ///
    /// - Throws: ``StoreFailure``: `unauthorized` for an invalid token, else the store's failure.
    public func grant(of token: TokenHash) async throws(StoreFailure) -> TokenGrant {
        let start = state.withLock { $0.tokens.round }
        while true {
            let step = state.withLock { self.step(token, after: start, &$0) }
            switch step {
            case .answer(let answer): return try answer.get()
            case .wait(let finished):
                guard await lookups.first(where: { $0 != finished }) != nil else { throw .ending }
            case .ask(let batch, let time): await ask(batch, at: time)
            }
        }
    }

    private func step(_ token: TokenHash, after start: UInt64, _ state: inout State) -> Step {
        let time = stopwatch.elapsed
        // An answer to a slow lookup is valid for those who waited for it, whatever its age.
        if let round = state.tokens.round(of: token), round > start {
            return .answer(state.tokens.lastAnswer(for: token, at: time, now: now()))
        }
        if let answer = answer(for: token, &state.tokens) { return .answer(answer) }
        guard !state.isAsking else { return .wait(after: lookups.value) }
        state.isAsking = true
        return .ask(state.tokens.nextBatch(at: time), at: time)
    }

    /// Makes the cached answer stale.
    public func invalidate(_ token: TokenHash) {
        state.withLock { $0.tokens.invalidate(token) }
    }

    /// Takes a notification of the store; returns at once.
    ///
    /// Without ``Domain/ChangeNotification/current(age:)`` each second answers are valid for a
    /// second.
    public func receive(_ notification: ChangeNotification) {
        state.withLock { $0.tokens.receive(notification, at: stopwatch.elapsed) }
    }

    /// Looks a token up ahead of time until ``unwatch(_:)`` was called as often.
    public func watch(_ token: TokenHash) {
        state.withLock { $0.tokens.pin(token) }
    }

    /// Takes back one ``watch(_:)``.
    public func unwatch(_ token: TokenHash) {
        state.withLock { $0.tokens.unpin(token) }
    }

    /// Whether a token is valid, as far as the cache knows.
    public func isValid(_ token: TokenHash) -> Bool { owner(of: token) != nil }

    /// The user of a token, as far as the cache knows.
    public func owner(of token: TokenHash) -> UserID? {
        let answer = state.withLock { state in
            state.tokens.usableAnswer(for: token, at: stopwatch.elapsed, now: now())
        }
        guard case .valid(let grant) = answer else { return nil }
        return grant.user
    }

    /// Looks tokens in use up ahead of time until the task is cancelled.
    ///
    /// Called once.
    public func run() async {
        while !Task.isCancelled {
            try? await clock.sleep(for: Self.refreshInterval)
            state.withLock { $0.tokens.refreshSoon(at: stopwatch.elapsed, now: now()) }
            while !Task.isCancelled, let (batch, time) = nextBatch() { await ask(batch, at: time) }
        }
    }

    private func nextBatch() -> ([TokenHash], Duration)? {
        state.withLock { state in
            guard !state.isAsking else { return nil }
            let time = stopwatch.elapsed
            let batch = state.tokens.nextBatch(at: time)
            state.isAsking = !batch.isEmpty
            return batch.isEmpty ? nil : (batch, time)
        }
    }

    private func ask(_ batch: [TokenHash], at time: Duration) async {
        do throws(StoreFailure) {
            let grants = try await repository.grants(of: batch)
            precondition(grants.count == batch.count, "Each token has an answer.")
            finish { $0.store(Array(zip(batch, grants)), askedAt: time) }
        } catch {
            finish { $0.fail(batch, error, at: stopwatch.elapsed) }
        }
    }

    private func finish(_ change: (inout TokenCache) -> Void) {
        state.withLock { state in
            change(&state.tokens)
            state.isAsking = false
        }
        lookups.update { $0 += 1 }
    }

    private func answer(for token: TokenHash, _ tokens: inout TokenCache) -> Answer? {
        switch tokens.use(token, at: stopwatch.elapsed, now: now()) {
        case .valid(let grant): .success(grant)
        case .invalid: .failure(.invalidToken)
        case .failed(let failure): .failure(failure)
        case .unknown: nil
        }
    }
}
