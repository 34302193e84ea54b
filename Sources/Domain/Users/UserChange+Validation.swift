extension UserChange {
    /// Looks whether the change keeps the rules that do not depend on what is kept.
    ///
    /// - Throws: ``StoreFailure`` `refused`, with the rule and the remedy.
    public func check() throws(StoreFailure) {
        switch self {
        case .addFavorite, .removeFavorite, .removeHolding: return
        case .moveFavorite(_, let place):
            try require(place >= 0, "favourites: places are counted from 0")
        case .replaceFavorites(let markets, _):
            try require(
                markets.count <= UserRecord.favoritesMax,
                StoreFailure.tooManyFavorites.detail
            )
            try require(
                Set(markets).count == markets.count,
                "favourites: a market stands there twice; name each once"
            )
        case .changeSettings(let patch, _): try patch.check()
        case .putHolding(let holding): try holding.check()
        case .putCash(let cash):
            try require(
                cash.sign >= 0 && cash <= UserInput.cashMax,
                "cash: an amount from 0 to \(UserInput.cashMax) won is taken"
            )
        case .putDisplayName(let name): try Self.check(displayName: name)
        }
    }

    private static func check(displayName: String?) throws(StoreFailure) {
        guard let displayName else { return }
        let taken: String?
        do throws(InputError) {
            taken = try UserInput.displayName(displayName)
        } catch {
            throw StoreFailure(.refused, "name: \(error.detail)")
        }
        try require(
            taken == displayName,
            "name: a name without spaces around it is taken, or none at all"
        )
    }
}

extension StoreFailure {
    /// One favourite more than may be.
    static let tooManyFavorites = StoreFailure(
        .refused,
        "favourites: at most \(UserRecord.favoritesMax) are kept; remove some first"
    )

    /// One holding more than may be.
    static let tooManyHoldings = StoreFailure(
        .refused,
        "holdings: at most \(Holding.holdingsMax) are kept; remove some first"
    )
}

extension Holding {
    fileprivate func check() throws(StoreFailure) {
        try require(
            quantity.sign > 0 && quantity <= UserInput.quantityMax,
            "holdings: a quantity above 0 and up to \(UserInput.quantityMax) is taken"
        )
        guard let averagePrice else { return }
        try require(
            averagePrice.sign >= 0 && averagePrice <= UserInput.priceMax,
            "holdings: an average price from 0 to \(UserInput.priceMax) won is taken"
        )
        try require(
            (try? quantity.multiplied(by: averagePrice, rounding: .halfEven)) != nil,
            "holdings: quantity times average price is beyond all amounts; one of them is wrong"
        )
    }
}

extension SettingsPatch {
    fileprivate func check() throws(StoreFailure) {
        if let depth {
            let range = UserSettings.depthRange
            try require(
                range.contains(depth),
                "settings: depth is from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        guard let averages else { return }
        let windows = CandleSeries.averageWindows
        try require(
            averages == windows.filter(averages.contains),
            "settings: averages are some of \(windows), ascending, each once"
        )
    }
}

private func require(_ isKept: Bool, _ rule: String) throws(StoreFailure) {
    if !isKept { throw StoreFailure(.refused, rule) }
}
