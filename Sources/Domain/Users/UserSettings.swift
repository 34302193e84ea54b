/// How a user wants to see the market; kept over restarts.
public struct UserSettings: Sendable, Hashable {
    /// The lists.
    public enum Tab: String, Sendable, Hashable, CaseIterable {
        /// The markets of a quote currency.
        case markets
        /// All markets by turnover.
        case popular
        /// 관심: the user's favourites.
        case favorites
    }

    /// How a chart draws its candles.
    public enum ChartStyle: String, Sendable, Hashable, CaseIterable {
        /// As candles.
        case candles
        /// As a line of last prices.
        case line
    }

    /// The colours of the screen.
    public enum Theme: String, Sendable, Hashable, CaseIterable {
        /// As the terminal's background is.
        case auto
        /// For a light background.
        case light
        /// For a dark background.
        case dark
        /// Strong contrasts.
        case highContrast = "high-contrast"
    }

    /// Which colours mean up and down.
    public enum Colors: String, Sendable, Hashable, CaseIterable {
        /// Red is up and blue is down, as in Korea.
        case korean
        /// Green is up and red is down.
        case western
    }

    /// The numbers of levels a side that may be chosen.
    public static let depthRange = 1...30

    /// What lists are sorted by.
    public var sort = MarketSortKey.popularity
    /// Which way.
    public var sortDirection = SortDirection.descending
    /// The quote currency of the open list.
    public var quote = Quote.krw
    /// The open list.
    public var tab = Tab.markets
    /// Whether the favourites stand as a block above the list.
    public var pinFavorites = true
    /// The period of every change.
    public var changePeriod = ChangePeriod.hours24
    /// The interval of the chart.
    public var interval = CandleInterval.day1
    /// How the chart is drawn.
    public var chartStyle = ChartStyle.candles
    /// The windows of the averages in the chart, ascending; some of
    /// ``CandleSeries/averageWindows``.
    public var averages = CandleSeries.averageWindows
    /// How many levels of the book are shown a side.
    public var depth = 15
    /// The colours of the screen.
    public var theme = Theme.auto
    /// Which colours mean up and down.
    public var colors = Colors.korean
    /// The language of texts for people.
    public var language = Language.korean

    /// What a user has who never chose.
    public init() {}
}

/// Some settings that are to change; nil stays as it is.
public struct SettingsPatch: Sendable, Hashable {
    /// What lists are sorted by.
    public var sort: MarketSortKey?
    /// Which way.
    public var sortDirection: SortDirection?
    /// The quote currency of the open list.
    public var quote: Quote?
    /// The open list.
    public var tab: UserSettings.Tab?
    /// Whether the favourites stand as a block above the list.
    public var pinFavorites: Bool?
    /// The period of every change.
    public var changePeriod: ChangePeriod?
    /// The interval of the chart.
    public var interval: CandleInterval?
    /// How the chart is drawn.
    public var chartStyle: UserSettings.ChartStyle?
    /// The windows of the averages.
    public var averages: [Int]?
    /// How many levels of the book are shown a side.
    public var depth: Int?
    /// The colours of the screen.
    public var theme: UserSettings.Theme?
    /// Which colours mean up and down.
    public var colors: UserSettings.Colors?
    /// The language.
    public var language: Language?

    /// Nothing is to change.
    public init() {}

    /// What is to change so that `old` becomes `new`.
    public init(from old: UserSettings, to new: UserSettings) {
        func changed<Value: Equatable>(_ path: KeyPath<UserSettings, Value>) -> Value? {
            old[keyPath: path] == new[keyPath: path] ? nil : new[keyPath: path]
        }
        sort = changed(\.sort)
        sortDirection = changed(\.sortDirection)
        quote = changed(\.quote)
        tab = changed(\.tab)
        pinFavorites = changed(\.pinFavorites)
        changePeriod = changed(\.changePeriod)
        interval = changed(\.interval)
        chartStyle = changed(\.chartStyle)
        averages = changed(\.averages)
        depth = changed(\.depth)
        theme = changed(\.theme)
        colors = changed(\.colors)
        language = changed(\.language)
    }

    /// Whether nothing is to change.
    public var isEmpty: Bool { self == SettingsPatch() }
}

extension UserSettings {
    /// The settings after a change.
    public func patched(by patch: SettingsPatch) -> UserSettings {
        var settings = self
        settings.sort = patch.sort ?? sort
        settings.sortDirection = patch.sortDirection ?? sortDirection
        settings.quote = patch.quote ?? quote
        settings.tab = patch.tab ?? tab
        settings.pinFavorites = patch.pinFavorites ?? pinFavorites
        settings.changePeriod = patch.changePeriod ?? changePeriod
        settings.interval = patch.interval ?? interval
        settings.chartStyle = patch.chartStyle ?? chartStyle
        settings.averages = patch.averages ?? averages
        settings.depth = patch.depth ?? depth
        settings.theme = patch.theme ?? theme
        settings.colors = patch.colors ?? colors
        settings.language = patch.language ?? language
        return settings
    }
}
