public import DataSourceContracts
public import Domain

/// Knows whose tokens are, by what a store keeps of them.
public final class StoredTokenRepository: TokenRepository {
    private let store: any TokenStoreSource
    private let now: @Sendable () -> Timestamp

    /// Makes a repository over a store.
    ///
    /// - Parameters:
    ///   - store: keeps the hashes of tokens, and notes their uses.
    ///   - now: the local wall clock; a shared store goes by its own.
    public init(store: any TokenStoreSource, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
    }

    /// Looks tokens up, in one call of the store.
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
