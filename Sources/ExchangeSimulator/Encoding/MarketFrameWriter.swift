import Domain

/// Writes the stream's `ticker`, `trade` and `orderbook` messages of API 2.x.
struct MarketFrameWriter: Sendable {
    /// Whether a frame shows a change or the state at the time of a request.
    enum StreamType: String, Sendable {
        case snapshot = "SNAPSHOT"
        case realtime = "REALTIME"
    }

    /// How trades are identified.
    var identity = StreamTradeIdentity()
    /// How tickers are written.
    var quirks = MarketTickerQuirks()
    /// Whether the next ticker without a date of delisting has null.
    private var isDelistingNull = true
    private var text = WireText()
    private var format = MarketFrameFormat.full

    /// Number of fraction digits of a rate on the stream.
    private static let rateDigits = 8

    // MARK: Messages

    /// One `ticker` message with the market's state after its last trade.
    mutating func ticker(
        _ figures: MarketTickerFigures,
        isWarned: Bool,
        at now: Timestamp,
        _ streamType: StreamType,
        _ format: MarketFrameFormat
    ) -> [UInt8] {
        let market = figures.market
        begin(.ticker, market.id, format)
        appendPrices(of: figures)
        appendSums(of: market)
        let seoul = SeoulTime(figures.last.at)
        append(.tradeDate, seoul.compactDate)
        append(.tradeTime, seoul.compactClock)
        append(.tradeTimestamp, figures.last.milliseconds)
        append(.askBid, figures.last.isBuy ? "BID" : "ASK")
        let day = market.sums(of: .midnight)
        append(.accAskVolume, day.sold, digits: SimulatedTrade.volumeDigits)
        append(.accBidVolume, day.bought, digits: SimulatedTrade.volumeDigits)
        appendRange(figures.range, of: market)
        append(.marketState, "ACTIVE")
        append(.isTradingSuspended, market.standing != .active)
        appendDelistingDate()
        append(.marketWarning, isWarned ? "CAUTION" : "NONE")
        return end(milliseconds(of: now), streamType)
    }

    /// One `trade` message.
    mutating func trade(
        _ trade: SimulatedTrade,
        of market: SimulatedMarket,
        _ streamType: StreamType,
        _ format: MarketFrameFormat
    ) -> [UInt8] {
        let digits = market.ladder.fractionDigits
        let change = trade.price - market.day.previousClose
        let milliseconds = identity.milliseconds(of: trade)
        let seoul = SeoulTime(Timestamp(milliseconds: milliseconds))
        begin(.trade, market.id, format)
        append(.tradePrice, trade.price, digits: digits)
        append(.tradeVolume, trade.quantity, digits: SimulatedTrade.quantityDigits)
        append(.askBid, trade.isBuy ? "BID" : "ASK")
        append(.prevClosingPrice, market.day.previousClose, digits: digits)
        append(.change, change > 0 ? "RISE" : (change < 0 ? "FALL" : "EVEN"))
        append(.changePrice, abs(change), digits: digits)
        append(.tradeDate, seoul.date)
        append(.tradeTime, seoul.clockTime)
        append(.tradeTimestamp, milliseconds)
        append(.sequentialID, identity.id(of: trade))
        return end(milliseconds, streamType)
    }

    /// One `orderbook` message: the whole view, with its time in microseconds.
    mutating func book(
        _ book: SimulatedBook,
        of market: SimulatedMarket,
        _ view: BookView,
        at time: Timestamp,
        _ streamType: StreamType
    ) -> [UInt8] {
        let units = OrderBookUnits(of: book, view, market)
        let digits = SimulatedLevel.quantityDigits
        begin(.orderbook, market.id, view.format)
        append(.totalAskSize, units.askSize, digits: digits)
        append(.totalBidSize, units.bidSize, digits: digits)
        appendKey(.orderbookUnits)
        text.append("[")
        for index in 0..<units.count {
            let (ask, bid) = units[index]
            text.append(index == 0 ? "{" : ",{")
            append(.askPrice, ask.price, digits: market.ladder.fractionDigits)
            append(.bidPrice, bid.price, digits: market.ladder.fractionDigits)
            append(.askSize, ask.quantity, digits: digits)
            append(.bidSize, bid.quantity, digits: digits)
            text.removeLastByte()
            text.append("}")
        }
        text.append("],")
        append(.level, Int64(view.level))
        return end(time.microseconds, streamType)
    }

    // MARK: Parts

    private mutating func appendPrices(of figures: MarketTickerFigures) {
        let digits = figures.market.ladder.fractionDigits
        let rate = figures.rate(digits: Self.rateDigits)
        append(.openingPrice, figures.open, digits: digits)
        append(.highPrice, figures.high, digits: digits)
        append(.lowPrice, figures.low, digits: digits)
        append(.tradePrice, figures.market.price, digits: digits)
        append(.prevClosingPrice, figures.previousClose, digits: digits)
        append(.change, figures.direction)
        append(.changePrice, abs(figures.change), digits: digits)
        append(.signedChangePrice, figures.change, digits: digits)
        append(.changeRate, abs(rate), digits: Self.rateDigits)
        append(.signedChangeRate, rate, digits: Self.rateDigits)
        append(.tradeVolume, figures.last.quantity, digits: SimulatedTrade.quantityDigits)
    }

