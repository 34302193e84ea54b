import DataSourceContracts
import Domain

extension UserToken {
    /// Maps a row.
    init(_ row: TokenDTO, isCurrent: Bool) {
        self.init(
            number: row.number,
            scope: TokenScope(rawValue: row.scope),
            createdAt: Timestamp(microseconds: row.madeAt),
            expiresAt: row.expiresAt.map(Timestamp.init(microseconds:)),
            lastUsedAt: row.usedAt.map(Timestamp.init(microseconds:)),
            note: row.note,
            isCurrent: isCurrent
        )
    }
}
