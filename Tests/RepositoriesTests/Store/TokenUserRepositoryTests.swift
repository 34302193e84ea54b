import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("The record of a token's owner", .tags(.threads))
struct TokenUserRepositoryTests {
    /// A wall clock in microseconds.
    private final class WallClock: Sendable {
        let value = Mutex<Int64>(1_000_000)
    }

    /// A store of two users, a token of the second, and clocks that the test advances.
    private final class Bench: Sendable {
        let store = InMemoryStore(users: ["lee", "kim"])
        let clock: ManualClock
        let wall = WallClock()
        let hash: [UInt8] = Array(1...32)

        let verifier: TokenVerifier

        init(_ clock: ManualClock = ManualClock()) {
            self.clock = clock
            let now: @Sendable () -> Timestamp = { [wall] in
                Timestamp(microseconds: wall.value.withLock(\.self))
            }
            verifier = TokenVerifier(
                repository: StoredTokenRepository(store: store, now: now),
                clock: clock,
                now: now
            )
        }

        func token(scope: String = "write", expiresAt: Int64? = nil) async throws -> TokenDTO {
            try await store.addToken(
                NewTokenDTO(sha256: hash, scope: scope, madeAt: 0, expiresAt: expiresAt),
                of: "kim",
                limit: 9
            )
        }

        func advance(by duration: Duration) {
            clock.advance(by: duration)
            wall.value.withLock { $0 += duration.wholeMicroseconds }
        }
    }

    private let bench = Bench()

    private func personal() -> TokenUserRepository { Self.personal(bench) }

    private static func personal(_ bench: Bench) -> TokenUserRepository {
        let now: @Sendable () -> Timestamp = {
            Timestamp(microseconds: bench.wall.value.withLock(\.self))
        }
        return TokenUserRepository(
            token: TokenHash(bench.hash),
            verifier: bench.verifier,
            users: StoredUserRepository(store: bench.store, now: now)
        )
    }

    private static func failure(
        _ body: () async throws(StoreFailure) -> some Any
    ) async -> StoreFailure.Code? {
        do throws(StoreFailure) {
            _ = try await body()
            return nil
        } catch {
            return error.code
        }
    }

    private static func code(_ personal: TokenUserRepository) async -> StoreFailure.Code? {
        await failure { () async throws(StoreFailure) in try await personal.record(of: .tokenOwner)
        }
    }

    @Test("each call is for the owner, and naming another user is refused")
    func owner() async throws {
        _ = try await bench.token()
        let personal = personal()
        let record = try await personal.perform(.addFavorite("BTC_KRW"), of: .tokenOwner)
        #expect(record.profile.value.name == "kim")
        #expect(try await personal.record(of: UserID(2)) == record)
        #expect(try await personal.changeCount(of: .tokenOwner) == 1)
        #expect(try await personal.journal(of: .tokenOwner, newest: 9).count == 1)
        try await personal.checkWriting(of: .tokenOwner)
        #expect(try await bench.store.record(of: 1).favorites == [])
        for call in 0..<5 {
            let code = await Self.failure { () async throws(StoreFailure) in
                switch call {
                case 0: _ = try await personal.record(of: .local)
                case 1: _ = try await personal.perform(.putCash("1"), of: .local)
                case 2: _ = try await personal.changeCount(of: .local)
                case 3: try await personal.checkWriting(of: .local)
                default: _ = try await personal.journal(of: .local, newest: 1)
                }
            }
            #expect(code == .unauthorized)
        }
        #expect(try await bench.store.record(of: 1).cash == nil)
    }

    @Test("a read-only token reads and is refused changes")
    func readOnly() async throws {
        _ = try await bench.token(scope: "read")
        let personal = personal()
        _ = try await personal.record(of: .tokenOwner)
        let refused = await Self.failure { () async throws(StoreFailure) in
            try await personal.perform(.putCash("1"), of: .tokenOwner)
        }
        #expect(refused == .forbidden)
        let check = await Self.failure { () async throws(StoreFailure) in
            try await personal.checkWriting(of: .tokenOwner)
        }
        #expect(check == .forbidden)
        #expect(try await bench.store.record(of: 2).cash == nil)
    }

