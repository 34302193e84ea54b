import Domain
import ViewStates

extension OpenAPISchemas {
    /// The header of `market-detail`, and the whole of it.
    static var marketDetail: KeyValuePairs<String, JSONValue> {
        [
            "Today": .record(
                "The day since 00:00 in Seoul.",
                [
                    "open": .decimal.orNull, "high": .decimal.orNull, "low": .decimal.orNull,
                    "previousClose": .decimal.orNull, "volume": .decimal.orNull,
                    "tradeValue": .decimal.orNull,
                ]
            ),
            "Rolling24h": .record(
                "The rolling 24 hours.",
                [
                    "volume": .decimal.orNull, "tradeValue": .decimal.orNull,
                    "changeAmount": .decimal.orNull, "changeRatePercent": .decimal.orNull,
                ]
            ),
            "Sparkline": .record(
                "The first prices of the last days, oldest first.",
                [
                    "from": .schema("Date"),
                    "to": .schema("Date"),
                    "opens": .list(.decimal)
                        .with("minItems", 1)
                        .with("maxItems", .integer(SparklineViewState.daysMax)),
                    "complete": .flag,
                ]
            ),
            "Header": .record(
                "Names, price, change and the day's figures of one market.",
                [
                    "health": .schema("Health"),
                    "market": .schema("Market"),
                    "symbol": .schema("Asset"),
                    "quote": .words(Quote.self),
                    "name": .schema("Name"),
                    "price": .decimal.orNull,
                    "priceText": .text.orNull,
                    "priceAt": .time.orNull,
                    "priceOrigin": .words(["store", "listing", "ticker", "trade"]).orNull,
                    "changePeriod": .words(ChangePeriod.self),
                    "changeRatePercent": .decimal.orNull,
                    "changeRateText": .text.orNull,
                    "changeAmount": .decimal.orNull,
                    "changeAmountText": .text.orNull,
                    "priceDirection": .schema("Direction").orNull,
                    "tickDirection": .schema("Direction").orNull,
                    "today": .schema("Today"),
                    "rolling24h": .schema("Rolling24h"),
                    "tradeStrengthPercent": .decimal.orNull,
                    "deposit": .schema("Transfer").orNull,
                    "withdrawal": .schema("Transfer").orNull,
                    "marks": .schema("Marks"),
                    "sparkline": .schema("Sparkline").orNull,
                ]
            ),
            "MarketDetailState": .record(
                "Everything of one market, in one cut.",
                [
                    "header": .schema("Header"), "orderBook": .schema("OrderBook"),
                    "trades": .schema("Trades"), "chart": .schema("Chart"),
                ]
            ),
        ]
    }

    /// A block of `market-detail` as the state of a document of its own: `market` beside its keys.
    static func alone(_ block: String) -> JSONValue {
        [
            "allOf": [
                .schema(block),
                [
                    "type": "object", "required": ["market"],
                    "properties": ["market": .schema("Market")],
                ],
            ]
        ]
    }
}
