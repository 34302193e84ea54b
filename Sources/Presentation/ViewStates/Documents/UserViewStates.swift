public import Domain

/// The document `settings`, version 1: how a user wants to see the market.
public struct SettingsViewState: DocumentState {
    /// `settings`.
    public static let schemaName = "settings"
    /// Version 1.
    public static let schemaVersion = 1

    /// `popularity`, `name`, `price`, `changeRate` or `tradeValue`.
    public var sort: String
    /// `asc` or `desc`.
    public var sortDirection: String
    /// `KRW` or `BTC`.
    public var quote: String
    /// `markets`, `popular` or `favorites`.
    public var tab: String
    /// Whether the favourites stand as a block above the list.
    public var pinFavorites: Bool
    /// `24H`, `MID`, `12H`, `1H` or `30M`.
    public var changePeriod: String
    /// `1m`, … `1mo`.
    public var interval: String
    /// `candles` or `line`.
    public var chartStyle: String
    /// The windows of the averages in the chart, ascending.
    public var averages: [Int]
    /// How many levels of the book are shown a side.
    public var depth: Int
    /// `auto`, `light`, `dark` or `high-contrast`.
    public var theme: String
    /// `korean` or `western`.
    public var colors: String
    /// `ko` or `en`.
    public var lang: String

    /// What the settings are in the words of documents.
    public init(_ settings: UserSettings) {
        sort = settings.sort.rawValue
        sortDirection = settings.sortDirection.rawValue
        quote = settings.quote.rawValue
        tab = settings.tab.rawValue
        pinFavorites = settings.pinFavorites
        changePeriod = settings.changePeriod.rawValue
        interval = settings.interval.rawValue
        chartStyle = settings.chartStyle.rawValue
        averages = settings.averages
        depth = settings.depth
        theme = settings.theme.rawValue
        colors = settings.colors.rawValue
        lang = settings.language.rawValue
    }
}

/// The document `favorites`, version 1: the favourites in the user's order.
public struct FavoritesViewState: DocumentState {
    /// `favorites`.
    public static let schemaName = "favorites"
    /// Version 1.
    public static let schemaVersion = 1

    /// One favourite.
    public struct Row: Sendable, Equatable, Decodable {
        /// `BTC_KRW`.
        public var market: String
        /// The place, from 1.
        public var position: Int

        /// Makes a favourite.
        public init(market: String, position: Int) {
            self.market = market
            self.position = position
        }
    }

    /// The favourites, in order; nil where they were not read.
    public var rows: [Row]?

    /// The favourites of a user; nil where they were not read.
    public init(_ favorites: [MarketID]?) {
        rows = favorites.map { zip($0, 1...).map { Row(market: $0.name, position: $1) } }
    }
}

/// The document `holdings`, version 1: how much of which coin a user holds.
public struct HoldingsViewState: DocumentState {
    /// `holdings`.
    public static let schemaName = "holdings"
    /// Version 1.
    public static let schemaVersion = 1

    /// One coin.
    public struct Row: Sendable, Equatable, Decodable {
        /// `BTC`.
        public var asset: String
        /// How much is held.
        public var quantity: FixedDecimal
        /// 매수평균가: the average price paid, in won; nil if the user does not know it.
        public var averagePrice: FixedDecimal?

        /// Makes a holding.
        public init(asset: String, quantity: FixedDecimal, averagePrice: FixedDecimal?) {
            self.asset = asset
            self.quantity = quantity
            self.averagePrice = averagePrice
        }
    }

    /// The coins, alphabetical; nil where they were not read.
    public var rows: [Row]?

    /// The holdings of a user; nil where they were not read.
    public init(_ holdings: [Holding]?) {
        rows = holdings?.map {
            Row(asset: $0.asset.symbol, quantity: $0.quantity, averagePrice: $0.averagePrice)
        }
    }
}

/// The document `cash`, version 1: how much cash a user has.
public struct CashViewState: DocumentState {
    /// `cash`.
    public static let schemaName = "cash"
    /// Version 1.
    public static let schemaVersion = 1

    /// The amount in won; nil until the user said how much it is.
    public var amount: FixedDecimal?

    /// The cash of a user.
    public init(_ amount: FixedDecimal?) { self.amount = amount }
}

/// The document `me`, version 1: who a user is.
public struct ProfileViewState: DocumentState {
    /// `me`.
    public static let schemaName = "me"
    /// Version 1.
    public static let schemaVersion = 1

    /// What somebody may do with what is kept for the user.
    public enum Scope: String, Sendable, Equatable, Decodable, CaseIterable {
        /// Read it.
        case read
        /// Change it.
        case write
    }

    /// The name that commands use.
    public var name: String
    /// The name that screens show; nil without one.
    public var displayName: String?
    /// What whoever asked may do.
    public var scopes: [Scope]

    /// A user, and what whoever asks may do.
    public init(_ profile: UserProfile, scopes: [Scope]) {
        name = profile.name
        displayName = profile.displayName
        self.scopes = scopes
    }
}
