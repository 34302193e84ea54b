import Domain
import ViewStates

extension OpenAPISchemas {
    /// The block `orderBook`.
    static var orderBook: KeyValuePairs<String, JSONValue> {
        let level: JSONValue = .record(
            "What rests at one price, or within one group of prices.",
            [
                "price": .decimal, "priceText": .text,
                "quantity": .decimal, "quantityText": .text,
                "cumulative": .decimal.saying("From the best level to this one."),
                "changeRatePercent": .decimal.orNull.saying("Against the previous close."),
                "priceDirection": .schema("Direction").orNull,
                "ratioBoth": .decimal.saying("Of the largest on both sides, 0 to 1."),
                "ratioSide": .decimal.saying("Of the largest on its own side, 0 to 1."),
                "isLastTrade": .flag,
            ]
        )
        let levels: JSONValue = .list(.schema("Level"))
            .with("maxItems", .integer(MarketDetailQuery.depthMax))
        return [
            "Level": level,
            "BestQuote": .record(
                "A price and what rests there.",
                ["price": .decimal, "quantity": .decimal]
            ),
            "OrderBook": .record(
                "The order book, grouped and cut to a depth; both sides best first.",
                [
                    "health": .schema("Health"),
                    "depth": .integer(in: 1...MarketDetailQuery.depthMax),
                    "group": .decimal.orNull,
                    "levelsKept": .count,
                    "crossed": .flag,
                    "heals": .count,
                    "asks": levels,
                    "bids": levels,
                    "best": .record(
                        "The best level of each side, ungrouped; null: an empty side.",
                        ["ask": .schema("BestQuote").orNull, "bid": .schema("BestQuote").orNull]
                    ),
                    "spread": .decimal.orNull,
                    "spreadText": .text.orNull,
                    "mid": .decimal.orNull,
                    "totals": .record(
                        "Sums over the shown levels.",
                        [
                            "askQuantity": .decimal, "bidQuantity": .decimal,
                            "bidSharePercent": .decimal.orNull,
                        ]
                    ),
                ]
            ),
        ]
    }

    /// The block `trades`.
    static var trades: KeyValuePairs<String, JSONValue> {
        [
            "Gap": .record(
                "A span of time without data.",
                ["from": .time, "to": .time, "reason": .words(GapViewState.Reason.self)]
            ),
            "Trade": .record(
                "One trade; its id is its time in microseconds, a dot and the number of the twin.",
                [
                    "id": .text(pattern: #"^[0-9]+\.[0-9]+$"#),
                    "at": .time, "timeText": .text,
                    "price": .decimal, "priceText": .text,
                    "quantity": .decimal, "quantityText": .text,
                    "amount": .decimal, "amountText": .text,
                    "side": .words(TradesViewState.Row.Side.self),
                    "tickDirection": .schema("Direction").orNull,
                ]
            ),
            "Trades": .record(
                "Trades, newest first.",
                [
                    "health": .schema("Health"),
                    "rows": .list(.schema("Trade"))
                        .with("maxItems", .integer(MarketDetailQuery.tradesMax)),
                    "dropped": .count,
                    "gaps": .list(.schema("Gap")),
                ]
            ),
        ]
    }

    /// The block `chart`.
    static var candles: KeyValuePairs<String, JSONValue> {
        let windows = CandleSeries.averageWindows.map { window in
            JSONValue.Member(key: "\(window)", value: .list(.decimal.orNull))
        }
        return [
            "Candle": .record(
                "One candle.",
                [
                    "openTime": .time, "open": .decimal, "high": .decimal, "low": .decimal,
                    "close": .decimal, "volume": .decimal,
                    "origin": .words(ChartViewState.Candle.Origin.self),
                    "corrected": .flag, "closed": .flag, "priceDirection": .schema("Direction"),
                ]
            ),
            "Averages": .record(
                "Averages by window, each as long as the candles; null where there are fewer.",
                windows
            ),
            "Chart": .record(
                "Candles, ascending, with averages of price and of volume.",
                [
                    "health": .schema("Health"),
                    "interval": .words(CandleInterval.self),
                    "lastPrice": .decimal.orNull,
                    "candles": .list(.schema("Candle"))
                        .with("maxItems", .integer(MarketDetailQuery.candlesMax)),
                    "averages": .record(
                        "Averages at each candle.",
                        ["close": .schema("Averages"), "volume": .schema("Averages")]
                    ),
                    "range": .schema("PriceRange").orNull,
                    "gaps": .list(.schema("Gap")),
                ]
            ),
            "PriceRange": .record(
                "The lowest and the highest price of the candles.",
                ["low": .decimal, "high": .decimal]
            ),
        ]
    }
}
