import Domain
import ViewStates

extension OpenAPISchemas {
    /// `assets`.
    static var assets: KeyValuePairs<String, JSONValue> {
        [
            "AssetRow": .record(
                "Whether one coin can be deposited and withdrawn.",
                [
                    "asset": .schema("Asset"), "name": .schema("Name"),
                    "deposit": .schema("Transfer").orNull,
                    "withdrawal": .schema("Transfer").orNull,
                    "depositText": .text, "withdrawalText": .text, "spokenText": .text,
                ]
            ),
            "AssetsState": .record(
                "Deposits and withdrawals of every coin.",
                [
                    "health": .schema("Health"),
                    "query": .record(
                        "The query that the list answers, every default filled in.",
                        [
                            "state": .words(AssetFilter.self), "q": .text.orNull,
                            "sort": .words(AssetSortKey.self),
                            "sortDirection": .words(SortDirection.self),
                        ]
                    ),
                    "counts": .record(
                        "How many coins each filter has, before the search.",
                        ["all": .count, "normal": .count, "suspended": .count]
                    ),
                    "rows": .list(.schema("AssetRow")),
                ]
            ),
        ]
    }

    /// `portfolio`.
    static var portfolio: KeyValuePairs<String, JSONValue> {
        [
            "PortfolioRow": .record(
                "One coin of a portfolio, in won.",
                [
                    "asset": .schema("Asset"), "name": .schema("Name"), "quantity": .decimal,
                    "averagePrice": .decimal.orNull, "price": .decimal.orNull,
                    "valuedThrough": .schema("Market").orNull,
                    "value": .decimal.orNull, "valueText": .text.orNull,
                    "cost": .decimal.orNull, "profit": .decimal.orNull,
                    "profitText": .text.orNull, "profitRatePercent": .decimal.orNull,
                    "sharePercent": .decimal.orNull,
                    "deposit": .schema("Transfer").orNull,
                    "withdrawal": .schema("Transfer").orNull,
                    "priceDirection": .schema("Direction").orNull,
                ]
            ),
            "PortfolioState": .record(
                "What a user holds, valued now; the shares with that of the cash sum to 100.00.",
                [
                    "health": .schema("Health"),
                    "user": .record(
                        "Whose it is.",
                        ["name": .text, "displayName": .text.orNull]
                    ),
                    "cash": .record(
                        "The cash row.",
                        [
                            "amount": .decimal.orNull, "amountText": .text.orNull,
                            "sharePercent": .decimal.orNull,
                        ]
                    ),
                    "rows": .list(.schema("PortfolioRow")),
                    "totals": .record(
                        "Everything together.",
                        [
                            "value": .decimal.orNull, "valueText": .text.orNull,
                            "cost": .decimal.orNull, "profit": .decimal.orNull,
                            "profitRatePercent": .decimal.orNull,
                        ]
                    ),
                    "unvalued": .list(.schema("Asset")),
                ]
            ),
        ]
    }

    /// What is kept for a user.
    static var stored: KeyValuePairs<String, JSONValue> {
        [
            "SettingsState": .record("How a user wants to see the market.", settings),
            "FavoritesState": .record(
                "The favourites in the user's order; null where they were not read.",
                [
                    "rows": .list(
                        .record(
                            "One favourite; its place counts from 1.",
                            ["market": .schema("Market"), "position": .integer(from: 1)]
                        )
                    ).orNull
                ]
            ),
            "HoldingsState": .record(
                "How much of which coin a user holds; null where that was not read.",
                [
                    "rows": .list(
                        .record(
                            "One coin.",
                            [
                                "asset": .schema("Asset"), "quantity": .decimal,
                                "averagePrice": .decimal.orNull,
                            ]
                        )
                    ).orNull
                ]
            ),
            "CashState": .record(
                "How much cash a user has, in won; null until the user said so.",
                ["amount": .decimal.orNull]
            ),
            "ProfileState": .record(
                "Who a user is, and what the token may do.",
                [
                    "name": .text, "displayName": .text.orNull,
                    "scopes": .list(.words(ProfileViewState.Scope.self)),
                ]
            ),
        ]
    }

    /// The settings: a document has all of them, a change some.
    static var settings: [JSONValue.Member] {
        let members: KeyValuePairs<String, JSONValue> = [
            "sort": .words(MarketSortKey.self),
            "sortDirection": .words(SortDirection.self),
            "quote": .words(Quote.self),
            "tab": .words(UserSettings.Tab.self),
            "pinFavorites": .flag,
            "changePeriod": .words(ChangePeriod.self),
            "interval": .words(CandleInterval.self),
            "chartStyle": .words(UserSettings.ChartStyle.self),
            "averages": .list(
                [
                    "type": "integer",
                    "enum": .array(CandleSeries.averageWindows.map { .integer($0) }),
                ]
            ),
            "depth": .integer(in: UserSettings.depthRange),
            "theme": .words(UserSettings.Theme.self),
            "colors": .words(UserSettings.Colors.self),
            "lang": .words(Language.self),
        ]
        return members.map { JSONValue.Member(key: $0.key, value: $0.value) }
    }
}
