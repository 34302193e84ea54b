public import Domain

extension ScreenState {
    /// What of the screens is kept over restarts.
    ///
    /// - Parameter base: the settings that the screens do not change.
    /// - Returns: the same with what the screens change.
    public func settings(over base: UserSettings) -> UserSettings {
        var settings = base
        settings.sort = list.sort
        settings.sortDirection = list.direction
        switch list.tab {
        case .krw:
            settings.tab = .markets
            settings.quote = .krw
        case .btc:
            settings.tab = .markets
            settings.quote = .btc
        case .popular: settings.tab = .popular
        case .favorites: settings.tab = .favorites
        }
        settings.pinFavorites = list.pinsFavorites
        settings.changePeriod = list.period
        settings.theme = look.theme
        settings.colors = look.colors
        settings.language = look.language
        guard let detail = detail ?? lastDetail else { return settings }
        settings.interval = detail.chart.interval
        settings.chartStyle =
            switch detail.chart.style {
            case .candles: .candles
            case .line: .line
            }
        settings.averages = detail.chart.averages.sorted()
        settings.depth = detail.book.depth ?? UserSettings().depth
        return settings
    }

    /// Takes over what was kept.
    mutating func take(_ settings: UserSettings) {
        look = ScreenLook(settings)
        list.sort = settings.sort
        list.direction = settings.sortDirection
        list.tab =
            switch (settings.tab, settings.quote) {
            case (.markets, .krw): .krw
            case (.markets, .btc): .btc
            case (.popular, _): .popular
            case (.favorites, _): .favorites
            }
        list.pinsFavorites = settings.pinFavorites
        list.period = settings.changePeriod
        // Details begin like the last one: with these settings that one never was seen.
        guard let anyMarket = MarketID(symbol: "BTC", quote: .krw) else { return }
        var detail = MarketDetailScreenState(market: anyMarket, room: room)
        detail.chart.interval = settings.interval
        detail.adopt(settings)
        lastDetail = detail
    }

    /// Takes over the preferences, and nothing of where the user looks.
    mutating func adopt(_ settings: UserSettings) {
        look = ScreenLook(settings)
        list.period = settings.changePeriod
        if list.pinsFavorites != settings.pinFavorites {
            list.pinsFavorites = settings.pinFavorites
            MarketListReducer.fit(&list)
        }
        detail?.adopt(settings)
        lastDetail?.adopt(settings)
    }
}

extension MarketDetailScreenState {
    /// Takes over the preferences of charts and books.
    fileprivate mutating func adopt(_ settings: UserSettings) {
        chart.style =
            switch settings.chartStyle {
            case .candles: .candles
            case .line: .line
            }
        chart.averages = Set(settings.averages)
        // The usual depth is as many levels as the screen has room for.
        book.depth = settings.depth == UserSettings().depth ? nil : settings.depth
    }
}
