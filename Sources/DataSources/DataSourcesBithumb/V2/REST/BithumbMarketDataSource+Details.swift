public import DataSourceContracts

/// Reads details in the words of API 1.x.
extension BithumbMarketDataSource: OrderBookSource, TradeHistorySource, CandleSource,
    CandlePageSource
{
    /// The pages of candles of one call, each of the most candles that the exchange returns.
    private static let candlePages = 5
    /// The same for minutes, which must reach back a day where a deployment reads missing ones.
    private static let minutePages = 8
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

    /// Reads one page of trades, newest first; see ``TradeHistorySource``.
    public func trades(
        symbol: String,
        page: TradePage,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        let all = try await trades(
            market: MarketCode.code(of: symbol),
            page: page,
            count: count
        )
        return TradeHistoryDTO(
            trades: all.trades.map { trade in
                HistoricTradeDTO(
                    atMilliseconds: trade.atMilliseconds,
                    takerBought: trade.takerBought,
                    quantity: trade.quantity,
                    price: trade.price,
                    sequentialID: trade.sequentialID
                )
            },
            skippedCount: all.skippedCount,
            isPaged: true
        )
    }

    /// Reads candles page by page, the newest first; see ``CandleSource``.
    ///
    /// The market's beginning is told by an empty page behind one that is not full: a single page
    /// may lack rows.
    public func candles(
        symbol: String,
        interval: String,
        reach: CandleReach
    ) async throws(DataSourceError) -> CandlesDTO {
        guard let rows = Self.rows(of: interval) else {
            preconditionFailure("The exchange has no candles of \(interval).")
        }
        let code = MarketCode.code(of: symbol)
        var all = CandlesDTO(rows: [], interval: rows.interval, isTruncated: true)
        var (end, start, pages): (Int64?, Int64, Int) =
            switch reach {
            case .whole: (nil, .min, rows.pages)
            case .newest: (nil, .min, 1)
            case .span(let span): (span.upperBound, span.lowerBound, .max)
            }
        var isLast = false
        while pages > 0 || isLast {
            pages -= 1
            let page: CandlesDTO
            do throws(DataSourceError) {
                page = try await candles(
                    market: code,
                    unit: rows.unit,
                    before: end,
                    count: Self.candleCounts.upperBound
                )
            } catch {
                // The pages before are not lost: the reader asks for the rest of the span.
                guard case .span = reach, !all.rows.isEmpty, error.code != .cancelled else {
                    throw error
                }
                return all
            }
            all.skippedCount += page.skippedCount
            guard let oldest = page.rows.map(\.atMilliseconds).min().map({ $0 / 1_000 }) else {
                if page.skippedCount > 0 { break }
                if isLast {
                    all.isTruncated = false
                    break
                }
                isLast = true
                continue
            }
            guard oldest < end ?? .max else {
                guard case .span = reach else { break }
                throw DataSourceError(.malformed, "candles: a page that does not end in time")
            }
            all.rows += page.rows
            if oldest <= start { break }
            isLast = page.rows.count + page.skippedCount < Self.candleCounts.upperBound
            end = oldest
        }
        return all
    }

    /// Reads one page of candles; see ``CandlePageSource``.
    public func candles(
        symbol: String,
        minutes: Int,
        before end: Int64?,
        count: Int
    ) async throws(DataSourceError) -> CandlesDTO {
        try await candles(
            market: MarketCode.code(of: symbol),
            unit: .minutes(minutes),
            before: end,
            count: count
        )
    }

    /// The candles that are read for an interval: their unit, how many pages, and their interval
    /// where it is shorter.
    private static func rows(
        of interval: String
    ) -> (unit: CandleUnit, pages: Int, interval: String?)? {
        switch interval {
        case "1m": (.minutes(1), minutePages, nil)
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
