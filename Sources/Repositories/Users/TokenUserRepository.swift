import Concurrency
public import DataSourceContracts
public import Domain
import Synchronization
import UseCases

/// What is personal of the owner of a token, and of nobody else.
///
/// The store is asked who that is with the first call, and again when its answer is a second old:
/// a token that was revoked, has expired or whose user was disabled opens nothing a second later.
/// While the store is away, a token that it knew stays good for a minute; the calls themselves fail
/// then as the store does.
///
/// Calls name the user as ``Domain/UserID/tokenOwner``, or by the number that the store gave.
public final class TokenUserRepository: UserRepository {
    private let tokens: any TokenStoreSource
    private let personal: any UserRepository
    private let sha256: [UInt8]
    private let stopwatch: Stopwatch
    private let now: @Sendable () -> Timestamp
    private let plan = Mutex(CachedGrant())

    /// Makes a repository for whoever a token belongs to.
    ///
    /// - Parameters:
    ///   - sha256: the hash of the token's text, 32 bytes.
    ///   - tokens: says whose token it is.
    ///   - personal: where everything is kept.
    ///   - clock: measures how old an answer is.
    ///   - now: the local wall clock, for tokens that end while the store is away.
    public init(
        sha256: [UInt8],
        tokens: any TokenStoreSource,
        personal: any UserRepository,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.sha256 = sha256
        self.tokens = tokens
        self.personal = personal
        self.now = now
        stopwatch = Stopwatch(clock)
    }

    /// What the token opens.
    ///
    /// - Throws: ``Domain/StoreFailure``: `unauthorized` when it opens nothing, else what is wrong
    ///   with the store.
    public func grant() async throws(StoreFailure) -> TokenGrant {
        let askedAt = stopwatch.elapsed
        if let answer = plan.withLock({ $0.standing(at: askedAt) }) {
            return try Self.open(answer)
        }
        let answer: CachedGrant.Answer
        do throws(StoreError) {
            answer = Self.answer(
                try await tokens.grant(sha256: sha256, at: now().microseconds)
            )
        } catch {
            guard let remaining = plan.withLock({ $0.remaining(at: stopwatch.elapsed) }) else {
                throw StoreFailure(error)
            }
            // The store goes by its own clock, and cannot say now whether the token has ended.
            let grant = try Self.open(remaining)
            guard grant.isOpen(at: now()) else { throw StoreFailure.invalidToken }
            return grant
        }
        plan.withLock { $0.take(answer, askedAt: askedAt) }
        return try Self.open(answer)
    }

    /// Whether news of changes are for the owner; while nobody knows who that is, they are.
    ///
    /// What was changed may be the token itself: the next call asks again whether it is good.
    public func concerns(_ news: ChangeNotificationDTO) -> Bool {
        plan.withLock { plan in
            let owner: Int64? =
                if case .open(let grant) = plan.remaining(at: stopwatch.elapsed) {
                    grant.user.number
                } else {
                    nil
                }
            let isMeant =
                switch news {
                case .anybody: true
                case .users(let users): owner.map(users.contains) ?? true
                }
            if isMeant { plan.doubt() }
            return isMeant
        }
    }

    /// Reads everything that is kept for the owner.
    public func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        try await call(user) { owner throws(StoreFailure) in
            try await personal.record(of: owner)
        }
    }

    /// Makes a change; `forbidden` with a token that opens reading alone.
    public func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        try await call(user, isChanging: true) { owner throws(StoreFailure) in
            try await personal.perform(change, of: owner)
        }
    }

    /// The store's count of changes of the owner.
    public func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        try await call(user) { owner throws(StoreFailure) in
            try await personal.changeCount(of: owner)
        }
    }

    /// Makes sure that a change could be kept; `forbidden` with a token that opens reading alone.
    public func checkWriting(of user: UserID) async throws(StoreFailure) {
        try await call(user, isChanging: true) { owner throws(StoreFailure) in
            try await personal.checkWriting(of: owner)
        }
    }

    /// Reads the owner's journal.
    public func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        try await call(user) { owner throws(StoreFailure) in
            try await personal.journal(of: owner, newest: count)
        }
    }

    /// Makes a call for the owner.
    ///
    /// A store without the owner says that it has none, which is no failure of the store: whoever
    /// was removed since the token was looked up is told at once that it opens nothing.
    private func call<Value: Sendable>(
        _ user: UserID,
        isChanging: Bool = false,
        _ body: (UserID) async throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        let owner = try await owner(user, isChanging: isChanging)
        do throws(StoreFailure) {
            return try await body(owner)
        } catch {
            guard error.code == .unavailable else { throw error }
            plan.withLock { $0.doubt() }
            _ = try await self.owner(user, isChanging: isChanging)
            throw error
        }
    }

    private func owner(
        _ user: UserID,
        isChanging: Bool = false
    ) async throws(StoreFailure) -> UserID {
        let grant = try await grant()
        guard user == .tokenOwner || user == grant.user else {
            throw StoreFailure(
                .unauthorized,
                "the token is another user's: give that user's own"
            )
        }
        guard !isChanging || grant.scope.allowsChanges else {
            throw StoreFailure(
                .forbidden,
                "the token opens reading alone: give one with --scope write"
            )
        }
        return grant.user
    }

    private static func open(_ answer: CachedGrant.Answer) throws(StoreFailure) -> TokenGrant {
        guard case .open(let grant) = answer else { throw StoreFailure.invalidToken }
        return grant
    }

    private static func answer(_ row: TokenGrantDTO?) -> CachedGrant.Answer {
        TokenGrant(row).map(CachedGrant.Answer.open) ?? .shut
    }
}
