import Domain
import Synchronization

extension SimulatedFeed {
    // MARK: REST of API 2.x

    /// The body of `/v1/ticker`, of the same time as ``allTickers(of:)``; nil if any market is not
    /// listed.
    func tickers(of ids: [MarketID], _ quirks: MarketTickerQuirks) -> [UInt8]? {
        guard let markets = state.withLock({ Self.places(of: ids, $0) }) else { return nil }
        findPastTrades(of: markets)
        return state.withLock { state in
            var writer = MarketResponseWriter()
            writer.quirks = quirks
            let time = state.exchange.now
            return writer.tickers(markets.map { state.exchange.markets[$0] }, at: time)
        }
    }

    /// The body of `/v1/orderbook`; nil if any market is not listed.
    func marketBooks(of ids: [MarketID], count: Int) -> [UInt8]? {
        state.withLock { state in
            guard let places = Self.places(of: ids, state) else { return nil }
            var books: [(book: SimulatedBook, market: SimulatedMarket)] = []
            for place in places {
                let book = state.books.book(ofMarketAt: place, of: state.exchange)
                books.append((book, state.exchange.markets[place]))
            }
            var writer = MarketResponseWriter()
            return writer.books(books, count: count, at: state.exchange.now)
        }
    }

    /// The body of `/v1/trades/ticks`; nil if the market is not listed.
    func tradePage(of id: MarketID, _ page: TradePage) -> [UInt8]? {
        guard let market = market(id) else { return nil }
        var trades = Array(market.trades.all.reversed().lazy.filter(page.includes))
        trades = Array(trades.prefix(page.count))
        let missing = page.count - trades.count
        if missing > 0, let past = market.past {
            // Most pages end within the last 25 hours, which are quicker to generate.
            var earlier = past.trades(in: past.recentMinutes(), of: page, count: missing)
            if earlier.count < missing, let minutes = minutes.part(of: market) {
                earlier = past.trades(in: minutes, of: page, count: missing)
            }
            trades += earlier
        }
        var closes: [Int: Int64] = [SeoulTime(clock.now()).day: market.day.previousClose]
        let entries = trades.map { trade in
            let day = SeoulTime(trade.at).day
            let close = closes[day] ?? previousClose(on: day, of: market)
            closes[day] = close
            return (trade: trade, previousClose: close)
        }
        var writer = MarketResponseWriter()
        return writer.trades(entries, of: market)
    }

    private func previousClose(on day: Int, of market: SimulatedMarket) -> Int64 {
        let start = SeoulMinute.number(of: SeoulTime.startOfDay(day))
        return market.close(before: start, past: nil)
            ?? market.close(before: start, past: minutes.part(of: market))
            ?? market.day.previousClose
    }

    /// Writes the body of `/v1/candles/…`; nil if the market is not listed.
    ///
    /// - Parameters:
    ///   - id: the market.
    ///   - unit: the length of the candles.
    ///   - end: candles open before this; nil for the newest ones.
    ///   - count: how many, newest first.
    ///   - isConverted: whether days show their price in won too.
    /// - Returns: the body.
    func marketCandles(
        of id: MarketID,
        _ unit: MarketCandleUnit,
        before end: Timestamp?,
        count: Int,
        isConverted: Bool
    ) -> [UInt8]? {
        guard let market = market(id) else { return nil }
        // A bucket begins with a minute.
        let minute = end.map { SeoulMinute.number(of: $0.advanced(by: .microseconds(-1))) + 1 }
        let rows = rows(unit, of: market, before: minute ?? market.history.minute + 1, count: count)
        var entries: [MarketResponseWriter.CandleEntry] = []
        for (index, row) in rows.enumerated() {
            entries.append(
                MarketResponseWriter.CandleEntry(
                    row: row,
                    previousClose: index > 0 ? rows[index - 1].close : row.open,
                    lastTradeMilliseconds: Self.lastTrade(of: row, in: market)
                )
            )
        }
        let bitcoin = isConverted ? Self.bitcoin.flatMap(self.market)?.price : nil
        var writer = MarketResponseWriter()
        return writer.candles(
            entries.suffix(count).reversed(),
            unit,
            of: market,
            bitcoinPrice: bitcoin
        )
    }

    /// The market whose price converts prices of bitcoin markets.
    private static let bitcoin = MarketID(symbol: "BTC", quote: .krw)

    /// One row more than asked for, if there is one.
    private func rows(
        _ unit: MarketCandleUnit,
        of market: SimulatedMarket,
        before end: Int,
        count: Int
    ) -> [CandleRow] {
        guard unit.isBuiltFromMinutes else {
            return market.longRows(
                unit,
                before: end,
                count: count + 1,
                archive: archives.part(of: market),
                closure: closure
            )
        }
        let closure = closure
        func rows(_ past: PastMinutes?) -> [CandleRow] {
            market.minuteRows(unit, before: end, count: count + 1, past: past, closure: closure)
        }
        // The market holds the last 25 hours, whose oldest bucket is not whole.
        let recent = market.recentRows(unit, before: end, count: count + 1, closure: closure)
        return recent.count > count ? recent : rows(minutes.part(of: market))
    }

    /// The time of a row's last trade, as far as it is known: else the end of its minute.
    private static func lastTrade(of row: CandleRow, in market: SimulatedMarket) -> Int64 {
        if let last = market.trades.last, SeoulMinute.number(of: last.at) == row.last {
            return last.milliseconds
        }
        return SeoulMinute.end(of: row.last).microseconds / 1_000 - 1
    }

    // MARK: Places

    /// The indexes of markets, each once and in this order; nil if any is not listed.
    private static func places(of ids: [MarketID], _ state: State) -> [Int]? {
        var places: [Int] = []
        var seen: Set<Int> = []
        for id in ids {
            guard let place = state.listings.places[id.name] else { return nil }
            if seen.insert(place).inserted { places.append(place) }
        }
        return places
    }

    /// Finds the last trades of markets that were not traded for more than a day.
    ///
    /// Generated outside the lock, once for each market.
    func findPastTrades(of places: [Int]) {
        let untraded = state.withLock { state in
            places.map { ($0, state.exchange.markets[$0]) }
                .filter { $0.1.lastTrade == nil && $0.1.past != nil }
        }
        for (place, market) in untraded {
            guard let trade = archives.part(of: market)?.trades.last else { continue }
            state.withLock { $0.exchange.setPastTrade(trade, ofMarketAt: place) }
        }
    }
}
