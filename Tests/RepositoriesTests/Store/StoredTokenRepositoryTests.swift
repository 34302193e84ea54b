import DataSourceContracts
import Domain
import Repositories
import TestSupport
import Testing

@Suite("Tokens in a store")
struct StoredTokenRepositoryTests {
    @Test("tokens are looked up in one call, and an unknown scope is invalid")
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
