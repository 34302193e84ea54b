import DataSourceContracts

/// What a change of something personal does to the rows of a user: a plain value that decides.
struct UserChange {
    /// What changes the rows; empty when nothing has to be changed.
    let statements: [PostgreSQLStatement]

    /// How many rows of the journal a user keeps: the newest.
    static let journalRowsMax: Int64 = 10_000

    /// Decides.
    ///
    /// Texts are the same when their bytes are.
    ///
    /// - Parameters:
    ///   - write: what is to be changed.
    ///   - record: what there is, and stays so until the transaction ends.
    ///   - user: whose.
    ///   - time: for the journal.
    /// - Throws: ``StoreError``: `conflict`, `tooMany`, or `refused` for what cannot be held.
    init(
        _ write: UserWriteDTO,
        of record: UserRecordDTO,
        user: Int64,
        at time: Int64
    ) throws(StoreError) {
        try CanonicalValues.check(time: time, "the time of a change")
        let changes = try Self.changes(write, of: record, user: .integer(user))
        guard !changes.isEmpty else {
            statements = []
            return
        }
        statements =
            changes + [
                Statements.incrementRevisions(values: [.integer(user)] + write.counts),
                Statements.note(
                    .integer(user),
                    .time(time),
                    .text(write.kind),
                    .text(ifAny: write.subject)
                ), Statements.deleteOldJournalRows(.integer(user), .integer(Self.journalRowsMax)),
                Statements.notifyChange(.text("\(user)")),
            ]
    }

    private static func changes(
        _ write: UserWriteDTO,
        of record: UserRecordDTO,
        user: PostgreSQLValue
    ) throws(StoreError) -> [PostgreSQLStatement] {
        switch write {
        case .addFavorite(let market, let limit):
            if record.favorites.contains(where: market.hasSameBytes) { return [] }
            guard record.favorites.count < limit else { throw tooMany("favourites", limit) }
            return [Statements.appendFavorites(user, .texts([market]))]
        case .removeFavorite(let market):
            guard record.favorites.contains(where: market.hasSameBytes) else { return [] }
            return [Statements.removeFavorite(user, .text(market))]
        case .moveFavorite(let market, let place):
            var markets = record.favorites
            guard let old = markets.firstIndex(where: market.hasSameBytes) else { return [] }
            markets.insert(markets.remove(at: old), at: min(max(0, place), markets.count))
            return replacing(record.favorites, by: markets, user)
        case .replaceFavorites(let markets, let expected):
            try expect(expected, record.revisions.favorites)
            return replacing(record.favorites, by: markets, user)
        case .putSettings(let settings, let expected):
            try expect(expected, record.revisions.settings)
            if let old = record.settings, old.isSame(as: settings) { return [] }
            return [Statements.putSettings(values: [user] + settings.values)]
        case .putHolding(let holding, let limit):
            return try putting(holding, limit: limit, to: record, user)
        case .removeHolding(let asset):
            guard record.holdings.contains(where: { asset.hasSameBytes(as: $0.asset) }) else {
                return []
            }
            return [Statements.removeHolding(user, .text(asset))]
        case .putCash(let amount):
            try CanonicalValues.check(decimal: amount, "the amount of cash")
            return record.cash == amount ? [] : [Statements.putCash(user, .text(amount))]
        case .putDisplayName(let name):
            if let old = record.displayName, let name, old.hasSameBytes(as: name) { return [] }
            if record.displayName == nil, name == nil { return [] }
            return [Statements.putDisplayName(user, .text(ifAny: name))]
        }
    }

    private static func replacing(
        _ old: [String],
        by markets: [String],
        _ user: PostgreSQLValue
    ) -> [PostgreSQLStatement] {
        if old.count == markets.count, zip(old, markets).allSatisfy({ $0.hasSameBytes(as: $1) }) {
            return []
        }
        return [
            Statements.removeFavorites(user), Statements.appendFavorites(user, .texts(markets)),
        ]
    }

    private static func putting(
        _ holding: UserRecordDTO.Holding,
        limit: Int,
        to record: UserRecordDTO,
        _ user: PostgreSQLValue
    ) throws(StoreError) -> [PostgreSQLStatement] {
        try CanonicalValues.check(decimal: holding.quantity, "the quantity of a holding")
        try CanonicalValues.check(decimal: holding.averagePrice, "the price of a holding")
        let old = record.holdings.first { $0.asset.hasSameBytes(as: holding.asset) }
        guard old != nil || record.holdings.count < limit else { throw tooMany("holdings", limit) }
        // Canonical decimals are the same when their texts are.
        if let old, old.quantity == holding.quantity, old.averagePrice == holding.averagePrice {
            return []
        }
        return [
            Statements.putHolding(
                user,
                .text(holding.asset),
                .text(holding.quantity),
                .text(ifAny: holding.averagePrice)
            )
        ]
    }

    private static func expect(_ expected: Int64?, _ present: Int64) throws(StoreError) {
        guard let expected, expected != present else { return }
        throw StoreError(
            .conflict,
            "revision \(expected) was expected and \(present) is present: read it again"
        )
    }

    private static func tooMany(_ what: StaticString, _ limit: Int) -> StoreError {
        StoreError(.tooMany, "there are \(limit) \(what) already: remove one first")
    }
}

extension UserWriteDTO {
    /// By how much the revisions grow: of profile, favourites, settings, holdings and cash.
    fileprivate var counts: [PostgreSQLValue] {
        let part =
            switch self {
            case .putDisplayName: 0
            case .addFavorite, .removeFavorite, .moveFavorite, .replaceFavorites: 1
            case .putSettings: 2
            case .putHolding, .removeHolding: 3
            case .putCash: 4
            }
        return (0..<5).map { .integer($0 == part ? 1 : 0) }
    }
}
