extension UserRecord {
    /// What is kept after a change: the rule that every store follows.
    ///
    /// A part whose value becomes another gets the next revision; what changes nothing leaves
    /// everything as it is.
    ///
    /// - Throws: ``StoreFailure``: `refused` when the change breaks a rule, `conflict` when another
    ///   revision is present than expected.
    public func applying(_ change: UserChange) throws(StoreFailure) -> UserRecord {
        try change.check()
        var record = self
        switch change {
        case .addFavorite(let market):
            guard !favorites.value.contains(market) else { return self }
            guard favorites.value.count < Self.favoritesMax else {
                throw StoreFailure.tooManyFavorites
            }
            record.favorites.take(favorites.value + [market])
        case .removeFavorite(let market):
            record.favorites.take(favorites.value.filter { $0 != market })
        case .moveFavorite(let market, let place):
            guard favorites.value.contains(market) else { return self }
            var others = favorites.value.filter { $0 != market }
            others.insert(market, at: min(place, others.count))
            record.favorites.take(others)
        case .replaceFavorites(let markets, let expected):
            try favorites.expect(expected, "favourites")
            record.favorites.take(markets)
        case .changeSettings(let patch, let expected):
            try settings.expect(expected, "settings")
            record.settings.take(settings.value.patched(by: patch))
        case .putHolding(let holding): try record.put(holding)
        case .removeHolding(let asset):
            record.holdings.take(holdings.value.filter { $0.asset != asset })
        case .putCash(let cash): record.cash.take(cash)
        case .putDisplayName(let name):
            var profile = profile.value
            profile.displayName = name
            record.profile.take(profile)
        }
        return record
    }

    private mutating func put(_ holding: Holding) throws(StoreFailure) {
        var others = holdings.value.filter { $0.asset != holding.asset }
        guard others.count < Holding.holdingsMax else { throw StoreFailure.tooManyHoldings }
        let place = others.firstIndex { holding.asset < $0.asset } ?? others.count
        others.insert(holding, at: place)
        holdings.take(others)
    }
}

extension StoreFailure {
    /// Another revision of something is present than a change expected.
    public static func conflict(in part: String) -> StoreFailure {
        StoreFailure(.conflict, "\(part): changed meanwhile; read them again and repeat the change")
    }
}

extension Revised {
    /// Takes a value, as the next revision if it is another one.
    fileprivate mutating func take(_ new: Value) {
        guard new != value else { return }
        value = new
        revision += 1
    }

    fileprivate func expect(_ expected: Int64?, _ part: String) throws(StoreFailure) {
        if let expected, expected != revision { throw StoreFailure.conflict(in: part) }
    }
}
