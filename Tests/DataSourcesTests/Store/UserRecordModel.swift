import DataSourceContracts
import TestSupport

/// A naive model of a store, for texts in one spelling.
struct UserRecordModel {
    var record = UserRecordDTO(name: "local")
    var kinds: [String] = []

    /// Makes a change.
    ///
    /// Returns the code with which a store refuses it.
    mutating func write(_ write: TestChange) -> StoreError.Code? {
        let old = record
        switch write {
        case .addFavorite(let market, let limit):
            if record.favorites.contains(market) { return nil }
            if record.favorites.count >= limit { return .tooMany }
            replaceFavorites(record.favorites + [market], "favorite.add")
        case .removeFavorite(let market):
            replaceFavorites(old.favorites.filter { $0 != market }, "favorite.remove")
        case .moveFavorite(let market, let place):
            guard old.favorites.contains(market) else { return nil }
            let others = old.favorites.filter { $0 != market }
            let place = place < 0 ? 0 : place > others.count ? others.count : place
            let markets = others.prefix(place) + [market] + others.dropFirst(place)
            replaceFavorites(Array(markets), "favorite.move")
        case .replaceFavorites(let markets, let expected):
            if expected != nil, expected != old.revisions.favorites { return .conflict }
            replaceFavorites(markets, "favorite.replace")
        case .putSettings(let settings, let expected):
            if expected != nil, expected != old.revisions.settings { return .conflict }
            record.settings = settings
            count(\.settings, "settings.put", if: record.settings != old.settings)
        case .putHolding(let holding, let limit):
            let others = old.holdings.filter { $0.asset != holding.asset }
            if others.count == old.holdings.count, others.count >= limit { return .tooMany }
            record.holdings = (others + [holding]).sorted { $0.asset < $1.asset }
            count(\.holdings, "holding.put", if: record.holdings != old.holdings)
        case .removeHolding(let asset):
            record.holdings.removeAll { $0.asset == asset }
            count(\.holdings, "holding.remove", if: record.holdings != old.holdings)
        case .putCash(let amount):
            record.cash = amount
            count(\.cash, amount == nil ? "cash.remove" : "cash.put", if: record.cash != old.cash)
        case .putDisplayName(let name):
            record.displayName = name
            count(\.profile, "profile.put", if: record.displayName != old.displayName)
        case .putAlertRule(let rule):
            let others = old.alertRules.filter { $0.number != rule.number }
            record.alertRules = (others + [rule]).sorted { $0.number < $1.number }
            count(\.alerts, "alert.replace", if: record.alertRules != old.alertRules)
        case .removeAlertRule(let number):
            record.alertRules.removeAll { $0.number == number }
            count(\.alerts, "alert.remove", if: record.alertRules != old.alertRules)
        case .seeAlerts(let number):
            record.alertsSeen = number
            count(\.alerts, "alert.see", if: record.alertsSeen != old.alertsSeen)
        }
        return nil
    }

    private mutating func replaceFavorites(_ markets: [String], _ kind: String) {
        let hasChanged = markets != record.favorites
        record.favorites = markets
        count(\.favorites, kind, if: hasChanged)
    }

    private mutating func count(
        _ part: WritableKeyPath<UserRecordDTO.Revisions, Int64>,
        _ kind: String,
        if hasChanged: Bool
    ) {
        guard hasChanged else { return }
        record.revisions[keyPath: part] += 1
        kinds.append(kind)
    }
}
