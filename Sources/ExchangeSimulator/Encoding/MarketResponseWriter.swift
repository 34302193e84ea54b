import Domain

/// Writes the bodies of API 2.x: `/v1/ticker`, `/v1/orderbook`, `/v1/trades/…`, `/v1/candles/…`.
struct MarketResponseWriter: Sendable {
    /// How tickers are written.
    var quirks = MarketTickerQuirks()
    private(set) var text = WireText()

    /// Times of tickers are the wall clock of Seoul written as Unix milliseconds.
    private var tickerOffset: Duration { quirks.hasTrueTimes ? .zero : SeoulTime.offset }
    /// Number of fraction digits of a rate in REST.
    static let rateDigits = 4

    // MARK: Tickers

    /// The tickers of markets, in this order.
    mutating func tickers(_ markets: [SimulatedMarket], at now: Timestamp) -> [UInt8] {
        list(markets) { writer, market in
            let figures = MarketTickerFigures(of: market, at: now)
            writer.append("market", market.id.code)
            writer.appendTimes(of: figures.last)
            writer.appendPrices(of: figures)
            writer.appendSums(of: market)
            writer.appendRange(figures.range, of: market)
            let at = figures.last.at.advanced(by: writer.tickerOffset)
            writer.append("timestamp", Int128(at.microseconds / 1_000), digits: 0)
        }
    }

    private mutating func appendTimes(of trade: SimulatedTrade) {
        let seoul = SeoulTime(trade.at)
        // The calendar of Seoul, nine hours earlier, is the one of UTC.
        let utc = SeoulTime(trade.at.advanced(by: .zero - SeoulTime.offset))
        append("trade_date", utc.compactDate)
        append("trade_time", utc.compactClock)
        append("trade_date_kst", seoul.compactDate)
        append("trade_time_kst", seoul.compactClock)
        let at = trade.at.advanced(by: tickerOffset)
        append("trade_timestamp", Int128(at.microseconds / 1_000), digits: 0)
    }

    private mutating func appendPrices(of figures: MarketTickerFigures) {
        let digits = figures.market.ladder.fractionDigits
        append("opening_price", figures.open, digits: digits)
        append("high_price", figures.high, digits: digits)
        append("low_price", figures.low, digits: digits)
        append("trade_price", figures.market.price, digits: digits)
        append("prev_closing_price", figures.previousClose, digits: digits)
        append("change", figures.direction)
        let rate = figures.rate(digits: Self.rateDigits)
        append("change_price", abs(figures.change), digits: digits)
        append("change_rate", abs(rate), digits: Self.rateDigits)
        append("signed_change_price", figures.change, digits: digits)
        append("signed_change_rate", rate, digits: Self.rateDigits)
        append("trade_volume", figures.last.quantity, digits: SimulatedTrade.quantityDigits)
    }

    private mutating func appendSums(of market: SimulatedMarket) {
        let day = market.sums(of: .midnight)
        let rolling = market.sums(of: .hours24)
        append(sum: "acc_trade_price", day.value, digits: market.valueDigits)
        append(sum: "acc_trade_price_24h", rolling.value, digits: market.valueDigits)
        append(sum: "acc_trade_volume", day.volume, digits: SimulatedTrade.volumeDigits)
        append(sum: "acc_trade_volume_24h", rolling.volume, digits: SimulatedTrade.volumeDigits)
    }

    private mutating func appendRange(_ range: YearRange, of market: SimulatedMarket) {
        let digits = market.ladder.fractionDigits
        append("highest_52_week_price", range.high, digits: digits)
        append("highest_52_week_date", SeoulTime(SeoulTime.startOfDay(range.highDay)).date)
        append("lowest_52_week_price", range.low, digits: digits)
        append("lowest_52_week_date", SeoulTime(SeoulTime.startOfDay(range.lowDay)).date)
    }

    // MARK: Order books

    /// Order books with at most `count` units each.
    mutating func books(
        _ books: [(book: SimulatedBook, market: SimulatedMarket)],
        count: Int,
        at time: Timestamp
    ) -> [UInt8] {
        list(books) { writer, entry in
            let view = OrderBookUnits(of: entry.book, count: count)
            let digits = SimulatedLevel.quantityDigits
            writer.append("market", entry.market.id.code)
            writer.append("timestamp", Int128(time.microseconds / 1_000), digits: 0)
            writer.append("total_ask_size", view.askSize, digits: digits)
            writer.append("total_bid_size", view.bidSize, digits: digits)
            writer.text.append(#""orderbook_units":["#)
            for index in 0..<view.count {
                let (ask, bid) = view[index]
                writer.text.append(index == 0 ? "{" : ",{")
                writer.append("ask_price", ask.price, digits: entry.market.ladder.fractionDigits)
                writer.append("bid_price", bid.price, digits: entry.market.ladder.fractionDigits)
                writer.append("ask_size", ask.quantity, digits: digits)
                writer.append("bid_size", bid.quantity, digits: digits)
                writer.endObject()
            }
            writer.text.append("],")
        }
    }

    // MARK: Trades

    /// Trades, newest first, each with the close of the day before.
    mutating func trades(
        _ trades: [(trade: SimulatedTrade, previousClose: Int64)],
        of market: SimulatedMarket
    ) -> [UInt8] {
        let digits = market.ladder.fractionDigits
        return list(trades) { writer, entry in
            let trade = entry.trade
            let utc = SeoulTime(trade.at.advanced(by: .zero - SeoulTime.offset))
            writer.append("market", market.id.code)
            writer.append("trade_date_utc", utc.date)
            writer.append("trade_time_utc", utc.clockTime)
            writer.append("timestamp", trade.milliseconds, digits: 0)
            writer.append("trade_price", trade.price, digits: digits)
            writer.append("trade_volume", trade.quantity, digits: SimulatedTrade.quantityDigits)
            writer.append("prev_closing_price", entry.previousClose, digits: digits)
            writer.append("change_price", trade.price - entry.previousClose, digits: digits)
            writer.append("ask_bid", trade.isBuy ? "BID" : "ASK")
            writer.append("sequential_id", trade.sequentialID, digits: 0)
        }
    }

    // MARK: Texts

    /// A list of objects whose fields end with a comma each.
    mutating func list<Element>(
        _ elements: [Element],
        _ write: (inout MarketResponseWriter, Element) -> Void
    ) -> [UInt8] {
        text.removeAll()
        text.append("[")
        for (index, element) in elements.enumerated() {
            text.append(index == 0 ? "{" : ",{")
            write(&self, element)
            endObject()
        }
        text.append("]")
        return text.bytes
    }

    private mutating func endObject() {
        text.removeLastByte()
        text.append("}")
    }

    mutating func append(_ key: String, _ value: some BinaryInteger, digits: Int) {
        text.append("\"\(key)\":")
        text.append(number: Int128(value), digits: digits)
        text.append(",")
    }

    private mutating func append(sum key: String, _ value: some BinaryInteger, digits: Int) {
        text.append("\"\(key)\":")
        text.append(sum: Int128(value), digits: digits, quirks)
        text.append(",")
    }

    mutating func append(_ key: String, _ value: String) {
        text.append("\"\(key)\":\"\(value)\",")
    }
}
