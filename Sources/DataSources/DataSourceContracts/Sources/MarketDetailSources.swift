/// Reads single order books over REST.
public protocol OrderBookSource: Sendable {
    /// Reads thirty levels a side of one market.
    ///
    /// The book's symbol is spelled as its API does.
    ///
    /// Waits for the category's rate limit and makes one attempt, as ``TickerSource`` does.
    ///
    /// - Parameter symbol: `XRP_KRW`.
    /// - Returns: the book.
    /// - Throws: ``DataSourceError``: `refused` for an unlisted market;
    ///   `cancelled` promptly when the task is cancelled.
    func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO
}

/// Reads past trades over REST.
public protocol TradeHistorySource: Sendable {
    /// Reads one page of trades of one market.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`.
    ///   - page: where it begins; API 1.x returns the newest trades in any case.
    ///   - count: the number of trades, 1...500; API 1.x returns at most 100.
    /// - Returns: the trades.
    /// - Throws: ``DataSourceError``, as ``OrderBookSource`` does.
    func trades(
        symbol: String,
        page: TradePage,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO
}

/// Where a page of past trades begins.
public enum TradePage: Sendable, Hashable {
    /// At the newest trade.
    case newest
    /// At the trade with this `sequential_id`, or behind it: the exchange does not say which.
    case cursor(Int64)
    /// Before a time of day in KST, `HHmmss`, 0 to 7 days ago.
    case day(daysAgo: Int, before: String)
}

/// Reads candles over REST.
public protocol CandleSource: Sendable {
    /// Reads candles of one market and interval up to now; the running candle is usually among
    /// them.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`.
    ///   - interval: `1m`, `3m`, `5m`, `10m`, `30m`, `1h`, `6h`, `12h` or `24h`. API 2.x has no
    ///     candles of 6 and 12 hours: it returns those of one hour.
    ///   - reach: how far back.
    /// - Returns: the rows.
    /// - Throws: ``DataSourceError``, as ``OrderBookSource`` does.
    func candles(
        symbol: String,
        interval: String,
        reach: CandleReach
    ) async throws(DataSourceError) -> CandlesDTO
}

/// How far back candles are read.
public enum CandleReach: Sendable, Hashable {
    /// All that API 1.x returns; in API 2.x some pages.
    case whole
    /// At least the newest; in API 2.x one page.
    case newest
    /// At least those that open in a span of Unix seconds; `unserved` in API 1.x.
    ///
    /// If a later page fails, the newest of them alone: the response is truncated, and its oldest
    /// row opens after the beginning of the span.
    case span(Range<Int64>)
}

extension CandleSource {
    /// As the requirement, as far back as one reading goes.
    public func candles(
        symbol: String,
        interval: String
    ) async throws(DataSourceError) -> CandlesDTO {
        try await candles(symbol: symbol, interval: interval, reach: .whole)
    }
}

/// Reads closes over REST, as API 1.x serves them.
public protocol CloseSource: Sendable {
    /// Reads the closes of all candles of one market and interval, without their other figures.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`.
    ///   - interval: as of ``CandleSource``.
    /// - Returns: the rows; those without a trade are missing.
    /// - Throws: ``DataSourceError``, as ``OrderBookSource`` does.
    func closes(symbol: String, interval: String) async throws(DataSourceError) -> ClosesDTO
}

/// Reads pages of candles over REST, as API 2.x serves them.
public protocol CandlePageSource: Sendable {
    /// Reads one page of candles.
    ///
    /// - Parameters:
    ///   - symbol: `XRP_KRW`.
    ///   - minutes: their length: 1, 3, 5, 10, 15, 30, 60 or 240 minutes.
    ///   - end: Unix seconds; only candles that opened before it are read. Nil for the newest.
    ///   - count: the number of candles, 1...200.
    /// - Returns: the rows; those without a trade are missing.
    /// - Throws: ``DataSourceError``, as ``OrderBookSource`` does.
    func candles(
        symbol: String,
        minutes: Int,
        before end: Int64?,
        count: Int
    ) async throws(DataSourceError) -> CandlesDTO
}
