import DataSourceContracts
import Domain

extension TokenGrant {
    /// What a row of the store opens; nil for nothing.
    init?(_ row: TokenGrantDTO?) {
        // A scope that this program does not know opens nothing that it knows.
        guard let row, let scope = TokenScope(rawValue: row.scope) else { return nil }
        self.init(
            user: UserID(row.user),
            name: row.name,
            scope: scope,
            expiresAt: row.expiresAt.map(Timestamp.init(microseconds:))
        )
    }
}
