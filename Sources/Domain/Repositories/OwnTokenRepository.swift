/// Lists, makes and revokes the tokens of the owner of a token.
public protocol OwnTokenRepository: Sendable {
    /// The valid tokens of the owner of a token, by number, ascending.
    ///
    /// - Throws: ``StoreFailure``: `unauthorized` for an invalid token, else the store's failure.
    func tokens(ofOwnerOf token: TokenHash) async throws(StoreFailure) -> [UserToken]

    /// Makes a token for the owner of a token, which ends with that one at the latest.
    ///
    /// - Throws: ``StoreFailure``: `unauthorized` for an invalid token, `forbidden` for a read-only
    ///   one, `refused` beyond ``UserToken/validMax`` or ``UserToken/perDayMax`` tokens, else the
    ///   store's failure.
    func make(
        _ new: NewUserToken,
        forOwnerOf token: TokenHash
    ) async throws(StoreFailure) -> UserToken

    /// Revokes a token of the owner of a token; one that was revoked before stays as it is.
    ///
    /// - Returns: false if the owner has no token of this number.
    /// - Throws: ``StoreFailure``: `unauthorized` for an invalid token, `forbidden` for a read-only
    ///   one, else the store's failure.
    func revoke(_ number: Int64, ofOwnerOf token: TokenHash) async throws(StoreFailure) -> Bool
}
