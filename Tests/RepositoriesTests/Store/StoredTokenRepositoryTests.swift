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

    @Test("the owner of a token lists, makes and revokes tokens, of scopes of newer versions too")
    func ownTokens() async throws {
        let store = InMemoryStore(users: ["kim"])
        let now = Timestamp(microseconds: 7)
        let tokens = StoredTokenRepository(store: store) { now }
        let asking = TokenHash(number: 1)
        for (number, scope) in [(1, "write"), (2, "everything")] {
            let token = NewTokenDTO(
                sha256: TokenHash(number: number).bytes,
                scope: scope,
                madeAt: 0,
                expiresAt: nil,
                note: "\(number)"
            )
            _ = try await store.addToken(token, of: "kim", limit: 9)
        }
        let end = Timestamp(microseconds: 9)
        let new = NewUserToken(
            hash: TokenHash(number: 3),
            scope: .read,
            expiresAt: end,
            note: "new"
        )
        let made = try await tokens.make(new, forOwnerOf: asking)
        #expect(made.createdAt == now && made.expiresAt == end && !made.isCurrent)
        let rows = try await tokens.tokens(ofOwnerOf: asking)
        #expect(rows.map(\.scope) == [.write, nil, .read])
        #expect(rows.map(\.isCurrent) == [true, false, false])
        #expect(rows.map(\.note) == ["1", "2", "new"])
        #expect(rows.last == made)
        #expect(try await tokens.revoke(made.number, ofOwnerOf: asking))
        #expect(try await !tokens.revoke(99, ofOwnerOf: asking))
        #expect(try await tokens.tokens(ofOwnerOf: asking).count == 2)
    }

    @Test("no more tokens are made than a user may have, and none by an invalid token")
    func ownTokenFailures() async throws {
        let store = InMemoryStore(users: ["kim"])
        let tokens = StoredTokenRepository(store: store) { Timestamp(microseconds: 7) }
        func code(_ number: Int, by asking: Int) async -> StoreFailure.Code? {
            do throws(StoreFailure) {
                let new = NewUserToken(
                    hash: TokenHash(number: number),
                    scope: .read,
                    expiresAt: nil,
                    note: nil
                )
                _ = try await tokens.make(new, forOwnerOf: TokenHash(number: asking))
                return nil
            } catch {
                return error.code
            }
        }
        let first = NewTokenDTO(
            sha256: TokenHash(number: 1).bytes,
            scope: "write",
            madeAt: 0,
            expiresAt: nil
        )
        _ = try await store.addToken(first, of: "kim", limit: 9)
        for number in 2...UserToken.validMax { #expect(await code(number, by: 1) == nil) }
        #expect(await code(1_000, by: 1) == .refused)
        #expect(await code(1_000, by: 2_000) == .unauthorized)
    }
}
