import DataSourceContracts

/// Parts of a user record in which no value is the default.
enum UserRecordSamples {
    static let settings = SettingsDTO(
        sort: "changeRate",
        sortDirection: "asc",
        quote: "BTC",
        tab: "favorites",
        pinFavorites: true,
        changePeriod: "MID",
        interval: "6h",
        chartStyle: "line",
        averages: "3,7,99",
        depth: 17,
        theme: "high-contrast",
        colors: "western",
        lang: "en",
        marketLayout: "chart-book"
    )

    static let rule = AlertRuleDTO(
        number: 2,
        text: "BTC_KRW spread > 10bp note 보기 \\ 0",
        feed: "simulated",
        books: "BTC_KRW",
        createdAt: 1_795_176_191_151_220
    )
}
