import DataSourceContracts
import DataSourcesPostgreSQL
import Domain
import Repositories
import Synchronization
import TestSupport
import UseCases

/// Load on the store when many users ask one process for their records: number of calls while
/// nothing changes, and duration of a request.
enum PersonalServing {
    private static let users = 1_000

    /// Gives each user a token.
    static func addTokens(_ pool: PostgreSQLPool) async throws {
        let people = PostgreSQLUserAccounts(pool: pool)
        for number in 1...users {
            let token = NewTokenDTO(
                sha256: TokenHash(number: number).bytes,
                scope: "read",
                madeAt: 0,
                expiresAt: nil
            )
            _ = try await people.addToken(token, of: "user\(number)", limit: 9)
        }
    }

    /// Makes `rate` requests a second for all users in turn, and prints calls of the store per
    /// second and microseconds of p50, p99 and the maximum.
    static func ask(_ pool: PostgreSQLPool, rate: Int, seconds: Int) async throws {
        let clock = ContinuousClock()
        let now: @Sendable () -> Timestamp = { Timestamp(microseconds: 0) }
        let store = CountedStore(PostgreSQLStore(pool: pool), now)
        let tokens = TokenVerifier(repository: store, clock: clock, now: now)
        let news = PostgreSQLChangeNotifications(pool: pool, listener: nil, clock: clock)
        let people = UserStateService(
            repository: store,
            notifications: PushedChangeNotifications(source: news),
            polls: false,
            outlet: .requests,
            clock: clock
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await tokens.run() }
            group.addTask { await people.run() }
            defer { group.cancelAll() }
            for number in 1...users { try await look(number, tokens, people) }
            // The first notification says that any record may have changed.
            try await clock.sleep(for: .seconds(2))
            for number in 1...users { try await look(number, tokens, people) }
            let before = store.callCount
            var latencies: [Duration] = []
            let start = clock.now
            for number in 0..<(rate * seconds) {
                let intended = start + .seconds(1) * number / rate
                if clock.now < intended {
                    try await clock.sleep(until: intended, tolerance: .zero)
                }
                let began = clock.now
                try await look(number % users + 1, tokens, people)
                latencies.append(began.duration(to: clock.now))
            }
            let calls = store.callCount - before
            latencies.sort()
            let figures = [latencies.count / 2, latencies.count * 99 / 100, latencies.count - 1]
                .map { "\(Int(latencies[$0] / .microseconds(1)))" }
            print("\(calls / seconds) " + figures.joined(separator: " "))
        }
    }

    private static func look(
        _ number: Int,
        _ tokens: TokenVerifier,
        _ people: UserStateService
    ) async throws {
        let token = TokenHash(number: number)
        let grant: TokenGrant =
            if let known = tokens.known(token) {
                try known.get()
            } else {
                try await tokens.grant(of: token)
            }
        if people.current(grant.user) == nil { _ = try await people.state(of: grant.user) }
    }
}

/// A store that counts its calls.
private final class CountedStore: TokenRepository, UserRepository {
    private let tokens: StoredTokenRepository
    private let personal: StoredUserRepository
    private let calls = Mutex(0)

    init(_ store: PostgreSQLStore, _ now: @escaping @Sendable () -> Timestamp) {
        tokens = StoredTokenRepository(store: store, now: now)
        personal = StoredUserRepository(store: store, now: now)
    }

    var callCount: Int { calls.withLock { $0 } }

    func grants(of tokens: [TokenHash]) async throws(StoreFailure) -> [TokenGrant?] {
        calls.withLock { $0 += 1 }
        return try await self.tokens.grants(of: tokens)
    }

    func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        calls.withLock { $0 += 1 }
        return try await personal.record(of: user)
    }

    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        calls.withLock { $0 += 1 }
        return try await personal.perform(change, of: user)
    }

    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        calls.withLock { $0 += 1 }
        return try await personal.changeCount(of: user)
    }

    func checkWriting(of user: UserID) async throws(StoreFailure) {
        calls.withLock { $0 += 1 }
        try await personal.checkWriting(of: user)
    }

    func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        calls.withLock { $0 += 1 }
        return try await personal.journal(of: user, newest: count)
    }
}
