public import DataSourceContracts
public import Domain

/// Access tokens in a store.
public final class StoredTokenRepository: TokenRepository, OwnTokenRepository {
    private let store: any TokenStoreSource
    private let now: @Sendable () -> Timestamp

    /// Makes a repository over a store.
    ///
    /// - Parameters:
    ///   - store: holds the hashes of tokens and records their uses.
    ///   - now: the local wall clock; a shared store uses its own.
    public init(store: any TokenStoreSource, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
    }

    /// Looks tokens up in one call of the store.
    public func grants(
        of tokens: [TokenHash]
    ) async throws(StoreFailure) -> [TokenGrant?] {
        do throws(StoreError) {
            return try await store.grants(sha256s: tokens.map(\.bytes), at: now().microseconds)
                .map { TokenGrant($0) }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The valid tokens of the owner of a token.
    public func tokens(
        ofOwnerOf token: TokenHash
    ) async throws(StoreFailure) -> [UserToken] {
        do throws(StoreError) {
            return try await store.ownTokens(sha256: token.bytes, at: now().microseconds)
                .map { UserToken($0.token, isCurrent: $0.isAsking) }
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Makes a token for the owner of a token.
    public func make(
        _ new: NewUserToken,
        forOwnerOf token: TokenHash
    ) async throws(StoreFailure) -> UserToken {
        let row = NewTokenDTO(
            sha256: new.hash.bytes,
            scope: new.scope.rawValue,
            madeAt: now().microseconds,
            expiresAt: new.expiresAt?.microseconds,
            note: new.note
        )
        do throws(StoreError) {
            let made = try await store.addOwnToken(row, by: token.bytes, limits: Self.limits)
            return UserToken(made, isCurrent: false)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Revokes a token of the owner of a token.
    public func revoke(
        _ number: Int64,
        ofOwnerOf token: TokenHash
    ) async throws(StoreFailure) -> Bool {
        do throws(StoreError) {
            return try await store.revokeOwnToken(
                number: number,
                by: token.bytes,
                at: now().microseconds
            )
        } catch {
            throw StoreFailure(error)
        }
    }

    private static let limits = TokenLimitsDTO(
        valid: UserToken.validMax,
        perDay: UserToken.perDayMax
    )
}
