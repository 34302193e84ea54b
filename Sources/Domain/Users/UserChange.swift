/// A change of a user's record.
public enum UserChange: Sendable, Hashable {
    /// Adds a market at the end of the favorites; a market that is there stays in place.
    case addFavorite(MarketID)
    /// Removes a market from the favorites if it is there.
    case removeFavorite(MarketID)
    /// Moves a favorite to an index from 0; beyond the end means the end.
    case moveFavorite(MarketID, to: Int)
    /// Replaces the favorites; with a revision, only if it is the current one.
    case replaceFavorites([MarketID], expecting: Int64?)
    /// Changes settings; with a revision, only if it is the current one.
    case changeSettings(SettingsPatch, expecting: Int64?)
    /// Inserts or replaces the holding of a coin.
    case putHolding(Holding)
    /// Removes the holding of a coin if it is there.
    case removeHolding(Asset)
    /// Sets the cash in won, zero or more; nil removes it.
    case putCash(FixedDecimal?)
    /// Sets the name shown on screens; nil removes it.
    case putDisplayName(String?)
    /// Adds an alert rule, made at an exchange time.
    case addAlert(AlertRule, at: Timestamp)
    /// Replaces an alert rule, which has not fired then; with a revision, only if it is the current
    /// one.
    case replaceAlert(Int64, by: AlertRule, at: Timestamp, expecting: Int64?)
    /// Removes an alert rule if it is there; with a revision, only if it is the current one.
    case removeAlert(Int64, expecting: Int64?)
    /// Marks the alerts of the log up to a number as seen.
    case markAlertsSeen(through: Int64)
}

extension UserChange {
    /// The kind of change that the journal names; see ``JournalEntry/kind``.
    public var kind: String {
        switch self {
        case .addFavorite: "favorite.add"
        case .removeFavorite: "favorite.remove"
        case .moveFavorite: "favorite.move"
        case .replaceFavorites: "favorite.replace"
        case .changeSettings: "settings.put"
        case .putHolding: "holding.put"
        case .removeHolding: "holding.remove"
        case .putCash(nil): "cash.remove"
        case .putCash: "cash.put"
        case .putDisplayName: "profile.put"
        case .addAlert: "alert.add"
        case .replaceAlert: "alert.replace"
        case .removeAlert: "alert.remove"
        case .markAlertsSeen: "alert.see"
        }
    }

    /// The market, the coin or the number of the alert rule that the change is about; nil where the
    /// kind is enough.
    public var subject: String? {
        switch self {
        case .addFavorite(let market), .removeFavorite(let market), .moveFavorite(let market, _):
            market.name
        case .putHolding(let holding): holding.asset.symbol
        case .removeHolding(let asset): asset.symbol
        case .replaceAlert(let number, _, _, _), .removeAlert(let number, _): "\(number)"
        case .addAlert(let rule, _): rule.scope.text
        case .replaceFavorites, .changeSettings, .putCash, .putDisplayName, .markAlertsSeen: nil
        }
    }
}

extension UserChange {
    /// The alert rule that the change adds or changes; nil for any other change.
    public var alertRule: AlertRule? {
        switch self {
        case .addAlert(let rule, _), .replaceAlert(_, let rule, _, _): rule
        case .addFavorite, .removeFavorite, .moveFavorite, .replaceFavorites, .changeSettings,
            .putHolding, .removeHolding, .putCash, .putDisplayName, .removeAlert, .markAlertsSeen:
            nil
        }
    }

    /// Checks the rules that do not depend on the record.
    ///
    /// - Throws: ``StoreFailure`` `refused` with the rule and the remedy.
    public func validate() throws(StoreFailure) {
        switch self {
        case .addFavorite, .removeFavorite, .removeHolding, .removeAlert, .markAlertsSeen: return
        // The limits of a rule depend on its time and on the record.
        case .addAlert, .replaceAlert: return
        case .moveFavorite(_, let place):
            try require(place >= 0, "favorites: the index must be 0 or more")
        case .replaceFavorites(let markets, _):
            try require(
                markets.count <= UserRecord.favoritesMax,
                StoreFailure.tooManyFavorites.detail
            )
            try require(
                Set(markets).count == markets.count,
                "favorites: a market is listed twice. List each market once"
            )
        case .changeSettings(let patch, _): try patch.validate()
        case .putHolding(let holding): try holding.validate()
        case .putCash(let cash):
            guard let cash else { return }
            try require(
                cash.sign >= 0 && cash <= UserInput.cashMax,
                "cash: the amount must be from 0 to \(UserInput.cashMax) won"
            )
        case .putDisplayName(let name): try Self.validate(displayName: name)
        }
    }

    private static func validate(displayName: String?) throws(StoreFailure) {
        guard let displayName else { return }
        let parsed: String?
        do throws(InputError) {
            parsed = try UserInput.displayName(displayName)
        } catch {
            throw StoreFailure(.refused, "name: \(error.detail)")
        }
        try require(
            parsed == displayName,
            "name: remove the spaces around the name"
        )
    }
}

extension StoreFailure {
    /// There are ``UserRecord/favoritesMax`` favorites already.
    static let tooManyFavorites = StoreFailure(
        .refused,
        "favorites: the limit is \(UserRecord.favoritesMax). Remove one first"
    )

    /// There are ``Holding/holdingsMax`` holdings already.
    static let tooManyHoldings = StoreFailure(
        .refused,
        "holdings: the limit is \(Holding.holdingsMax). Remove one first"
    )
}

extension Holding {
    fileprivate func validate() throws(StoreFailure) {
        try require(
            quantity.sign > 0 && quantity <= UserInput.quantityMax,
            "holdings: the quantity must be above 0 and at most \(UserInput.quantityMax)"
        )
        guard let averagePrice else { return }
        try require(
            averagePrice.sign >= 0 && averagePrice <= UserInput.priceMax,
            "holdings: the average price must be from 0 to \(UserInput.priceMax) won"
        )
        try require(
            (try? quantity.multiplied(by: averagePrice, rounding: .halfEven)) != nil,
            "holdings: quantity times average price is too large. Check both numbers"
        )
    }
}

extension SettingsPatch {
    fileprivate func validate() throws(StoreFailure) {
        if let depth {
            let range = UserSettings.depthRange
            try require(
                range.contains(depth),
                "settings: the depth must be from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        guard let averages else { return }
        let windows = CandleSeries.averageWindows
        try require(
            averages == windows.filter(averages.contains),
            "settings: the averages must be a subset of \(windows), ascending"
        )
    }
}

private func require(_ isMet: Bool, _ rule: String) throws(StoreFailure) {
    if !isMet { throw StoreFailure(.refused, rule) }
}
