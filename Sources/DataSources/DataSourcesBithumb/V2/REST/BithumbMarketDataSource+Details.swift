public import DataSourceContracts

/// Reads details in the words of API 1.x.
extension BithumbMarketDataSource: OrderBookSource, TradeHistorySource, CandleSource {
    /// The pages of candles of one call, each of the most candles that the exchange returns.
    private static let candlePages = 5
    /// The same for hours that are aggregated to 6 or 12 hours.
    private static let hourPages = 15

    /// Reads thirty levels a side; see ``OrderBookSource``.
    public func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO {
        let code = MarketCode.code(of: symbol)
        let books = try await orderBooks(markets: [code]).books
        guard let book = books.first(where: { $0.symbol == code }) else {
            throw DataSourceError(.malformed, "orderbook: a response without \(code)")
        }
        return book
    }

    /// Reads the newest trades, oldest first; see ``TradeHistorySource``.
    public func trades(
        symbol: String,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        let page = try await trades(market: MarketCode.code(of: symbol), count: count)
        return TradeHistoryDTO(
            trades: page.trades.reversed().map { trade in
                HistoricTradeDTO(
                    atSeconds: trade.atMilliseconds / 1_000,
                    takerBought: trade.takerBought,
                    quantity: trade.quantity,
                    price: trade.price
                )
            },
            skippedCount: page.skippedCount
        )
    }

    /// Reads the newest candles, page by page; see ``CandleSource``.
    public func candles(
        symbol: String,
        interval: String
    ) async throws(DataSourceError) -> CandlesDTO {
        guard let rows = Self.rows(of: interval) else {
            preconditionFailure("The exchange has no candles of \(interval).")
        }
        let code = MarketCode.code(of: symbol)
        var all = CandlesDTO(rows: [], interval: rows.interval)
        var end: Int64?
        for _ in 0..<rows.pages {
            let page = try await candles(
                market: code,
                unit: rows.unit,
                before: end,
                count: Self.candleCounts.upperBound
            )
            all.rows += page.rows
            all.skippedCount += page.skippedCount
            let oldest = page.rows.map(\.atMilliseconds).min().map { $0 / 1_000 }
            guard page.rows.count + page.skippedCount == Self.candleCounts.upperBound,
                let oldest, oldest < end ?? .max
            else { break }
            end = oldest
        }
        return all
    }

    /// The candles that are read for an interval: their unit, how many pages, and their interval
    /// where it is shorter.
    private static func rows(
        of interval: String
    ) -> (unit: CandleUnit, pages: Int, interval: String?)? {
        switch interval {
        case "1m": (.minutes(1), candlePages, nil)
        case "3m": (.minutes(3), candlePages, nil)
        case "5m": (.minutes(5), candlePages, nil)
        case "10m": (.minutes(10), candlePages, nil)
        case "30m": (.minutes(30), candlePages, nil)
        case "1h": (.minutes(60), candlePages, nil)
        case "6h", "12h": (.minutes(60), hourPages, "1h")
        case "24h": (.days, candlePages, nil)
        default: nil
        }
    }
}
