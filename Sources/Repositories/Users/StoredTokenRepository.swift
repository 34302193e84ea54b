public import DataSourceContracts
public import Domain

/// Access tokens in a store.
public final class StoredTokenRepository: TokenRepository {
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
}