    @Test("an unknown token and one with an unknown scope are invalid")
    func unknown() async throws {
        #expect(await Self.code(personal()) == .unauthorized)
        _ = try await bench.token(scope: "everything")
        #expect(await Self.code(personal()) == .unauthorized)
    }

    @Test("a revoked token is invalid when the cached answer is a second old")
    func revoked() async throws {
        let token = try await bench.token()
        let personal = personal()
        #expect(await Self.code(personal) == nil)
        try await bench.store.revokeToken(number: token.number, at: 5)
        bench.advance(by: .milliseconds(999))
        #expect(await Self.code(personal) == nil)
        bench.advance(by: .milliseconds(1))
        #expect(await Self.code(personal) == .unauthorized)
    }

    @Test("a removed user's token is invalid at once, however fresh the cached answer is")
    func removed() async throws {
        _ = try await bench.token()
        let personal = personal()
        #expect(await Self.code(personal) == nil)
        try await bench.store.removeUser(name: "kim")
        #expect(await Self.code(personal) == .unauthorized)
        let change = await Self.failure { () async throws(StoreFailure) in
            try await personal.perform(.putCash("1"), of: .tokenOwner)
        }
        #expect(change == .unauthorized)
    }

    @Test(
        "a removed user's record is hidden within a second, or at once after a notification",
        arguments: [false, true],
        0..<4
    )
    func removedWhileShown(hasNews: Bool, quarter: Int) async throws {
        let tasks = SteppedTasks()
        let bench = Bench(tasks.clock)
        _ = try await bench.token()
        let personal = Self.personal(bench)
        _ = try await personal.perform(.addFavorite("BTC_KRW"), of: .tokenOwner)
        let pinned = PinnedUser(
            .tokenOwner,
            of: UserStateService(
                repository: personal,
                notifications: nil,
                polls: true,
                outlet: .screen(fallsBackToMemory: false),
                clock: tasks.clock
            )
        )
        let latest = pinned.state
        let removal = Duration.milliseconds(1_000 + 250 * quarter)
        let work: @Sendable () async -> Void = {
            await withTaskGroup { group in
                group.addTask { await pinned.run() }
                group.addTask {
                    try? await tasks.clock.sleep(for: removal + .milliseconds(1))
                    try? await bench.store.removeUser(name: "kim")
                }
            }
        }
        try await tasks.running(work) {
            tasks.advance(by: removal)
            // A lookup now makes the cached answer fresh when the user is removed.
            pinned.reload()
            tasks.settle()
            #expect(latest.value.record.favorites.value == ["BTC_KRW"])
            tasks.advance(by: .milliseconds(1))
            #expect(latest.value.record.favorites.value == ["BTC_KRW"])
            if hasNews {
                bench.verifier.invalidate(TokenHash(bench.hash))
                pinned.reload()
                tasks.settle()
            } else {
                tasks.advance(by: .seconds(1))
            }
            #expect(latest.value.record.favorites.value == [])
            guard case .failing(let failure) = latest.value.status else {
                Issue.record("The status says why nothing is shown.")
                return
            }
            #expect(failure.code == .unauthorized)
        }
    }

    @Test("the token of a user who is enabled again is valid a second later")
    func disabled() async throws {
        _ = try await bench.token()
        let personal = personal()
        #expect(await Self.code(personal) == nil)
        try await bench.store.setUser(name: "kim", isDisabled: true)
        bench.advance(by: .seconds(1))
        #expect(await Self.code(personal) == .unauthorized)
        try await bench.store.setUser(name: "kim", isDisabled: false)
        bench.advance(by: .seconds(1))
        #expect(await Self.code(personal) == nil)
    }

    @Test("the token is looked up once a second, however many calls there are")
    func cost() async throws {
        _ = try await bench.token()
        let personal = personal()
        for _ in 0..<10 { _ = try await personal.record(of: .tokenOwner) }
        // One lookup and ten reads.
        #expect(bench.store.callCount == 1 + 1 + 10)
        bench.advance(by: .seconds(1))
        _ = try await personal.record(of: .tokenOwner)
        #expect(bench.store.callCount == 14)
    }

