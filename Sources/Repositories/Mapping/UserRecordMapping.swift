import DataSourceContracts
import Domain

/// Turns the rows that a store keeps of a user into entities, and changes into writes.
enum UserRecordMapping {
    /// Everything that is kept for a user.
    ///
    /// - Parameter dto: the rows.
    /// - Returns: the record, and how many rows were left out because nobody can read them.
    static func record(_ dto: UserRecordDTO) -> (record: UserRecord, skipped: Int) {
        var record = UserRecord(name: dto.name)
        var skipped = 0
        let revisions = dto.revisions
        record.profile.value.displayName = dto.displayName
        record.profile.revision = revisions.profile

        let favorites = dto.favorites.compactMap(MarketID.init(name:))
        skipped += dto.favorites.count - favorites.count
        record.favorites = Revised(favorites, revision: revisions.favorites)

        let settings = dto.settings.map(SettingsMapping.settings) ?? UserSettings()
        record.settings = Revised(settings, revision: revisions.settings)

        let holdings = dto.holdings.compactMap(holding)
        skipped += dto.holdings.count - holdings.count
        record.holdings = Revised(
            holdings.sorted { $0.asset < $1.asset },
            revision: revisions.holdings
        )

        let cash = dto.cash.flatMap { number($0, max: UserInput.cashMax) }
        if dto.cash != nil, cash == nil { skipped += 1 }
        record.cash = Revised(cash, revision: revisions.cash)
        return (record, skipped)
    }

    /// The write that makes a change; nil for a change of settings, of which the rest must be read
    /// first.
    static func write(_ change: UserChange) -> UserWriteDTO? {
        switch change {
        case .addFavorite(let market):
            .addFavorite(market.name, limit: UserRecord.favoritesMax)
        case .removeFavorite(let market): .removeFavorite(market.name)
        case .moveFavorite(let market, let place): .moveFavorite(market.name, to: place)
        case .replaceFavorites(let markets, let expected):
            .replaceFavorites(markets.map(\.name), expecting: expected)
        case .changeSettings: nil
        case .putHolding(let holding):
            .putHolding(
                UserRecordDTO.Holding(
                    asset: holding.asset.symbol,
                    quantity: holding.quantity.canonicalText,
                    averagePrice: holding.averagePrice?.canonicalText
                ),
                limit: Holding.holdingsMax
            )
        case .removeHolding(let asset): .removeHolding(asset.symbol)
        case .putCash(let cash): .putCash(cash.canonicalText)
        case .putDisplayName(let name): .putDisplayName(name)
        }
    }

    private static func holding(_ row: UserRecordDTO.Holding) -> Holding? {
        guard let asset = Asset(symbol: row.asset),
            let quantity = number(row.quantity, max: UserInput.quantityMax),
            !quantity.isZero
        else { return nil }
        var averagePrice: FixedDecimal?
        if let text = row.averagePrice {
            // With another price than the one that was paid, the profit shown would be wrong.
            guard let price = number(text, max: UserInput.priceMax) else { return nil }
            averagePrice = price
        }
        return Holding(asset: asset, quantity: quantity, averagePrice: averagePrice)
    }

    private static func number(_ text: String, max: FixedDecimal) -> FixedDecimal? {
        guard let number = try? FixedDecimal(parsing: text), number.sign >= 0, number <= max else {
            return nil
        }
        return number
    }
}
