public import DataSourceContracts

/// Reads tickers, order books, trades and candles from API 2.x: `GET {base}/v1/…`.
///
/// Errors are thrown as by ``BithumbReferenceSource``; one unknown market fails a whole call.
///
/// Source: <https://apidocs.bithumb.com>, API v2.1.5, seen 2026-11.
public struct BithumbMarketDataSource: MarketTickerSource {
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
    private let refused: RefusedMarkets

    /// Makes a source.
    public init(client: BithumbClient) {
        self.client = client
        refused = RefusedMarkets(stopwatch: client.stopwatch)
    }

    /// Reads the tickers of these markets, in calls of at most ``marketsMax``.
    ///
    /// One unlisted market fails its whole call, which is made again in halves without it. A market
    /// refused alone is left out for ten minutes, unless all are.
    ///
    /// - Parameter markets: `KRW-XRP`, …
    /// - Returns: the rows in the order of the wire; markets without a row are counted.
    /// - Throws: ``DataSourceError``, of the first call that fails; `refused` if all markets are;
    ///   `cancelled` promptly when the task is cancelled.
    public func tickers(markets: [String]) async throws(DataSourceError) -> MarketTickersDTO {
        let known = refused.leavingOut(of: markets)
        let asked = known.isEmpty ? markets : known
        var all = MarketTickersDTO()
        all.skippedCount = markets.count - asked.count
        var found: [String] = []
        for call in Self.chunks(asked) {
            if let refusal = try await read(call, into: &all, &found), all.tickers.isEmpty {
                throw refusal
            }
        }
        refused.note(found)
        return all
    }

    /// The status of a call with an unlisted market.
    private static let unlistedStatus = "404"
    /// The refused calls that are halved: enough to find five unlisted markets among 200.
    private static let refusalsMax = 48

    /// Reads the tickers of one call, and what the exchange refuses of it in halves.
    ///
    /// Behind ``refusalsMax`` a refused part is skipped whole.
    ///
    /// - Parameters:
    ///   - call: the markets.
    ///   - all: the rows are added to it, and markets without one are counted.
    ///   - found: the markets that are refused alone are added to it.
    /// - Returns: the last refusal; nil without one.
    /// - Throws: ``DataSourceError`` for any other failure.
    private func read(
        _ call: ArraySlice<String>,
        into all: inout MarketTickersDTO,
        _ found: inout [String]
    ) async throws(DataSourceError) -> DataSourceError? {
        var refusal: DataSourceError?
        var refusals = 0
        // The next part comes last.
        var parts = [call]
        while let part = parts.popLast() {
            do throws(DataSourceError) {
                all.append(try await tickers(part))
            } catch {
                guard case .refused(status: Self.unlistedStatus, _) = error.code else {
                    throw error
                }
                refusal = error
                refusals += 1
                if part.count == 1 { found += part }
                if part.count == 1 || refusals > Self.refusalsMax {
                    all.skippedCount += part.count
                } else {
                    let half = part.count / 2
                    parts += [part.dropFirst(half), part.prefix(half)]
                }
            }
        }
        return refusal
    }

    /// Reads the tickers of one call.
    private func tickers(
        _ markets: ArraySlice<String>
    ) async throws(DataSourceError) -> MarketTickersDTO {
        let query = Self.query(markets)
        let response = try await client.get("ticker", query: query, .ticker, of: .v2)
        var some = try client.read(response) { body throws(DataSourceError) in
            var decoder = MarketDataDecoder()
            return try decoder.tickers(body)
        }
        some.asOfMilliseconds = some.tickers.map(\.tradedAtMilliseconds).max()
        some.feedLabel = response.feedLabel
        return some
    }

    /// Reads order books: thirty levels a side of one market, fifteen of each of several, in calls
    /// of at most ``marketsMax``.
    ///
    /// - Parameter markets: `KRW-XRP`, …
    /// - Returns: the books in the order of the wire.
    /// - Throws: as ``tickers(markets:)``.
    public func orderBooks(markets: [String]) async throws(DataSourceError) -> OrderBooksDTO {
        var all = OrderBooksDTO(books: [])
        for call in Self.chunks(markets) {
            let query = Self.query(call)
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
            precondition((0...7).contains(daysAgo), "Trades of up to 7 days ago are kept.")
            precondition(
                time.utf8.count == 6 && time.utf8.allSatisfy { (0x30...0x39).contains($0) },
                "A time of day is HHmmss."
            )
            query += (daysAgo == 0 ? "" : "&daysAgo=\(daysAgo)") + "&to=\(time)"
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

    /// The markets of each call.
    private static func chunks(_ markets: [String]) -> [ArraySlice<String>] {
        markets.forEach(check)
        return stride(from: 0, to: markets.count, by: marketsMax).map { first in
            markets[first...].prefix(marketsMax)
        }
    }

    private static func query(_ markets: ArraySlice<String>) -> String {
        "?markets=" + markets.joined(separator: ",")
    }

    private static func check(_ market: String) {
        precondition(
            market.split(separator: "-", omittingEmptySubsequences: false).count == 2
                && market.utf8.allSatisfy { $0 == UInt8(ascii: "-") || BithumbClient.isPlain($0) },
            "Markets are spelled with letters, digits, underscores and one hyphen."
        )
    }
}

extension MarketTickersDTO {
    /// Adds the rows of a later call.
    fileprivate mutating func append(_ later: MarketTickersDTO) {
        tickers += later.tickers
        skippedCount += later.skippedCount
        asOfMilliseconds = asOfMilliseconds ?? later.asOfMilliseconds
        feedLabel = feedLabel ?? later.feedLabel
    }
}