    @Test("while the store is unreachable a known token stays valid for a minute unless it expires")
    func unreachable() async throws {
        _ = try await bench.token(expiresAt: 31_000_000)
        let personal = personal()
        _ = try await personal.grant()
        bench.store.fail(StoreError(.unavailable, "away"))
        bench.advance(by: .seconds(20))
        #expect(try await personal.grant().name == "kim")
        #expect(await Self.code(personal) == .unavailable, "the call itself fails as the store")
        bench.advance(by: .seconds(10))
        let ended = await Self.failure { () async throws(StoreFailure) in
            try await personal.grant()
        }
        #expect(ended == .unauthorized)
    }

    @Test("after that minute, and before the first answer, the call fails as the store does")
    func unreachableForLong() async throws {
        _ = try await bench.token()
        let personal = personal()
        bench.store.fail(StoreError(.unavailable, "away"))
        #expect(await Self.code(personal) == .unavailable)
        bench.store.fail(nil)
        bench.advance(by: .seconds(1))
        _ = try await personal.grant()
        bench.store.fail(StoreError(.unavailable, "away"))
        bench.advance(by: .seconds(59))
        #expect(try await personal.grant().name == "kim")
        bench.advance(by: .seconds(1))
        let failure = await Self.failure { () async throws(StoreFailure) in
            try await personal.grant()
        }
        #expect(failure == .unavailable)
    }

    @Test("notifications reach the owner, or anybody whose owner is unknown, and recheck the token")
    func notifications() async throws {
        let token = try await bench.token()
        let personal = personal()
        #expect(await delivered([.users([UserID(1)]), .anybody]) == 2)
        _ = try await personal.grant()
        #expect(await delivered([.users([UserID(1)])]) == 0)
        try await bench.store.revokeToken(number: token.number, at: 5)
        #expect(await Self.code(personal) == nil)
        #expect(await delivered([.users([UserID(1), UserID(2)])]) == 1)
        #expect(await Self.code(personal) == .unauthorized)
    }

    /// The number of a store's notifications that reach the token's owner.
    private func delivered(_ notifications: [ChangeNotification]) async -> Int {
        let owner = TokenOwnerNotifications(
            token: TokenHash(bench.hash),
            verifier: bench.verifier,
            notifications: ListedNotifications(notifications: notifications)
        )
        let counter = Counter()
        await owner.run { notification in
            if notification == .users([.tokenOwner]) { counter.count.withLock { $0 += 1 } }
        }
        return counter.count.withLock(\.self)
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private struct ListedNotifications: ChangeNotificationRepository {
        let notifications: [ChangeNotification]

        func run(deliver: @escaping @Sendable (ChangeNotification) -> Void) async {
            for notification in notifications { deliver(notification) }
        }
    }
}

@Suite("The cached answer about a token")
struct CachedGrantTests {
    private static let grant = TokenGrant(
        user: UserID(7),
        name: "kim",
        scope: .write,
        expiresAt: nil
    )

    private static let now = Timestamp(microseconds: 1)

    @Test("the answer to the later lookup wins, in either order of arrival")
    func order() {
        var grant = CachedGrant()
        #expect(grant.fresh(at: .zero, newsAt: nil, now: Self.now) == nil)
        #expect(grant.usable(at: .zero, newsAt: nil, now: Self.now) == nil)
        grant.store(.invalid, askedAt: .seconds(5), changedAt: nil)
        grant.store(.valid(Self.grant), askedAt: .seconds(4), changedAt: nil)
        #expect(grant.fresh(at: .seconds(5), newsAt: nil, now: Self.now) == .invalid)
        #expect(grant.usable(at: .seconds(64), newsAt: nil, now: Self.now) == .invalid)
        #expect(grant.usable(at: .seconds(65), newsAt: nil, now: Self.now) == nil)
    }

