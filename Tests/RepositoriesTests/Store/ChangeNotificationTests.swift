import DataSourceContracts
import Domain
import Repositories
import Synchronization
import TestSupport
import Testing

@Suite(
    "News of what is personal come from a store that tells them, and from one that is asked",
    .tags(.threads)
)
struct ChangeNotificationTests {
    private final class Told: Sendable {
        private let state = Mutex<[ChangeNotification]>([])

        /// What was told since this was last asked.
        var news: [ChangeNotification] {
            state.withLock { state in
                defer { state = [] }
                return state
            }
        }

        @Sendable
        func take(_ news: ChangeNotification) { state.withLock { $0.append(news) } }
    }

    private final class Looked: Sendable {
        let users = Mutex<[UserID]>([UserID(2)])
    }

    @Test("A store that tells none is asked each second about those who are looked at")
    func asked() async throws {
        let store = InMemoryStore(users: ["kim", "lee"])
        let tasks = SteppedTasks()
        let personal = StoredUserRepository(store: store) { Timestamp(microseconds: 1) }
        let news = PolledChangeNotifications(personal: personal, clock: tasks.clock)
        let looked = Looked()
        let told = Told()
        let changes = Told()
        try await tasks.running(
            {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        await news.run(
                            watchedUsers: { looked.users.withLock(\.self) },
                            deliver: told.take
                        )
                    }
                    group.addTask {
                        try? await tasks.clock.sleep(for: .milliseconds(2_500))
                        for user: Int64 in [1, 2] {
                            _ = try? await store.write(.putCash("5"), user: user, at: 1)
                        }
                        changes.take(.anybody)
                    }
                    await group.waitForAll()
                }
            },
            drive: {
                // Nobody knows when what is shown was read: the first answer is news.
                tasks.advance(by: .seconds(1))
                #expect(told.news == [.users([UserID(2)])])
                tasks.advance(by: .seconds(1))
                #expect(told.news.isEmpty)
                tasks.advance(by: .seconds(1))
                #expect(changes.news == [.anybody])
                #expect(told.news == [.users([UserID(2)])])
                store.fail(StoreError(.busy, "busy"))
                tasks.advance(by: .seconds(2))
                #expect(told.news.isEmpty)
                store.fail(nil)
                tasks.advance(by: .seconds(1))
                // What may have happened while the store did not answer is news.
                #expect(told.news == [.users([UserID(2)])])
                looked.users.withLock { $0 = [] }
                let calls = store.callCount
                tasks.advance(by: .seconds(5))
                #expect(store.callCount == calls)
            }
        )
    }

    @Test("Tokens are looked up together, and a scope that nobody knows opens nothing")
    func tokens() async throws {
        let store = InMemoryStore(users: ["kim", "lee"])
        let tokens = StoredTokenRepository(store: store) { Timestamp(microseconds: 1) }
        for (number, scope) in [(1, "read"), (2, "everything"), (3, "write")] {
            let token = NewTokenDTO(
                sha256: TokenHash(number: number).bytes,
                scope: scope,
                madeAt: 0,
                expiresAt: nil
            )
            _ = try await store.addToken(token, of: number == 3 ? "lee" : "kim", limit: 9)
        }
        let grants = try await tokens.grants(of: [3, 4, 2, 1].map { TokenHash(number: $0) })
        #expect(grants.map { $0?.user } == [UserID(2), nil, nil, UserID(1)])
        #expect(grants.map { $0?.scope } == [.write, nil, nil, .read])
        store.fail(StoreError(.unavailable, "away"))
        await #expect(throws: StoreFailure.self) {
            try await tokens.grants(of: [TokenHash(number: 1)])
        }
    }
}
