/// Knows whose tokens are.
public protocol TokenRepository: Sendable {
    /// Looks tokens up, together: one call of the store however many there are.
    ///
    /// - Parameter tokens: the hashes of their texts, each once.
    /// - Returns: what each opens, in the order of the question; nil for one that is unknown,
    ///   revoked, expired, or of a disabled user.
    /// - Throws: ``StoreFailure``: what is wrong with the store.
    func grants(of tokens: [TokenHash]) async throws(StoreFailure) -> [TokenGrant?]
}
