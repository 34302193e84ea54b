public import Domain

/// The document `settings`, version 1: a user's display settings.
public struct SettingsViewState: DocumentState {
    /// `settings`.
    public static let schemaName = "settings"

    /// `popularity`, `name`, `price`, `changeRate` or `tradeValue`.
    public var sort: String
    /// `asc` or `desc`.
    public var sortDirection: String
    /// `KRW` or `BTC`.
    public var quote: String
    /// `markets`, `popular` or `favorites`.
    public var tab: String
    /// Whether favorites are pinned above the list.
    public var pinFavorites: Bool
    /// `24H`, `MID`, `12H`, `1H` or `30M`.
    public var changePeriod: String
    /// `1m`, … `1mo`.
    public var interval: String
    /// `candles` or `line`.
    public var chartStyle: String
    /// The windows of the chart's moving averages, ascending.
    public var averages: [Int]
    /// Order book levels per side.
    public var depth: Int
    /// `auto`, `light`, `dark` or `high-contrast`.
    public var theme: String
    /// `korean` or `western`.
    public var colors: String
    /// `ko` or `en`.
    public var lang: String
    /// `chart-book` or `chart`; nil, and absent, for all panes of a market.
    public var marketLayout: String?

    /// Presents settings in the words of documents.
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
        marketLayout = settings.marketLayout.recordedName
    }

    /// A few hundred bytes.
    public var estimatedJSONSize: Int { 512 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("SettingsState", "A user's display settings.")
        fields.add("sort", \.sort, .values(of: MarketSortKey.self))
        fields.add("sortDirection", \.sortDirection, .values(of: SortDirection.self))
        fields.add("quote", \.quote, .values(of: Quote.self))
        fields.add("tab", \.tab, .values(of: UserSettings.Tab.self))
        fields.add("pinFavorites", \.pinFavorites)
        fields.add("changePeriod", \.changePeriod, .values(of: ChangePeriod.self))
        fields.add("interval", \.interval, .values(of: CandleInterval.self))
        fields.add("chartStyle", \.chartStyle, .values(of: UserSettings.ChartStyle.self))
        fields.add("averages", \.averages, .list(.values(CandleSeries.averageWindows)))
        fields.add("depth", \.depth, .integer(in: UserSettings.depthRange))
        fields.add("theme", \.theme, .values(of: UserSettings.Theme.self))
        fields.add("colors", \.colors, .values(of: UserSettings.Colors.self))
        fields.add("lang", \.lang, .values(of: Language.self))
        fields.optional(
            "marketLayout",
            \.marketLayout,
            .values(of: UserSettings.MarketLayout.self),
            note: "The visible panes of a market in the terminal. Documents leave out `all`."
        )
    }
}

/// The document `favorites`, version 1: favorites in the user's order.
public struct FavoritesViewState: DocumentState {
    /// `favorites`.
    public static let schemaName = "favorites"

    /// One favorite.
    public struct Row: DocumentObject {
        /// `BTC_KRW`.
        public var market: String
        /// The place, from 1.
        public var position: Int

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("One favorite; places count from 1.")
            fields.add("market", \.market, .market)
            fields.add("position", \.position, .integer(from: 1))
        }
    }

    /// The favorites in order; nil if not loaded.
    public var rows: [Row]?

    /// Presents favorites; nil if not loaded.
    public init(_ favorites: [MarketID]?) {
        rows = favorites.map { zip($0, 1...).map { Row(market: $0.name, position: $1) } }
    }

    /// About 45 bytes a row.
    public var estimatedJSONSize: Int { 32 + (rows?.count ?? 0) * 45 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "FavoritesState",
            "Favorites in the user's order; null if not loaded."
        )
        fields.add("rows", \.rows)
    }
}

/// The document `holdings`, version 1: a user's coins.
public struct HoldingsViewState: DocumentState {
    /// `holdings`.
    public static let schemaName = "holdings"

    /// One coin.
    public struct Row: DocumentObject {
        /// `BTC`.
        public var asset: String
        /// The quantity held.
        public var quantity: FixedDecimal
        /// 매수평균가: the average price paid, in won; nil if the user does not know it.
        public var averagePrice: FixedDecimal?

        /// The members.
        public static func listFields(_ fields: inout some FieldList<Self>) {
            fields.object("One coin.")
            fields.add("asset", \.asset, .asset)
            fields.add("quantity", \.quantity)
            fields.add("averagePrice", \.averagePrice)
        }
    }

    /// The coins, alphabetical; nil if not loaded.
    public var rows: [Row]?

    /// Presents holdings; nil if not loaded.
    public init(_ holdings: [Holding]?) {
        rows = holdings?.map {
            Row(asset: $0.asset.symbol, quantity: $0.quantity, averagePrice: $0.averagePrice)
        }
    }

    /// About 80 bytes a row.
    public var estimatedJSONSize: Int { 32 + (rows?.count ?? 0) * 80 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "HoldingsState",
            "A user's coins; null if not loaded."
        )
        fields.add("rows", \.rows)
    }
}

/// The document `cash`, version 1: a user's cash.
public struct CashViewState: DocumentState {
    /// `cash`.
    public static let schemaName = "cash"

    /// The amount in won; nil until the user enters one.
    public var amount: FixedDecimal?

    /// Presents cash.
    public init(_ amount: FixedDecimal?) { self.amount = amount }

    /// A few dozen bytes.
    public var estimatedJSONSize: Int { 64 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("CashState", "A user's cash in won; null until the user enters an amount.")
        fields.add("amount", \.amount)
    }
}

/// The document `me`, version 1: the user of a token.
public struct ProfileViewState: DocumentState {
    /// `me`.
    public static let schemaName = "me"

    /// A permission of a token.
    public enum Scope: String, DocumentValue, CaseIterable {
        /// Read the user's data.
        case read
        /// Change the user's data.
        case write
    }

    /// The user name.
    public var name: String
    /// The display name; nil without one.
    public var displayName: String?
    /// The permissions of the token in use.
    public var scopes: [Scope]

    /// Presents a user and the permissions of the token.
    public init(_ profile: UserProfile, scopes: [Scope]) {
        name = profile.name
        displayName = profile.displayName
        self.scopes = scopes
    }

    /// A name of maximum length takes about 400 bytes.
    public var estimatedJSONSize: Int { 512 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("ProfileState", "A user, and the permissions of the token.")
        fields.add("name", \.name)
        fields.add("displayName", \.displayName)
        fields.add("scopes", \.scopes)
    }
}
