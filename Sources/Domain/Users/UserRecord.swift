/// Everything that is kept for one user, as one reading of the store tells it.
public struct UserRecord: Sendable, Hashable {
    /// How many favourites a user may have; one more is refused.
    public static let favoritesMax = 1_000

    /// How the user is called.
    public var profile: Revised<UserProfile>
    /// 관심: the favourites in the user's order, each once.
    public var favorites: Revised<[MarketID]>
    /// How the user wants to see the market.
    public var settings: Revised<UserSettings>
    /// 보유자산: the holdings, alphabetical by coin.
    public var holdings: Revised<[Holding]>
    /// The cash in won; nil until the user said how much it is.
    public var cash: Revised<FixedDecimal?>

    /// What a user has for whom nothing was kept yet.
    public init(name: String) {
        profile = Revised(UserProfile(name: name, displayName: nil), revision: 0)
        favorites = Revised([], revision: 0)
        settings = Revised(UserSettings(), revision: 0)
        holdings = Revised([], revision: 0)
        cash = Revised(nil, revision: 0)
    }
}

/// A change that a user makes to what is kept.
public enum UserChange: Sendable, Hashable {
    /// Puts a market behind the other favourites; one that is there stays where it is.
    case addFavorite(MarketID)
    /// Takes a market from the favourites, if it is one.
    case removeFavorite(MarketID)
    /// Moves a favourite to a place, counted from 0; places beyond the end mean the end.
    case moveFavorite(MarketID, to: Int)
    /// Replaces the favourites; with a revision, only if that is still the present one.
    case replaceFavorites([MarketID], expecting: Int64?)
    /// Changes settings; with a revision, only if that is still the present one.
    case changeSettings(SettingsPatch, expecting: Int64?)
    /// Sets what is held of a coin.
    case putHolding(Holding)
    /// Removes a coin from the holdings, if it is there.
    case removeHolding(Asset)
    /// Sets the cash in won; zero or more.
    case putCash(FixedDecimal)
    /// Sets the name that screens show; nil takes it away.
    case putDisplayName(String?)
}

/// A change that a user made, as the journal keeps it.
public struct JournalEntry: Sendable, Hashable {
    /// Grows with each entry of a store.
    public var number: Int64
    /// When the change was made.
    public var at: Timestamp
    /// What kind of change: `favorite.add`, `holding.put`, ….
    public var kind: String
    /// What was changed: a market, a coin; nil where the kind says it all.
    public var subject: String?

    /// Makes an entry.
    public init(number: Int64, at: Timestamp, kind: String, subject: String?) {
        self.number = number
        self.at = at
        self.kind = kind
        self.subject = subject
    }
}
