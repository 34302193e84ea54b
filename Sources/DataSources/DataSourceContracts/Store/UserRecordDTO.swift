/// The stored rows of one user.
///
/// Decimals are canonical texts: no exponent, no trailing zeros. Markets are written `BTC_KRW`.
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

    /// The revision of each part of a record.
    ///
    /// A revision starts at 0 and counts the changes.
    public struct Revisions: Sendable, Hashable {
        /// The profile's revision.
        public var profile: Int64 = 0
        /// The favorites' revision.
        public var favorites: Int64 = 0
        /// The settings' revision.
        public var settings: Int64 = 0
        /// The holdings' revision.
        public var holdings: Int64 = 0
        /// The cash's revision.
        public var cash: Int64 = 0
        /// The alerts' revision.
        public var alerts: Int64 = 0

        /// Makes revisions of 0.
        public init() {}
    }

    /// The unique name that commands use.
    public var name: String
    /// The name shown on screens; nil if none is set.
    public var displayName: String?
    /// The favorite markets in the user's order.
    public var favorites: [String]
    /// The settings; nil until one is changed.
    public var settings: SettingsDTO?
    /// The holdings, alphabetical by coin.
    public var holdings: [Holding]
    /// The cash in won; nil until it is set.
    public var cash: String?
    /// The alert rules, by number.
    public var alertRules: [AlertRuleDTO]
    /// The newest 100 alerts of the log, newest first.
    ///
    /// A change of the record never changes it.
    public var alertLog: [AlertLogDTO]
    /// The number of the newest alert that the user has seen; 0 before the first.
    public var alertsSeen: Int64
    /// The revision of each part.
    public var revisions: Revisions

    /// Makes a record without content.
    public init(name: String) {
        self.name = name
        favorites = []
        holdings = []
        alertRules = []
        alertLog = []
        alertsSeen = 0
        revisions = Revisions()
    }
}

/// The row of `settings`.
///
/// Values are those of the JSON contract.
public struct SettingsDTO: Sendable, Hashable {
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
    /// `1m` … `1mo`.
    public var interval: String
    /// `candles` or `line`.
    public var chartStyle: String
    /// The windows of the moving averages, ascending: `5,10,20`.
    ///
    /// Empty for none.
    public var averages: String
    /// Order book levels shown on each side.
    public var depth: Int
    /// `auto`, `light`, `dark` or `high-contrast`.
    public var theme: String
    /// `korean` or `western`.
    public var colors: String
    /// `ko` or `en`.
    public var lang: String
    /// `chart-book` or `chart`; nil for all panes, as in rows of older versions.
    public var marketLayout: String?

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
        lang: String,
        marketLayout: String? = nil
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
        self.marketLayout = marketLayout
    }
}

/// A row to append to `journal`; the store numbers it.
public struct NewJournalDTO: Sendable, Hashable {
    /// Microseconds since 1970 UTC.
    public var at: Int64
    /// The kind of change; see ``JournalDTO/kind``.
    public var kind: String
    /// A market or a coin; nil where the kind is enough.
    public var subject: String?

    /// Makes a row.
    public init(at: Int64, kind: String, subject: String?) {
        self.at = at
        self.kind = kind
        self.subject = subject
    }
}

/// A row of `journal`.
public struct JournalDTO: Sendable, Hashable {
    /// Increases with each row of a user.
    public var number: Int64
    /// Microseconds since 1970 UTC.
    public var at: Int64
    /// `favorite.add`, `favorite.remove`, `favorite.move`, `favorite.replace`, `settings.put`,
    /// `holding.put`, `holding.remove`, `cash.put`, `cash.remove`, `profile.put`, `alert.add`,
    /// `alert.replace`, `alert.remove`, `alert.see` or `alert.fire`.
    public var kind: String
    /// A market, a coin or an alert rule; nil where the kind is enough.
    public var subject: String?

    /// Makes a row.
    public init(number: Int64, at: Int64, kind: String, subject: String?) {
        self.number = number
        self.at = at
        self.kind = kind
        self.subject = subject
    }
}