    private mutating func appendSums(of market: SimulatedMarket) {
        let day = market.sums(of: .midnight)
        let rolling = market.sums(of: .hours24)
        append(sum: .accTradeVolume, day.volume, digits: SimulatedTrade.volumeDigits)
        append(sum: .accTradeVolume24h, rolling.volume, digits: SimulatedTrade.volumeDigits)
        append(sum: .accTradePrice, day.value, digits: market.valueDigits)
        append(sum: .accTradePrice24h, rolling.value, digits: market.valueDigits)
    }

    /// An empty text since 2026, null in 2024; absent in one page of the documentation.
    private mutating func appendDelistingDate() {
        if quirks.hasDelistingDates { return append(.delistingDate, "") }
        defer { isDelistingNull.toggle() }
        guard isDelistingNull else { return }
        appendKey(.delistingDate)
        text.append("null,")
    }

    /// The range of 52 weeks, whose days are one earlier than those of REST, as on the exchange.
    private mutating func appendRange(_ range: YearRange, of market: SimulatedMarket) {
        let digits = market.ladder.fractionDigits
        append(.highest52WeekPrice, range.high, digits: digits)
        append(.highest52WeekDate, SeoulTime(SeoulTime.startOfDay(range.highDay - 1)).date)
        append(.lowest52WeekPrice, range.low, digits: digits)
        append(.lowest52WeekDate, SeoulTime(SeoulTime.startOfDay(range.lowDay - 1)).date)
    }

    private func milliseconds(of time: Timestamp) -> Int64 { time.microseconds / 1_000 }

    // MARK: Fields

    private mutating func begin(
        _ type: MarketFrameType,
        _ id: MarketID,
        _ format: MarketFrameFormat
    ) {
        self.format = format
        text.removeAll()
        text.append("{")
        append(.type, type.rawValue)
        append(.code, id.code)
    }

    private mutating func end(_ timestamp: Int64, _ streamType: StreamType) -> [UInt8] {
        append(.timestamp, timestamp)
        append(.streamType, streamType.rawValue)
        text.removeLastByte()
        text.append("}")
        return text.bytes
    }

    private mutating func appendKey(_ field: MarketFrameField) {
        text.append(MarketFrameField.keys(format)[field.rawValue])
    }

    private mutating func append(
        _ field: MarketFrameField,
        _ value: some BinaryInteger,
        digits: Int
    ) {
        appendKey(field)
        text.append(number: Int128(value), digits: digits)
        text.append(Self.comma)
    }

    private mutating func append(
        sum field: MarketFrameField,
        _ value: some BinaryInteger,
        digits: Int
    ) {
        appendKey(field)
        text.append(sum: Int128(value), digits: digits, quirks)
        text.append(Self.comma)
    }

    private mutating func append(_ field: MarketFrameField, _ value: Int64) {
        appendKey(field)
        text.append(decimal: value, digits: 0)
        text.append(Self.comma)
    }

    private mutating func append(_ field: MarketFrameField, _ value: String) {
        appendKey(field)
        text.append(Self.quote)
        text.append(value)
        text.append(Self.quoteAndComma)
    }

    private mutating func append(_ field: MarketFrameField, _ value: Bool) {
        appendKey(field)
        text.append(value ? "true," : "false,")
    }

    private static let comma = Array(",".utf8)
    private static let quote = Array(#"""#.utf8)
    private static let quoteAndComma = Array(#"","#.utf8)
}

/// How the stream of API 2.x identifies trades: by other numbers than REST.
struct StreamTradeIdentity: Sendable, Equatable {
    /// Whether ids are made as before 2025-09-16: as those of REST.
    var isOld = false
    /// The distance of a trade's time on the stream from its time in REST, in milliseconds.
    var offsetMilliseconds: Int64 = 0

    /// 2025-09-16 00:00 in Seoul.
    private static let epochMilliseconds: Int64 = 1_757_948_400_000
    /// Bits below the time: the trade's number in its millisecond.
    private static let counterBits: Int64 = 25
    private static let oldIDsPerMillisecond: Int64 = 10_000

    func milliseconds(of trade: SimulatedTrade) -> Int64 {
        trade.milliseconds + offsetMilliseconds
    }

    func id(of trade: SimulatedTrade) -> Int64 {
        let time = milliseconds(of: trade)
        if isOld { return time * Self.oldIDsPerMillisecond + Int64(trade.counter) }
        return (time - Self.epochMilliseconds) << Self.counterBits | Int64(trade.counter)
    }
}
