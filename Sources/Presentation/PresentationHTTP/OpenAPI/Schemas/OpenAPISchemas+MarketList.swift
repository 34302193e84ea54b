import Domain
import ViewStates

extension OpenAPISchemas {
    /// `market-list`, and what a row of it shares with `market-detail`.
    static var marketList: KeyValuePairs<String, JSONValue> {
        [
            "Alert": .record(
                "One warning of the exchange.",
                ["type": .text, "step": .text.orNull, "endsAt": .time.orNull]
            ),
            "Marks": .record(
                "What the exchange warns of, and whether it trades.",
                [
                    "investmentWarning": .flag.orNull,
                    "alerts": .list(.schema("Alert")),
                    "state": .words(MarksViewState.Trading.self),
                ]
            ),
            "MarketRow": .record("One market of a list.", row),
            "PersonalMarketRow": .record(
                "One market of a user's own list.",
                row + [.init(key: "favorite", value: .schema("Favorite").orNull)]
            ),
            "Favorite": .record(
                "The place of a market among the user's favourites, from 1.",
                ["position": .integer(from: 1)]
            ),
            "MarketListQuery": .record(
                "The query that a list answers, every default filled in.",
                [
                    "tab": .words(MarketListQuery.Tab.self),
                    "quote": .words(Quote.self).orNull.saying("null: both."),
                    "changePeriod": .words(ChangePeriod.self),
                    "sort": .words(MarketSortKey.self).orNull
                        .saying("null: the user's own order, which only favourites have."),
                    "sortDirection": .words(SortDirection.self).orNull,
                    "q": .text.orNull,
                    "offset": .count,
                    "limit": .integer(in: 1...MarketListQuery.limitMax),
                ]
            ),
            "MarketListState": .record("The list of markets.", state(of: "MarketRow")),
            "PersonalMarketListState": .record(
                "The list of markets, each with its place among the user's favourites.",
                state(of: "PersonalMarketRow")
            ),
        ]
    }

    private static func state(of row: String) -> KeyValuePairs<String, JSONValue> {
        [
            "health": .schema("Health"),
            "query": .schema("MarketListQuery"),
            "total": .count.saying("How many markets the tab has."),
            "filtered": .count.saying("How many of them match."),
            "skipped": .count
                .saying("How many entries of the exchange could not be read since the start."),
            "missing": .list(.text).saying("Names asked for that are no market."),
            "emptyReason": .words(MarketListViewState.EmptyReason.self).orNull,
            "rows": .list(.schema(row)),
        ]
    }

    private static var row: [JSONValue.Member] {
        let members: KeyValuePairs<String, JSONValue> = [
            "market": .schema("Market"),
            "symbol": .schema("Asset"),
            "quote": .words(Quote.self),
            "name": .schema("Name"),
            "rank": .integer(from: 1).orNull
                .saying("The place by turnover of 24 hours in won among all markets."),
            "price": .decimal.orNull,
            "priceText": .text.orNull,
            "priceAt": .time.orNull,
            "priceKRW": .decimal.orNull.saying("The price in won."),
            "changePeriod": .words(ChangePeriod.self),
            "changeRatePercent": .decimal.orNull,
            "changeRateText": .text.orNull,
            "changeAmount": .decimal.orNull,
            "changeAmountText": .text.orNull,
            "changeAt": .time.orNull,
            "noTrade": .flag
                .saying("The change is zero because nothing was traded within the period."),
            "priceDirection": .schema("Direction").orNull,
            "tickDirection": .schema("Direction").orNull,
            "tradeValue24h": .decimal.orNull,
            "tradeValue24hKRW": .decimal.orNull,
            "tradeValueText": .text.orNull,
            "marks": .schema("Marks"),
            "spokenText": .text,
        ]
        return members.map { JSONValue.Member(key: $0.key, value: $0.value) }
    }
}
