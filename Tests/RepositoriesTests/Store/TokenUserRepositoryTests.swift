import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("A token opens what is its owner's, for as long as the store says so", .tags(.threads))
struct TokenUserRepositoryTests {
    /// A store of two users, a token of the second, and clocks that a test moves.
    private final class Bench: Sendable {
        let store = InMemoryStore(users: ["lee", "kim"])
        let clock: ManualClock
        let wall = Mutex<Int64>(1_000_000)
        let hash: [UInt8] = Array(1...32)

        init(_ clock: ManualClock = ManualClock()) { self.clock = clock }

        func token(scope: String = "write", expiresAt: Int64? = nil) async throws -> TokenDTO {
            try await store.addToken(
                NewTokenDTO(sha256: hash, scope: scope, madeAt: 0, expiresAt: expiresAt),
                of: "kim",
                limit: 9
            )
        }

        func advance(by duration: Duration) {
            clock.advance(by: duration)
            wall.withLock { $0 += duration.wholeMicroseconds }
        }
    }

    private let bench = Bench()

    private func personal() -> TokenUserRepository { Self.personal(bench) }

    private static func personal(_ bench: Bench) -> TokenUserRepository {
        let now: @Sendable () -> Timestamp = {
            Timestamp(microseconds: bench.wall.withLock(\.self))
        }
        return TokenUserRepository(
            sha256: bench.hash,
            tokens: bench.store,
            personal: StoredUserRepository(store: bench.store, now: now),
            clock: bench.clock,
            now: now
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

    @Test("Every call is about the owner, and nobody else can be named")
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

    @Test("A token of reading alone reads, and changes nothing")
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

    @Test("A token that is unknown, or has a scope that nobody knows, opens nothing")
    func unknown() async throws {
        #expect(await Self.code(personal()) == .unauthorized)
        _ = try await bench.token(scope: "everything")
        #expect(await Self.code(personal()) == .unauthorized)
    }

    @Test("What is revoked or disabled is noticed when the answer is a second old")
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

    @Test("Whoever was removed is told at once, however young the answer of the store is")
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
        "Nothing of who was removed is shown after a second, or at once when there is news",
        arguments: [false, true],
        0..<4
    )
    func removedWhileShown(hasNews: Bool, quarter: Int) async throws {
        let tasks = SteppedTasks()
        let bench = Bench(tasks.clock)
        _ = try await bench.token()
        let personal = Self.personal(bench)
        _ = try await personal.perform(.addFavorite("BTC_KRW"), of: .tokenOwner)
        let latest = UserStatePublisher(
            UserState(
                user: .tokenOwner,
                record: UserRecord(name: "local"),
                status: .opening,
                sequence: 0
            )
        )
        let commands = UserChangeQueue()
        let keep = PinnedUserState(
            repository: personal,
            isShared: true,
            latest: latest,
            commands: commands,
            clock: tasks.clock
        )
        let removal = Duration.milliseconds(1_000 + 250 * quarter)
        let work: @Sendable () async -> Void = {
            await withTaskGroup { group in
                group.addTask { await keep.run() }
                group.addTask {
                    try? await tasks.clock.sleep(for: removal + .milliseconds(1))
                    try? await bench.store.removeUser(name: "kim")
                }
            }
        }
        try await tasks.running(work) {
            tasks.advance(by: removal)
            // Looked at now, so that the answer about the token is young when that happens.
            commands.signalChange()
            tasks.settle()
            #expect(latest.value.record.favorites.value == ["BTC_KRW"])
            tasks.advance(by: .milliseconds(1))
            #expect(latest.value.record.favorites.value == ["BTC_KRW"])
            if hasNews {
                #expect(personal.concerns(.users([2])))
                commands.signalChange()
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

    @Test("A user who is enabled again is let in a second later, without a new token")
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

    @Test("The store is asked once a second, however many calls there are")
    func cost() async throws {
        _ = try await bench.token()
        let personal = personal()
        for _ in 0..<10 { _ = try await personal.record(of: .tokenOwner) }
        // One look-up and ten readings.
        #expect(bench.store.callCount == 1 + 1 + 10)
        bench.advance(by: .seconds(1))
        _ = try await personal.record(of: .tokenOwner)
        #expect(bench.store.callCount == 14)
    }

    @Test("While the store is away a known token stays good for a minute, unless it ends")
    func away() async throws {
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

    @Test("After that minute, and before the first answer, the failure is the store's")
    func awayForLong() async throws {
        _ = try await bench.token()
        let personal = personal()
        bench.store.fail(StoreError(.unavailable, "away"))
        #expect(await Self.code(personal) == .unavailable)
        bench.store.fail(nil)
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

    @Test("News are for the owner, or for anybody whose owner is not known, and raise doubts")
    func news() async throws {
        let token = try await bench.token()
        let personal = personal()
        #expect(personal.concerns(.users([1])) && personal.concerns(.anybody))
        _ = try await personal.grant()
        #expect(!personal.concerns(.users([1])))
        try await bench.store.revokeToken(number: token.number, at: 5)
        #expect(await Self.code(personal) == nil)
        #expect(personal.concerns(.users([1, 2])))
        #expect(await Self.code(personal) == .unauthorized)
    }
}

@Suite(
    "What is known of a token counts for a second, and for a minute without the store",
    .tags(.threads)
)
struct CachedGrantTests {
    private static let grant = TokenGrant(
        user: UserID(7),
        name: "kim",
        scope: .write,
        expiresAt: nil
    )

    @Test("Of two answers the later question's counts, in whichever order they come")
    func order() {
        var plan = CachedGrant()
        #expect(plan.standing(at: .zero) == nil && plan.remaining(at: .zero) == nil)
        plan.take(.shut, askedAt: .seconds(5))
        plan.take(.open(Self.grant), askedAt: .seconds(4))
        #expect(plan.standing(at: .seconds(5)) == .shut)
        #expect(plan.remaining(at: .seconds(64)) == .shut)
        #expect(plan.remaining(at: .seconds(65)) == nil)
    }

    @Test("No answer counts longer than a second, whatever happened before", arguments: 0..<100)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var plan = CachedGrant()
        var now = Duration.zero
        var asked: Duration?
        for _ in 0..<200 {
            now += .milliseconds(Int.random(in: 0...700, using: &random))
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                plan.take(Bool.random(using: &random) ? .shut : .open(Self.grant), askedAt: now)
                asked = now
            case 1:
                plan.doubt()
                #expect(plan.standing(at: now) == nil)
                asked = nil
            default:
                let isFresh = asked.map { now - $0 < .seconds(1) } ?? false
                #expect((plan.standing(at: now) != nil) == isFresh)
            }
        }
    }
}
