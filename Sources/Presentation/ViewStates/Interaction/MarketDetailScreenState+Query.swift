public import Domain

extension MarketDetailScreenState {
    /// The most days that the list of days has.
    public static let daysMax = 365

    /// The query that the panes answer.
    ///
    /// - Parameters:
    ///   - period: the period of the change in the header.
    ///   - language: the language of texts.
    ///   - now: the local time, for a chart that follows the newest bucket.
    /// - Returns: one query for all panes, seen or not: their answers stay in step.
    public func query(
        period: ChangePeriod,
        language: Language,
        now: Timestamp
    ) -> MarketDetailQuery {
        var query = MarketDetailQuery(market: market)
        query.period = period
        query.depth = bookDepth
        query.group = book.group
        query.interval = chart.interval
        query.candles = .span(chartSpan(now: now))
        // While nothing is scrolled only what is seen is asked for, and what one page down shows.
        let isWhole = trades.top != nil || chart.showsTicks
        query.tradeLimit = isWhole ? TradeTape.capacity : tradesSeen
        query.language = language
        query.messageLanguage = language
        return query
    }

    /// The query of the list of days; nil while that is not shown.
    public func daysQuery(language: Language) -> MarketDetailQuery? {
        guard trades.showsDays else { return nil }
        var query = MarketDetailQuery(market: market)
        query.depth = 1
        query.tradeLimit = 1
        // One more, because the change of a day is reckoned from the day before.
        query.candles = .newest(count: Self.daysMax + 1, before: nil)
        query.language = language
        query.messageLanguage = language
        return query
    }

    /// At least those that the corner of the book shows.
    private var tradesSeen: Int {
        min(2 * max(room.tradeRows, room.bookRows), TradeTape.capacity)
    }
}
