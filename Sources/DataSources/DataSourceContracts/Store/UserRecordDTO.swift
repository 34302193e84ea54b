/// Everything that a store keeps of one user, as its rows have it.
///
/// Decimals are canonical texts (no exponent, no trailing zeros), markets `BTC_KRW`.
public struct UserRecordDTO: Sendable, Hashable {
    /// A row of `holdings`.
    public struct Holding: Sendable, Hashable {
        /// The coin's code.
        public var asset: String
        /// The quantity.
        public var quantity: String
        /// The average price in won, if known.
        public var averagePrice: String?

        /// Makes a row.
        public init(asset: String, quantity: String, averagePrice: String?) {
            self.asset = asset
            self.quantity = quantity
            self.averagePrice = averagePrice
        }
    }

    /// How far the parts of a record have changed: each counts its changes, from 0.
    public struct Revisions: Sendable, Hashable {
        /// Of the profile.
        public var profile: Int64 = 0
        /// Of the favourites.
        public var favorites: Int64 = 0
        /// Of the settings.
        public var settings: Int64 = 0
        /// Of the holdings.
        public var holdings: Int64 = 0
        /// Of the cash.
        public var cash: Int64 = 0

        /// Nothing has changed yet.
        public init() {}
    }

    /// The name that commands use.
    public var name: String
    /// The name that screens show.
    public var displayName: String?
    /// The favourites in order.
    public var favorites: [String]
    /// The settings; nil while none was ever changed.
    public var settings: SettingsDTO?
    /// The holdings, alphabetical by coin.
    public var holdings: [Holding]
    /// The cash in won.
    public var cash: String?
    /// How far each part has changed.
    public var revisions: Revisions

    /// Makes a record without content.
    public init(name: String) {
        self.name = name
        favorites = []
        holdings = []
        revisions = Revisions()
    }
}

/// The row of `settings`, every column in the words of the JSON contract.
public struct SettingsDTO: Sendable, Hashable {
    /// `popularity`, `name`, `price`, `changeRate` or `tradeValue`.
    public var sort: String
    /// `asc` or `desc`.
    public var sortDirection: String
    /// `KRW` or `BTC`.
    public var quote: String
    /// `markets`, `popular` or `favorites`.
    public var tab: String
    /// Whether the favourites are pinned.
    public var pinFavorites: Bool
    /// `24H`, `MID`, `12H`, `1H` or `30M`.
    public var changePeriod: String
    /// `1m` … `1mo`.
    public var interval: String
    /// `candles` or `line`.
    public var chartStyle: String
    /// The windows of the averages, ascending, with commas between: `5,10,20`; empty without any.
    public var averages: String
    /// Levels of the book a side.
    public var depth: Int
    /// `auto`, `light`, `dark` or `high-contrast`.
    public var theme: String
    /// `korean` or `western`.
    public var colors: String
    /// `ko` or `en`.
    public var lang: String

    /// Makes a row.
    public init(
        sort: String,
        sortDirection: String,
        quote: String,
        tab: String,
        pinFavorites: Bool,
        changePeriod: String,
        interval: String,
        chartStyle: String,
        averages: String,
        depth: Int,
        theme: String,
        colors: String,
        lang: String
    ) {
        self.sort = sort
        self.sortDirection = sortDirection
        self.quote = quote
        self.tab = tab
        self.pinFavorites = pinFavorites
        self.changePeriod = changePeriod
        self.interval = interval
        self.chartStyle = chartStyle
        self.averages = averages
        self.depth = depth
        self.theme = theme
        self.colors = colors
        self.lang = lang
    }
}

/// A change of what a store keeps of one user.
public enum UserWriteDTO: Sendable, Hashable {
    /// Adds a market at the end of the favourites unless it is there; `limit` bounds their number.
    case addFavorite(String, limit: Int)
    /// Removes a market from the favourites, if it is there.
    case removeFavorite(String)
    /// Moves a favourite to a place from 0; beyond the end means the end. Nothing if it is none.
    case moveFavorite(String, to: Int)
    /// Replaces the favourites; the texts are distinct.
    case replaceFavorites([String], expecting: Int64?)
    /// Replaces the settings.
    case putSettings(SettingsDTO, expecting: Int64?)
    /// Sets what is held of a coin; `limit` bounds the number of holdings.
    case putHolding(UserRecordDTO.Holding, limit: Int)
    /// Removes a coin from the holdings, if it is there.
    case removeHolding(String)
    /// Sets the cash in won.
    case putCash(String)
    /// Sets the name that screens show.
    case putDisplayName(String?)
}

/// A row of `journal`.
public struct JournalDTO: Sendable, Hashable {
    /// Grows with each row.
    public var number: Int64
    /// Microseconds since 1970 UTC.
    public var at: Int64
    /// `favorite.add`, `favorite.remove`, `favorite.move`, `favorite.replace`, `settings.put`,
    /// `holding.put`, `holding.remove`, `cash.put` or `profile.put`.
    public var kind: String
    /// A market or a coin; nil where the kind says it all.
    public var subject: String?

    /// Makes a row.
    public init(number: Int64, at: Int64, kind: String, subject: String?) {
        self.number = number
        self.at = at
        self.kind = kind
        self.subject = subject
    }
}
