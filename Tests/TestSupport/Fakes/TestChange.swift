public import DataSourceContracts

/// A change of rows for tests of stores, with the rule that it follows.
public enum TestChange: Sendable, Hashable {
    /// Adds a market at the end unless it is there; `tooMany` beyond `limit` markets.
    case addFavorite(String, limit: Int)
    /// Removes a market.
    case removeFavorite(String)
    /// Moves a market; beyond the end means the end.
    case moveFavorite(String, to: Int)
    /// Replaces the favorites; `conflict` at another revision than the expected one.
    case replaceFavorites([String], expecting: Int64?)
    /// Replaces the settings; `conflict` at another revision than the expected one.
    case putSettings(SettingsDTO, expecting: Int64?)
    /// Inserts or updates a holding; `tooMany` beyond `limit` holdings.
    case putHolding(UserRecordDTO.Holding, limit: Int)
    /// Removes a holding.
    case removeHolding(String)
    /// Sets the cash.
    case putCash(String?)
    /// Sets the display name.
    case putDisplayName(String?)
    /// Inserts or replaces an alert rule.
    case putAlertRule(AlertRuleDTO)
    /// Removes an alert rule.
    case removeAlertRule(Int64)
    /// Sets the number of the newest alert seen.
    case seeAlerts(Int64)

    /// Applies the change; texts are compared by their bytes.
    ///
    /// - Throws: ``StoreError``: `conflict` or `tooMany`.
    public func apply(to record: UserRecordDTO) throws(StoreError) -> UserRecordDTO {
        var record = record
        switch self {
        case .addFavorite(let market, let limit):
            guard record.place(of: market) == nil else { return record }
            guard record.favorites.count < limit else { throw Self.tooMany }
            record.favorites.append(market)
        case .removeFavorite(let market):
            if let place = record.place(of: market) { record.favorites.remove(at: place) }
        case .moveFavorite(let market, let target):
            guard let place = record.place(of: market) else { return record }
            let moved = record.favorites.remove(at: place)
            record.favorites.insert(moved, at: min(max(0, target), record.favorites.count))
        case .replaceFavorites(let markets, let expected):
            try Self.expect(expected, record.revisions.favorites)
            record.favorites = markets
        case .putSettings(let settings, let expected):
            try Self.expect(expected, record.revisions.settings)
            record.settings = settings
        case .putHolding(let holding, let limit):
            if let old = record.holdings.firstIndex(where: { $0.asset.bytes == holding.asset.bytes }
            ) {
                record.holdings[old] = holding
            } else {
                guard record.holdings.count < limit else { throw Self.tooMany }
                record.holdings.append(holding)
            }
        case .removeHolding(let asset):
            record.holdings.removeAll { $0.asset.bytes == asset.bytes }
        case .putCash(let amount): record.cash = amount
        case .putDisplayName(let name): record.displayName = name
        case .putAlertRule(let rule):
            record.alertRules.removeAll { $0.number == rule.number }
            record.alertRules.append(rule)
        case .removeAlertRule(let number): record.alertRules.removeAll { $0.number == number }
        case .seeAlerts(let number): record.alertsSeen = number
        }
        return record
    }

    /// The row that the journal gets.
    public func entry(at time: Int64) -> NewJournalDTO {
        let (kind, subject): (String, String?) =
            switch self {
            case .addFavorite(let market, _): ("favorite.add", market)
            case .removeFavorite(let market): ("favorite.remove", market)
            case .moveFavorite(let market, _): ("favorite.move", market)
            case .replaceFavorites: ("favorite.replace", nil)
            case .putSettings: ("settings.put", nil)
            case .putHolding(let holding, _): ("holding.put", holding.asset)
            case .removeHolding(let asset): ("holding.remove", asset)
            case .putCash(nil): ("cash.remove", nil)
            case .putCash: ("cash.put", nil)
            case .putDisplayName: ("profile.put", nil)
            case .putAlertRule(let rule): ("alert.replace", "\(rule.number)")
            case .removeAlertRule(let number): ("alert.remove", "\(number)")
            case .seeAlerts: ("alert.see", nil)
            }
        return NewJournalDTO(at: time, kind: kind, subject: subject)
    }

    private static func expect(_ expected: Int64?, _ present: Int64) throws(StoreError) {
        guard let expected, expected != present else { return }
        throw StoreError(.conflict, "another revision is present")
    }

    private static let tooMany = StoreError(.tooMany, "no more rows are accepted")
}

extension UserRecordSource {
    /// Makes a change and writes it to the journal.
    ///
    /// - Throws: ``StoreError``: as ``TestChange/apply(to:)`` or the store.
    @discardableResult
    public func write(
        _ change: TestChange,
        user: Int64,
        at time: Int64
    ) async throws(StoreError) -> UserRecordDTO {
        try await update(user, entry: change.entry(at: time)) { record throws(StoreError) in
            try change.apply(to: record)
        }
    }
}

extension UserRecordDTO {
    fileprivate func place(of market: String) -> Int? {
        favorites.firstIndex { $0.bytes == market.bytes }
    }
}
