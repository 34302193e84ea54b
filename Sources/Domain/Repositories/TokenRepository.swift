/// Looks up access tokens.
public protocol TokenRepository: Sendable {
    /// Looks up tokens in one call of the store.
    ///
    /// - Parameter tokens: hashes of the tokens, without duplicates.
    /// - Returns: the grants in the same order; nil for a token that is unknown, revoked, expired,
    ///   or of a disabled user.
    /// - Throws: ``StoreFailure`` if the store fails.
    func grants(of tokens: [TokenHash]) async throws(StoreFailure) -> [TokenGrant?]
}
