/// The preferences of a user.
public struct UserSettings: Sendable, Hashable {
    /// A list of markets.
    public enum Tab: String, Sendable, Hashable, CaseIterable {
        /// The markets of a quote currency.
        case markets
        /// All markets by turnover.
        case popular
        /// 관심: the user's favorites.
        case favorites
    }

    /// The style of a chart.
    public enum ChartStyle: String, Sendable, Hashable, CaseIterable {
        /// Candles.
        case candles
        /// A line of closing prices.
        case line
    }

    /// Which panes of a market are visible beside the focused one.
    public enum MarketLayout: String, Sendable, Hashable, CaseIterable {
        /// Chart, order book and trades.
        case all
        /// The chart above the order book.
        case chartAndBook = "chart-book"
        /// The chart alone.
        case chart

        /// The name in records and documents; nil for the default, which they leave out.
        public var recordedName: String? { self == .all ? nil : rawValue }
    }

    /// The colors of the screen.
    public enum Theme: String, Sendable, Hashable, CaseIterable {
        /// Follows the terminal's background.
        case auto
        /// Light background.
        case light
        /// Dark background.
        case dark
        /// High contrast.
        case highContrast = "high-contrast"
    }

    /// The colors of rises and falls.
    public enum Colors: String, Sendable, Hashable, CaseIterable {
        /// Red rises and blue falls, as in Korea.
        case korean
        /// Green rises and red falls.
        case western
    }

    /// The accepted numbers of order book levels per side.
    public static let depthRange = 1...30

    /// The sort key of lists.
    public var sort = MarketSortKey.popularity
    /// The sort direction of lists.
    public var sortDirection = SortDirection.descending
    /// The quote currency of the open list.
    public var quote = Quote.krw
    /// The open list.
    public var tab = Tab.markets
    /// Whether favorites are pinned above the list.
    public var pinFavorites = true
    /// The period of change rates.
    public var changePeriod = ChangePeriod.hours24
    /// The interval of the chart.
    public var interval = CandleInterval.day1
    /// The style of the chart.
    public var chartStyle = ChartStyle.candles
    /// The windows of the moving averages in the chart, ascending; a subset of
    /// ``CandleSeries/averageWindows``.
    public var averages = CandleSeries.averageWindows
    /// The order book levels shown per side.
    public var depth = 15
    /// The visible panes of a market.
    public var marketLayout = MarketLayout.all
    /// The colors of the screen.
    public var theme = Theme.auto
    /// The colors of rises and falls.
    public var colors = Colors.korean
    /// The interface language.
    public var language = Language.korean

    /// Makes the defaults.
    public init() {}
}

/// A change of some settings; nil leaves a setting unchanged.
public struct SettingsPatch: Sendable, Hashable {
    /// The sort key of lists.
    public var sort: MarketSortKey?
    /// The sort direction of lists.
    public var sortDirection: SortDirection?
    /// The quote currency of the open list.
    public var quote: Quote?
    /// The open list.
    public var tab: UserSettings.Tab?
    /// Whether favorites are pinned above the list.
    public var pinFavorites: Bool?
    /// The period of change rates.
    public var changePeriod: ChangePeriod?
    /// The interval of the chart.
    public var interval: CandleInterval?
    /// The style of the chart.
    public var chartStyle: UserSettings.ChartStyle?
    /// The windows of the moving averages.
    public var averages: [Int]?
    /// The order book levels shown per side.
    public var depth: Int?
    /// The visible panes of a market.
    public var marketLayout: UserSettings.MarketLayout?
    /// The colors of the screen.
    public var theme: UserSettings.Theme?
    /// The colors of rises and falls.
    public var colors: UserSettings.Colors?
    /// The interface language.
    public var language: Language?

    /// Makes an empty patch.
    public init() {}

    /// Makes the patch that turns `old` into `new`.
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
        marketLayout = changed(\.marketLayout)
        theme = changed(\.theme)
        colors = changed(\.colors)
        language = changed(\.language)
    }

    /// Whether the patch changes nothing.
    public var isEmpty: Bool { self == SettingsPatch() }
}

extension UserSettings {
    /// The settings after a patch.
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
        settings.marketLayout = patch.marketLayout ?? marketLayout
        settings.theme = patch.theme ?? theme
        settings.colors = patch.colors ?? colors
        settings.language = patch.language ?? language
        return settings
    }
}
