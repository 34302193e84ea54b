/// The stored data of one user as of one reading.
public struct UserRecord: Sendable, Hashable {
    /// The most favorites of a user.
    ///
    /// One more is refused.
    public static let favoritesMax = 1_000

    /// The user's names.
    public var profile: Revised<UserProfile>
    /// 관심: the favorites in the user's order, each once.
    public var favorites: Revised<[MarketID]>
    /// The user's preferences.
    public var settings: Revised<UserSettings>
    /// 보유자산: the holdings, sorted by coin.
    public var holdings: Revised<[Holding]>
    /// The cash in won; nil until the user sets it.
    public var cash: Revised<FixedDecimal?>
    /// 알림: the alert rules and the newest alerts.
    public var alerts: Revised<UserAlerts>

    /// Makes the record of a new user.
    public init(name: String) {
        profile = Revised(UserProfile(name: name, displayName: nil), revision: 0)
        favorites = Revised([], revision: 0)
        settings = Revised(UserSettings(), revision: 0)
        holdings = Revised([], revision: 0)
        cash = Revised(nil, revision: 0)
        alerts = Revised(UserAlerts(), revision: 0)
    }

    /// The estimated bytes of the parts that grow: names, favorites, holdings and alerts.
    public var contentBytes: Int {
        favorites.value.reduce(0) { $0 + MemoryLayout<MarketID>.stride + $1.symbol.heapBytes }
            + holdings.value.reduce(0) {
                $0 + MemoryLayout<Holding>.stride + $1.asset.symbol.heapBytes
            }
            + alerts.value.rules.reduce(0) {
                $0 + MemoryLayout<UserAlertRule>.stride + ($1.rule.note?.heapBytes ?? 0)
            }
            + alerts.value.log.reduce(0) {
                $0 + MemoryLayout<LoggedAlert>.stride + ($1.rule.note?.heapBytes ?? 0)
            }
            + profile.value.name.heapBytes + (profile.value.displayName?.heapBytes ?? 0)
    }
}

extension String {
    /// The estimated bytes beside the value itself, which holds up to 15 bytes.
    fileprivate var heapBytes: Int { utf8.count > 15 ? utf8.count + 48 : 0 }
}

/// A row of the journal of a user's changes.
public struct JournalEntry: Sendable, Hashable {
    /// Increases with each row of a user.
    public var number: Int64
    /// The time of the change.
    public var at: Timestamp
    /// The kind of change, such as `favorite.add` and `holding.put`.
    public var kind: String
    /// The market or the coin; nil where the kind is enough.
    public var subject: String?

    /// Makes an entry.
    public init(number: Int64, at: Timestamp, kind: String, subject: String?) {
        self.number = number
        self.at = at
        self.kind = kind
        self.subject = subject
    }
}

extension UserRecord {
    /// The record after a change: the one rule about changes, which stores run inside their
    /// transaction.
    ///
    /// A part that changes gets the next revision. A change without effect returns the same record.
    ///
    /// - Throws: ``StoreFailure``: `refused` when the change breaks a rule, `conflict` when the
    ///   current revision is not the expected one.
    public func applying(_ change: UserChange) throws(StoreFailure) -> UserRecord {
        try change.validate()
        var record = self
        switch change {
        case .addFavorite(let market):
            guard !favorites.value.contains(market) else { return self }
            guard favorites.value.count < Self.favoritesMax else {
                throw StoreFailure.tooManyFavorites
            }
            record.favorites.set(favorites.value + [market])
        case .removeFavorite(let market):
            record.favorites.set(favorites.value.filter { $0 != market })
        case .moveFavorite(let market, let place):
            guard favorites.value.contains(market) else { return self }
            var others = favorites.value.filter { $0 != market }
            others.insert(market, at: min(place, others.count))
            record.favorites.set(others)
        case .replaceFavorites(let markets, let expected):
            try favorites.expect(expected, "favorites")
            record.favorites.set(markets)
        case .changeSettings(let patch, let expected):
            try settings.expect(expected, "settings")
            record.settings.set(settings.value.patched(by: patch))
        case .putHolding(let holding): try record.put(holding)
        case .removeHolding(let asset):
            record.holdings.set(holdings.value.filter { $0.asset != asset })
        case .putCash(let cash): record.cash.set(cash)
        case .putDisplayName(let name):
            var profile = profile.value
            profile.displayName = name
            record.profile.set(profile)
        case .addAlert(let rule, let now): record.alerts.set(try alerts.adding(rule, at: now))
        case .replaceAlert(let number, let rule, let now, let expected):
            try alerts.expect(expected, "alerts")
            record.alerts.set(try alerts.replacing(number, by: rule, at: now))
        case .removeAlert(let number, let expected):
            try alerts.expect(expected, "alerts")
            record.alerts.set(alerts.removing(number))
        case .markAlertsSeen(let number): record.alerts.set(alerts.seen(through: number))
        }
        return record
    }

    private mutating func put(_ holding: Holding) throws(StoreFailure) {
        var others = holdings.value.filter { $0.asset != holding.asset }
        guard others.count < Holding.holdingsMax else { throw StoreFailure.tooManyHoldings }
        let place = others.firstIndex { holding.asset < $0.asset } ?? others.count
        others.insert(holding, at: place)
        holdings.set(others)
    }
}

extension StoreFailure {
    /// The current revision of a part differs from the expected one.
    public static func conflict(in part: String) -> StoreFailure {
        StoreFailure(.conflict, "\(part): changed meanwhile. Read it again and repeat the change")
    }
}

extension Revised {
    /// Sets the value and increments the revision if the value differs.
    fileprivate mutating func set(_ new: Value) {
        guard new != value else { return }
        value = new
        revision += 1
    }

    fileprivate func expect(_ expected: Int64?, _ part: String) throws(StoreFailure) {
        if let expected, expected != revision { throw StoreFailure.conflict(in: part) }
    }
}
