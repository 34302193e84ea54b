import DataSourceContracts
import Domain

extension TokenGrant {
    /// Maps a row; nil for a token that the store does not know.
    init?(_ row: TokenGrantDTO?) {
        // A scope of a newer version grants nothing that this version knows.
        guard let row, let scope = TokenScope(rawValue: row.scope) else { return nil }
        self.init(
            user: UserID(row.user),
            name: row.name,
            scope: scope,
            expiresAt: row.expiresAt.map(Timestamp.init(microseconds:))
        )
    }
}