    @Test("news confirm a valid answer for a minute and a half, and no other answer")
    func confirmed() {
        func fresh(_ grant: CachedGrant, at seconds: Int, newsAt: Int?) -> Bool {
            grant.fresh(at: .seconds(seconds), newsAt: newsAt.map { .seconds($0) }, now: Self.now)
                != nil
        }
        var grant = CachedGrant()
        grant.store(.valid(Self.grant), askedAt: .seconds(10), changedAt: .seconds(9))
        #expect(fresh(grant, at: 12, newsAt: 11) && fresh(grant, at: 99, newsAt: 97))
        #expect(!fresh(grant, at: 12, newsAt: nil), "there are no news")
        #expect(!fresh(grant, at: 15, newsAt: 12), "news are three seconds old")
        #expect(!fresh(grant, at: 100, newsAt: 99), "the answer is too old")
        let isUsable =
            grant.usable(at: .seconds(150), newsAt: .seconds(99), now: Self.now) != nil
        #expect(isUsable, "it was known to be valid 51 seconds ago")
        grant.invalidate()
        #expect(!fresh(grant, at: 12, newsAt: 11), "news changed it")
        // The lookup began before news told of a change.
        grant.store(.valid(Self.grant), askedAt: .seconds(12), changedAt: .seconds(12))
        #expect(!fresh(grant, at: 14, newsAt: 14))
        grant.store(.invalid, askedAt: .seconds(20), changedAt: nil)
        #expect(!fresh(grant, at: 22, newsAt: 22), "an unknown token may be made any time")
        let expiring = TokenGrant(user: UserID(7), name: "kim", scope: .read, expiresAt: Self.now)
        grant.store(.valid(expiring), askedAt: .seconds(30), changedAt: nil)
        #expect(fresh(grant, at: 30, newsAt: 30), "the store's clock decides for a second")
        #expect(!fresh(grant, at: 32, newsAt: 32))
    }

    @Test("a store is asked once a minute about a token that news confirm")
    func due() {
        var grant = CachedGrant()
        grant.store(.valid(Self.grant), askedAt: .zero, changedAt: nil)
        func isDue(at milliseconds: Int, newsAt: Int?) -> Bool {
            grant.isDue(
                from: .milliseconds(500),
                at: .milliseconds(milliseconds),
                newsAt: newsAt.map { .milliseconds($0) },
                now: Self.now
            )
        }
        #expect(!isDue(at: 499, newsAt: nil) && isDue(at: 500, newsAt: nil))
        #expect(!isDue(at: 59_999, newsAt: 59_000) && isDue(at: 60_000, newsAt: 59_000))
        #expect(isDue(at: 30_000, newsAt: 27_500), "before the news are too old")
        grant.interruptNews()
        #expect(isDue(at: 30_000, newsAt: 29_000))
    }

    @Test("a revoked token is fresh for a second, or until news tell of it", arguments: 0..<200)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var grant = CachedGrant()
        var now = Duration.zero
        var lastValid: Duration? = .zero
        var (isValid, isChanged, isWorking) = (true, true, true)
        var (newsAt, changedAt): (Duration?, Duration?) = (nil, nil)
        var lookup: (at: Duration, answer: CachedGrant.Answer)?
        for _ in 0..<400 {
            now += .milliseconds(Int.random(in: 0...400, using: &random))
            if isValid { lastValid = now }
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3: lookup = lookup ?? (now, isValid ? .valid(Self.grant) : .invalid)
            case 3..<6:
                if let (at, answer) = lookup {
                    grant.store(answer, askedAt: at, changedAt: changedAt)
                }
                lookup = nil
            case 6:
                isValid.toggle()
                isChanged = true
            case 7: isWorking.toggle()
            default:
                guard isWorking else { continue }
                if isChanged {
                    changedAt = now
                    grant.invalidate()
                }
                isChanged = false
                newsAt = now
            }
            guard grant.fresh(at: now, newsAt: newsAt, now: Self.now) == .valid(Self.grant) else {
                continue
            }
            let age = lastValid.map { now - $0 } ?? .seconds(99)
            #expect(age < (isChanged ? CachedGrant.newsLifetime : CachedGrant.freshness))
        }
    }
}
