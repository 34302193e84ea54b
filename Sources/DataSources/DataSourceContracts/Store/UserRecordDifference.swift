/// The rows that differ between two records of one user, compared byte for byte.
///
/// Stores write a change as this difference.
public struct UserRecordDifference: Sendable, Hashable {
    /// How the favorites change.
    public enum Favorites: Sendable, Hashable {
        /// Adds markets at the end.
        case append([String])
        /// Removes one market. The others keep their order.
        case remove(String)
        /// Replaces the whole list.
        case replace([String])
    }

    /// The new display name; the outer optional is nil if it is unchanged.
    public private(set) var displayName: String??
    /// The change of the favorites; nil if they are unchanged.
    public private(set) var favorites: Favorites?
    /// The new settings; nil if they are unchanged.
    public private(set) var settings: SettingsDTO?
    /// The holdings to insert or update, by their coin.
    public private(set) var holdings: [UserRecordDTO.Holding] = []
    /// The coins whose holdings are removed.
    public private(set) var removedAssets: [String] = []
    /// The new amount of cash, nil for none; the outer optional is nil if it is unchanged.
    public private(set) var cash: String??
    /// The alert rules to insert or replace, by their number.
    public private(set) var alertRules: [AlertRuleDTO] = []
    /// The numbers of the alert rules that are removed.
    public private(set) var removedAlertRules: [Int64] = []
    /// The new number of the newest alert seen; nil if it is unchanged.
    public private(set) var alertsSeen: Int64?

    /// Compares two records.
    ///
    /// - Precondition: settings that are present stay present.
    public init(from old: UserRecordDTO, to new: UserRecordDTO) {
        precondition(old.settings == nil || new.settings != nil, "Settings are never removed.")
        if !Self.isSame(old.displayName, new.displayName) { displayName = .some(new.displayName) }
        favorites = Favorites(from: old.favorites, to: new.favorites)
        if let row = new.settings, !row.hasSameBytes(as: old.settings) { settings = row }
        if !Self.isSame(old.cash, new.cash) { cash = .some(new.cash) }
        let before = Self.byAsset(old.holdings)
        let after = Self.byAsset(new.holdings)
        holdings = new.holdings.filter { holding in
            guard let row = before[Bytes(holding.asset)] else { return true }
            return !Self.isSame(row.quantity, holding.quantity)
                || !Self.isSame(row.averagePrice, holding.averagePrice)
        }
        removedAssets = old.holdings.map(\.asset).filter { after[Bytes($0)] == nil }
        compareAlerts(old, new)
    }

    private mutating func compareAlerts(_ old: UserRecordDTO, _ new: UserRecordDTO) {
        let before = Dictionary(old.alertRules.map { ($0.number, $0) }) { _, last in last }
        alertRules = new.alertRules.filter { rule in
            guard let row = before[rule.number] else { return true }
            return row != rule || !row.text.hasSameBytes(as: rule.text)
        }
        let kept = Set(new.alertRules.map(\.number))
        removedAlertRules = old.alertRules.map(\.number).filter { !kept.contains($0) }
        if new.alertsSeen != old.alertsSeen { alertsSeen = new.alertsSeen }
    }

    /// Whether nothing differs.
    public var isEmpty: Bool { increments == UserRecordDTO.Revisions() }

    /// 1 for each part that differs, 0 for the others.
    public var increments: UserRecordDTO.Revisions {
        var revisions = UserRecordDTO.Revisions()
        if displayName != nil { revisions.profile = 1 }
        if favorites != nil { revisions.favorites = 1 }
        if settings != nil { revisions.settings = 1 }
        if !holdings.isEmpty || !removedAssets.isEmpty { revisions.holdings = 1 }
        if cash != nil { revisions.cash = 1 }
        if !alertRules.isEmpty || !removedAlertRules.isEmpty || alertsSeen != nil {
            revisions.alerts = 1
        }
        return revisions
    }

    fileprivate static func isSame(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.hasSameBytes(as: right)
        case (nil, _), (_, nil): false
        }
    }

    private static func byAsset(
        _ holdings: [UserRecordDTO.Holding]
    ) -> [Bytes: UserRecordDTO.Holding] {
        Dictionary(holdings.map { (Bytes($0.asset), $0) }, uniquingKeysWith: { _, last in last })
    }
}

extension UserRecordDifference.Favorites {
    /// Finds the smallest edit; nil if the lists are the same.
    fileprivate init?(from old: [String], to new: [String]) {
        let before = old.map(Bytes.init)
        let after = new.map(Bytes.init)
        if before == after { return nil }
        if after.starts(with: before) {
            self = .append(Array(new.dropFirst(old.count)))
        } else if let place = Self.removedPlace(before, after) {
            self = .remove(old[place])
        } else {
            self = .replace(new)
        }
    }

    /// The index whose removal turns one list into the other; nil if there is none.
    private static func removedPlace(_ old: [Bytes], _ new: [Bytes]) -> Int? {
        guard old.count == new.count + 1 else { return nil }
        let place = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let index = place ?? new.count
        return old[(index + 1)...] == new[index...] ? index : nil
    }
}

/// A text that is compared by its bytes.
private struct Bytes: Hashable {
    let utf8: [UInt8]

    init(_ text: String) { utf8 = Array(text.utf8) }
}

extension SettingsDTO {
    fileprivate func hasSameBytes(as other: SettingsDTO?) -> Bool {
        guard let other, self == other,
            UserRecordDifference.isSame(marketLayout, other.marketLayout)
        else { return false }
        let columns: [KeyPath<SettingsDTO, String>] = [
            \.sort, \.sortDirection, \.quote, \.tab, \.changePeriod, \.interval, \.chartStyle,
            \.averages, \.theme, \.colors, \.lang,
        ]
        return columns.allSatisfy { self[keyPath: $0].hasSameBytes(as: other[keyPath: $0]) }
    }
}

extension String {
    /// Whether two texts have the same bytes.
    ///
    /// `==` also holds for two Unicode spellings of one letter, which stores keep apart.
    public func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
