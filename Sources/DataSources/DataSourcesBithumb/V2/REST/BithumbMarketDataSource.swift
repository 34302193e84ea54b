public import DataSourceContracts

/// Reads tickers, order books, trades and candles from API 2.x: `GET {base}/v1/…`.
///
/// Errors are thrown as by ``BithumbReferenceSource``; one unknown market fails a whole call.
///
/// Source: <https://apidocs.bithumb.com>, API v2.1.5, seen 2026-11.
public struct BithumbMarketDataSource: MarketTickerSource {
    /// The place at which a page of trades begins.
    public enum TradePage: Sendable, Hashable {
        /// At the newest trade.
        case newest
        /// At the trade with this `sequential_id`, or behind it: the exchange does not say which.
        case cursor(Int64)
        /// Before a time of day in KST, `HHmmss`, 1 to 7 days ago.
        case day(daysAgo: Int, before: String)
    }

    /// The length of candles, as the exchange names it.
    public enum CandleUnit: Sendable, Hashable {
        /// 1, 3, 5, 10, 15, 30, 60 or 240 minutes.
        case minutes(Int)
        /// Days, which begin at 00:00 KST.
        case days
        /// Weeks, which begin on Monday in KST.
        case weeks
        /// Months in KST.
        case months

        private static let minutes: Set = [1, 3, 5, 10, 15, 30, 60, 240]

        fileprivate var path: String {
            switch self {
            case .minutes(let count):
                precondition(Self.minutes.contains(count), "The exchange has no such candles.")
                return "minutes/\(count)"
            case .days: return "days"
            case .weeks: return "weeks"
            case .months: return "months"
            }
        }
    }

    /// The most markets of one call: more tickers are refused since 2026-10-13, and the query of
    /// 493 is too long (414).
    public static let marketsMax = 200
    /// The numbers of trades that the exchange accepts.
    public static let tradeCounts = 1...500
    /// The numbers of candles that the exchange accepts.
    public static let candleCounts = 1...200

    private let client: BithumbClient

    /// Makes a source.
    public init(client: BithumbClient) { self.client = client }

    /// Reads the tickers of these markets, in calls of at most ``marketsMax``.
    ///
    /// - Parameter markets: `KRW-XRP`, …
    /// - Returns: the rows in the order of the wire.
    /// - Throws: ``DataSourceError``, of the first call that fails; `cancelled` promptly when the
    ///   task is cancelled.
    public func tickers(markets: [String]) async throws(DataSourceError) -> MarketTickersDTO {
        var all = MarketTickersDTO()
        for query in Self.queries(markets) {
            let response = try await client.get("ticker", query: query, .ticker, of: .v2)
            let some = try client.read(response) { body throws(DataSourceError) in
                var decoder = MarketDataDecoder()
                return try decoder.tickers(body)
            }
            all.tickers += some.tickers
            all.skippedCount += some.skippedCount
            all.feedLabel = all.feedLabel ?? response.feedLabel
        }
        return all
    }

    /// Reads order books: thirty levels a side of one market, fifteen of each of several, in calls
    /// of at most ``marketsMax``.
    ///
    /// - Parameter markets: `KRW-XRP`, …
    /// - Returns: the books in the order of the wire.
    /// - Throws: as ``tickers(markets:)``.
    public func orderBooks(markets: [String]) async throws(DataSourceError) -> OrderBooksDTO {
        var all = OrderBooksDTO(books: [])
        for query in Self.queries(markets) {
            let response = try await client.get("orderbook", query: query, .orderbook, of: .v2)
            let some = try client.read(response) { body throws(DataSourceError) in
                var decoder = MarketDataDecoder()
                return try decoder.orderBooks(body)
            }
            all.books += some.books
            all.skippedCount += some.skippedCount
        }
        return all
    }

    /// Reads one page of trades, newest first.
    ///
    /// - Parameters:
    ///   - market: `KRW-XRP`.
    ///   - page: where it begins.
    ///   - count: the number of trades, in ``tradeCounts``.
    /// - Returns: the trades.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    public func trades(
        market: String,
        page: TradePage = .newest,
        count: Int
    ) async throws(DataSourceError) -> MarketTradesDTO {
        precondition(Self.tradeCounts.contains(count), "The exchange returns 1 to 500 trades.")
        Self.check(market)
        var query = "?market=\(market)&count=\(count)"
        switch page {
        case .newest: break
        case .cursor(let id): query += "&cursor=\(id)"
        case .day(let daysAgo, let time):
            precondition((1...7).contains(daysAgo), "Trades of 1 to 7 days ago are kept.")
            precondition(
                time.utf8.count == 6 && time.utf8.allSatisfy { (0x30...0x39).contains($0) },
                "A time of day is HHmmss."
            )
            query += "&daysAgo=\(daysAgo)&to=\(time)"
        }
        let response = try await client.get("trades/ticks", query: query, .trades, of: .v2)
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = MarketDataDecoder()
            return try decoder.trades(body)
        }
    }

    /// Reads one page of candles, newest first.
    ///
    /// - Parameters:
    ///   - market: `KRW-XRP`.
    ///   - unit: their length.
    ///   - end: Unix seconds; only candles that opened before it are read. Nil for the newest.
    ///   - count: the number of candles, in ``candleCounts``.
    /// - Returns: the rows; minutes without a trade are missing.
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    public func candles(
        market: String,
        unit: CandleUnit,
        before end: Int64? = nil,
        count: Int
    ) async throws(DataSourceError) -> CandlesDTO {
        precondition(Self.candleCounts.contains(count), "The exchange returns 1 to 200 candles.")
        Self.check(market)
        var query = "?market=\(market)&count=\(count)"
        if let end { query += "&to=\(KoreanTimeText.text(end))" }
        let response = try await client.get(
            "candles/\(unit.path)",
            query: query,
            .candles,
            of: .v2
        )
        return try client.read(response) { body throws(DataSourceError) in
            var decoder = MarketDataDecoder()
            return try decoder.candles(body)
        }
    }

    private static func queries(_ markets: [String]) -> [String] {
        markets.forEach(check)
        return stride(from: 0, to: markets.count, by: marketsMax).map { first in
            "?markets=" + markets[first...].prefix(marketsMax).joined(separator: ",")
        }
    }

    private static func check(_ market: String) {
        precondition(
            market.split(separator: "-", omittingEmptySubsequences: false).count == 2
                && market.utf8.allSatisfy { $0 == UInt8(ascii: "-") || BithumbClient.isPlain($0) },
            "Markets are spelled with letters, digits, underscores and one hyphen."
        )
    }
}
