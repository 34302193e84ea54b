import DataSourceContracts

extension Statements {
    /// The statements that write a difference: its rows, then ``recordChange``.
    ///
    /// - Parameters:
    ///   - difference: what to write; not empty.
    ///   - user: the user's number.
    ///   - entry: the journal row.
    /// - Returns: the statements, in order.
    /// - Throws: ``StoreError``: `refused` for an amount that is not a canonical decimal and for a
    ///   time outside the years 1 to 9999.
    static func write(
        _ difference: UserRecordDifference,
        of user: Int64,
        _ entry: NewJournalDTO
    ) throws(StoreError) -> [PostgreSQLStatement] {
        let increments = difference.increments
        return try rows(difference, .integer(user)) + [
            recordChange(
                .integer(user),
                .time(entry.at),
                .text(entry.kind),
                .text(ifAny: entry.subject),
                .integer(increments.profile),
                .integer(increments.favorites),
                .integer(increments.settings),
                .integer(increments.holdings),
                .integer(increments.cash),
                .integer(increments.alerts)
            )
        ]
    }

    private static func rows(
        _ difference: UserRecordDifference,
        _ user: PostgreSQLValue
    ) throws(StoreError) -> [PostgreSQLStatement] {
        var statements: [PostgreSQLStatement] = []
        if let name = difference.displayName {
            statements.append(putDisplayName(user, .text(ifAny: name)))
        }
        if let favorites = difference.favorites { statements += rows(favorites, user) }
        if let settings = difference.settings {
            statements.append(putSettings(values: [user] + settings.values))
        }
        statements += difference.removedAssets.map { removeHolding(user, .text($0)) }
        for holding in difference.holdings {
            try CanonicalValues.check(decimal: holding.quantity, "the quantity of a holding")
            try CanonicalValues.check(decimal: holding.averagePrice, "the price of a holding")
            statements.append(
                putHolding(
                    user,
                    .text(holding.asset),
                    .text(holding.quantity),
                    .text(ifAny: holding.averagePrice)
                )
            )
        }
        switch difference.cash {
        case nil: break
        case .some(nil): statements.append(removeCash(user))
        case .some(let amount?):
            try CanonicalValues.check(decimal: amount, "the amount of cash")
            statements.append(putCash(user, .text(amount)))
        }
        return try statements + alertRows(difference, user)
    }

    private static func alertRows(
        _ difference: UserRecordDifference,
        _ user: PostgreSQLValue
    ) throws(StoreError) -> [PostgreSQLStatement] {
        var statements = difference.removedAlertRules.map { removeAlertRule(user, .integer($0)) }
        for rule in difference.alertRules {
            try CanonicalValues.check(time: rule.createdAt, "the time of an alert rule")
            try CanonicalValues.check(time: rule.firedAt, "the time of an alert")
            statements.append(putAlertRule(values: [user] + rule.values))
        }
        if let number = difference.alertsSeen {
            statements.append(putAlertsSeen(user, .integer(number)))
        }
        return statements
    }

    private static func rows(
        _ favorites: UserRecordDifference.Favorites,
        _ user: PostgreSQLValue
    ) -> [PostgreSQLStatement] {
        switch favorites {
        case .append(let markets): [appendFavorites(user, .texts(markets))]
        case .remove(let market): [removeFavorite(user, .text(market))]
        case .replace(let markets):
            [removeFavorites(user), appendFavorites(user, .texts(markets))]
        }
    }
}
