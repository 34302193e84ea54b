import DataSourceContracts
import Domain

/// Maps the stored rows of a user to entities and back.
enum UserRecordMapping {
    /// Maps rows to a record.
    ///
    /// - Returns: the record, and the number of rows skipped because they are unreadable.
    static func record(
        _ dto: UserRecordDTO,
        of user: UserID
    ) -> (record: UserRecord, skipped: Int) {
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

        let (alerts, skippedAlerts) = UserAlertsMapping.alerts(dto, of: user)
        skipped += skippedAlerts
        record.alerts = Revised(alerts, revision: revisions.alerts)
        return (record, skipped)
    }

    /// The rows after a change.
    ///
    /// Rows that the change does not concern stay byte for byte, unreadable ones included.
    ///
    /// - Throws: ``StoreError``: `refused` or `conflict`, as ``UserRecord/applying(_:)`` decides.
    static func applying(
        _ change: UserChange,
        to row: UserRecordDTO,
        of user: UserID
    ) throws(StoreError) -> UserRecordDTO {
        let old = record(row, of: user).record
        let new: UserRecord
        do throws(StoreFailure) {
            new = try old.applying(change)
        } catch {
            throw StoreError(error.code == .conflict ? .conflict : .refused, error.detail)
        }
        var row = row
        row.displayName = new.profile.value.displayName
        if new.favorites != old.favorites {
            row.favorites = merged(new.favorites.value.map(\.name), into: row.favorites)
        }
        if new.settings != old.settings {
            let patch = SettingsPatch(from: old.settings.value, to: new.settings.value)
            let settings = row.settings ?? SettingsMapping.row(UserSettings())
            row.settings = SettingsMapping.patched(settings, by: patch)
        }
        if new.holdings != old.holdings {
            row.holdings = merged(old.holdings.value, new.holdings.value, into: row.holdings)
        }
        if new.cash != old.cash { row.cash = new.cash.value?.canonicalText }
        if new.alerts != old.alerts {
            UserAlertsMapping.write(new.alerts.value, replacing: old.alerts.value, into: &row)
        }
        return row
    }

    /// The new list of favorites, in which unreadable rows keep their index.
    private static func merged(_ markets: [String], into rows: [String]) -> [String] {
        var merged = markets
        for (index, row) in rows.enumerated() where MarketID(name: row) == nil {
            merged.insert(row, at: min(index, merged.count))
        }
        return merged
    }

    private static func merged(
        _ old: [Holding],
        _ new: [Holding],
        into rows: [UserRecordDTO.Holding]
    ) -> [UserRecordDTO.Holding] {
        let kept = Set(new)
        let removed = Set(old.filter { !kept.contains($0) }.map(\.asset.symbol))
        let known = Set(old)
        let written = new.filter { !known.contains($0) }.map(Self.row)
        let assets = removed.union(written.map(\.asset))
        return rows.filter { !assets.contains($0.asset) } + written
    }

    private static func row(_ holding: Holding) -> UserRecordDTO.Holding {
        UserRecordDTO.Holding(
            asset: holding.asset.symbol,
            quantity: holding.quantity.canonicalText,
            averagePrice: holding.averagePrice?.canonicalText
        )
    }

    private static func holding(_ row: UserRecordDTO.Holding) -> Holding? {
        guard let asset = Asset(symbol: row.asset),
            let quantity = number(row.quantity, max: UserInput.quantityMax),
            !quantity.isZero
        else { return nil }
        var averagePrice: FixedDecimal?
        if let text = row.averagePrice {
            // Without the price that was paid, the profit shown would be wrong.
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
