import Concurrency
public import Domain
import Synchronization

/// Finds out what tokens open, for any number of them.
///
/// The store is asked for many at a time, in one call: at most one call is under way. An answer
/// counts for a second, and tokens in use are looked up again before that is over, so that nobody
/// waits for it. While the store is away, a token that it knew stays good for a minute.
public final class TokenVerifier: Sendable {
    /// How often tokens in use are looked up ahead of time.
    public static let lookInterval: Duration = .milliseconds(250)

    private typealias Answer = Result<TokenGrant, StoreFailure>

    private struct State {
        var tokens = TokenCache()
        /// Who waits; as many as there are jobs that may wait, which is not bounded here.
        var waiters: [TokenHash: [CheckedContinuation<Answer, Never>]] = [:]
        var hasEnded = false
    }

    private let repository: any TokenRepository
    private let stopwatch: Stopwatch
    private let pause: @Sendable () async throws -> Void
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())
    private let isChanged = AsyncEvent()

    /// Makes a verifier that knows nothing yet; it answers once ``run()`` runs.
    ///
    /// - Parameters:
    ///   - repository: knows whose tokens are.
    ///   - clock: measures how old answers are.
    ///   - now: the local wall clock, for tokens that end while the store is away.
    public init<C: Clock>(
        repository: any TokenRepository,
        clock: C,
        now: @escaping @Sendable () -> Timestamp
    ) where C.Duration == Duration {
        self.repository = repository
        self.now = now
        stopwatch = Stopwatch(clock)
        pause = { try await clock.sleep(for: Self.lookInterval) }
    }

    /// What a token opens, if that is known now; never waits.
    ///
    /// - Returns: nil if ``grant(of:)`` has to be asked.
    public func known(_ token: TokenHash) -> Result<TokenGrant, StoreFailure>? {
        let answer = state.withLock { Self.answer(for: token, &$0, stopwatch.elapsed, now()) }
        // It is wanted from now on, whoever asks.
        if answer == nil { isChanged.signal() }
        return answer
    }

    /// What a token opens.
    ///
    /// - Throws: ``StoreFailure``: `unauthorized` when it opens nothing, else what is wrong with
    ///   the store.
    public func grant(of token: TokenHash) async throws(StoreFailure) -> TokenGrant {
        let answer: Answer = await withCheckedContinuation { waiter in
            let immediate: Answer? = state.withLock { state in
                if state.hasEnded { return .failure(.ending) }
                if let answer = Self.answer(for: token, &state, stopwatch.elapsed, now()) {
                    return answer
                }
                state.waiters[token, default: []].append(waiter)
                return nil
            }
            if let immediate { waiter.resume(returning: immediate) } else { isChanged.signal() }
        }
        return try answer.get()
    }

    /// Lets a token be looked up the next time that it is shown.
    public func doubt(_ token: TokenHash) {
        state.withLock { $0.tokens.doubt(token) }
    }

    /// Looks a token up again and again, ahead of time, until as many ``unwatch(_:)`` came.
    public func watch(_ token: TokenHash) {
        state.withLock { $0.tokens.pin(token) }
    }

    /// Takes one ``watch(_:)`` back.
    public func unwatch(_ token: TokenHash) {
        state.withLock { $0.tokens.unpin(token) }
    }

    /// Whether a token that is watched opens something still.
    public func isOpen(_ token: TokenHash) -> Bool {
        let worth = state.withLock { state in
            state.tokens.worth(of: token, at: stopwatch.elapsed, now: now())
        }
        switch worth {
        case .open: return true
        case .shut, nil: return false
        }
    }

    /// Asks the store until the task is cancelled; to be called once.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.ask() }
            group.addTask {
                while !Task.isCancelled {
                    try? await self.pause()
                    self.state.withLock { $0.tokens.lookAhead(at: self.stopwatch.elapsed) }
                    self.isChanged.signal()
                }
            }
            await group.waitForAll()
        }
        let left = state.withLock { state in
            state.hasEnded = true
            defer { state.waiters = [:] }
            return state.waiters.values.joined()
        }
        for waiter in left { waiter.resume(returning: .failure(.ending)) }
    }

    private func ask() async {
        while !Task.isCancelled {
            await isChanged.wait()
            while !Task.isCancelled {
                let askedAt = stopwatch.elapsed
                let batch = state.withLock { $0.tokens.nextBatch(at: askedAt) }
                if batch.isEmpty { break }
                await ask(batch, askedAt)
            }
        }
    }

    private func ask(_ batch: [TokenHash], _ askedAt: Duration) async {
        let outcome: Result<[TokenGrant?], StoreFailure>
        do throws(StoreFailure) {
            let grants = try await repository.grants(of: batch)
            precondition(grants.count == batch.count, "Each token has an answer.")
            outcome = .success(grants)
        } catch {
            outcome = .failure(error)
        }
        let answered = state.withLock { state in
            switch outcome {
            case .success(let grants):
                state.tokens.take(Array(zip(batch, grants)), askedAt: askedAt)
            case .failure(let failure):
                state.tokens.fail(batch, failure, at: stopwatch.elapsed)
            }
            return batch.flatMap { token -> [(CheckedContinuation<Answer, Never>, Answer)] in
                guard let waiters = state.waiters.removeValue(forKey: token) else { return [] }
                let answer = Self.told(token, outcome, &state, stopwatch.elapsed, now())
                return waiters.map { ($0, answer) }
            }
        }
        for (waiter, answer) in answered { waiter.resume(returning: answer) }
    }

    /// What those are told who waited for an outcome, however long it took.
    private static func told(
        _ token: TokenHash,
        _ outcome: Result<[TokenGrant?], StoreFailure>,
        _ state: inout State,
        _ time: Duration,
        _ now: Timestamp
    ) -> Answer {
        let failure: StoreFailure
        switch outcome {
        case .success: failure = .invalidToken
        case .failure(let ofStore): failure = ofStore
        }
        switch state.tokens.worth(of: token, at: time, now: now) {
        case .open(let grant): return .success(grant)
        case .shut: return .failure(.invalidToken)
        case nil: return .failure(failure)
        }
    }

    private static func answer(
        for token: TokenHash,
        _ state: inout State,
        _ time: Duration,
        _ now: Timestamp
    ) -> Answer? {
        switch state.tokens.show(token, at: time, now: now) {
        case .open(let grant): .success(grant)
        case .shut: .failure(.invalidToken)
        case .failed(let failure): .failure(failure)
        case .unknown: nil
        }
    }
}
