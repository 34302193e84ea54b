import DataSourceContracts
import Domain

/// Maps the row of settings to an entity, and patches the row.
enum SettingsMapping {
    /// The settings of a row.
    ///
    /// A value of a newer hoga counts as the default.
    static func settings(_ dto: SettingsDTO) -> UserSettings {
        var settings = UserSettings()
        settings.sort = MarketSortKey(rawValue: dto.sort) ?? settings.sort
        settings.sortDirection =
            SortDirection(rawValue: dto.sortDirection) ?? settings.sortDirection
        settings.quote = Quote(rawValue: dto.quote) ?? settings.quote
        settings.tab = UserSettings.Tab(rawValue: dto.tab) ?? settings.tab
        settings.pinFavorites = dto.pinFavorites
        settings.changePeriod = ChangePeriod(rawValue: dto.changePeriod) ?? settings.changePeriod
        settings.interval = CandleInterval(rawValue: dto.interval) ?? settings.interval
        settings.chartStyle =
            UserSettings.ChartStyle(rawValue: dto.chartStyle) ?? settings.chartStyle
        settings.averages = averages(dto.averages) ?? settings.averages
        if UserSettings.depthRange.contains(dto.depth) { settings.depth = dto.depth }
        settings.marketLayout =
            dto.marketLayout.flatMap(UserSettings.MarketLayout.init) ?? settings.marketLayout
        settings.theme = UserSettings.Theme(rawValue: dto.theme) ?? settings.theme
        settings.colors = UserSettings.Colors(rawValue: dto.colors) ?? settings.colors
        settings.language = Language(rawValue: dto.lang) ?? settings.language
        return settings
    }

    /// The row of settings.
    static func row(_ settings: UserSettings) -> SettingsDTO {
        SettingsDTO(
            sort: settings.sort.rawValue,
            sortDirection: settings.sortDirection.rawValue,
            quote: settings.quote.rawValue,
            tab: settings.tab.rawValue,
            pinFavorites: settings.pinFavorites,
            changePeriod: settings.changePeriod.rawValue,
            interval: settings.interval.rawValue,
            chartStyle: settings.chartStyle.rawValue,
            averages: text(settings.averages),
            depth: settings.depth,
            theme: settings.theme.rawValue,
            colors: settings.colors.rawValue,
            lang: settings.language.rawValue,
            marketLayout: settings.marketLayout.recordedName
        )
    }

    /// The row after a change.
    ///
    /// Unchanged fields stay byte for byte, so that values of a newer hoga are not lost.
    static func patched(_ row: SettingsDTO, by patch: SettingsPatch) -> SettingsDTO {
        var row = row
        row.sort = patch.sort?.rawValue ?? row.sort
        row.sortDirection = patch.sortDirection?.rawValue ?? row.sortDirection
        row.quote = patch.quote?.rawValue ?? row.quote
        row.tab = patch.tab?.rawValue ?? row.tab
        row.pinFavorites = patch.pinFavorites ?? row.pinFavorites
        row.changePeriod = patch.changePeriod?.rawValue ?? row.changePeriod
        row.interval = patch.interval?.rawValue ?? row.interval
        row.chartStyle = patch.chartStyle?.rawValue ?? row.chartStyle
        row.averages = patch.averages.map(text) ?? row.averages
        row.depth = patch.depth ?? row.depth
        if let layout = patch.marketLayout { row.marketLayout = layout.recordedName }
        row.theme = patch.theme?.rawValue ?? row.theme
        row.colors = patch.colors?.rawValue ?? row.colors
        row.lang = patch.language?.rawValue ?? row.lang
        return row
    }

    private static func text(_ averages: [Int]) -> String {
        averages.map(String.init).joined(separator: ",")
    }

    /// The windows that this version knows; nil if the text is no list of windows.
    private static func averages(_ text: String) -> [Int]? {
        if text.isEmpty { return [] }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let windows = words.compactMap { Int($0) }
        guard windows.count == words.count else { return nil }
        return CandleSeries.averageWindows.filter(windows.contains)
    }
}
