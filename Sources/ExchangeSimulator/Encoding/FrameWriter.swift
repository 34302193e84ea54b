import Domain

/// Writes the stream's `transaction` and `ticker` messages.
struct FrameWriter: Sendable {
    private var text = WireText()
    /// Cached text of the calendar day.
    private var civil = CivilDay()

    /// The maximum of volumePower, in hundredths of a percent.
    private static let volumePowerMax: Int64 = 50_000

    /// One `transaction` message with all trades of an event.
    mutating func transaction(_ trades: [SimulatedTrade], of market: SimulatedMarket) -> [UInt8] {
        text.removeAll()
        text.append(Keys.transactionStart)
        for (index, trade) in trades.enumerated() {
            if index > 0 { text.append(Keys.comma) }
            append(trade, of: market)
        }
        text.append(Keys.transactionEnd)
        return text.bytes
    }

    /// One `ticker` message with the market's state after its last trade.
    mutating func ticker(
        _ period: TickerPeriod,
        of market: SimulatedMarket,
        at time: Timestamp
    ) -> [UInt8] {
        let sums = market.sums(of: period)
        let open = market.open(of: period)
        let digits = market.ladder.fractionDigits
        let seoul = SeoulTime(time)
        civil.move(to: seoul)
        text.removeAll()
        text.append(Keys.tickerStart)
        text.append(period.rawValue)
        text.append(Keys.date)
        text.append(civil.compact)
        text.append(Keys.time)
        appendClock(seoul, separator: nil)
        text.append(Keys.openPrice)
        text.append(decimal: open, digits: digits)
        text.append(Keys.closePrice)
        text.append(decimal: market.price, digits: digits)
        text.append(Keys.lowPrice)
        text.append(decimal: sums.hasTrades ? sums.low : market.price, digits: digits)
        text.append(Keys.highPrice)
        text.append(decimal: sums.hasTrades ? sums.high : market.price, digits: digits)
        text.append(Keys.value)
        text.append(decimal: sums.value, digits: market.valueDigits)
        text.append(Keys.volume)
        text.append(decimal: sums.volume, digits: SimulatedTrade.volumeDigits)
        text.append(Keys.sellVolume)
        text.append(decimal: sums.sold, digits: SimulatedTrade.volumeDigits)
        text.append(Keys.buyVolume)
        text.append(decimal: sums.bought, digits: SimulatedTrade.volumeDigits)
        text.append(Keys.prevClosePrice)
        text.append(decimal: market.day.previousClose, digits: digits)
        text.append(Keys.chgRate)
        text.append(
            decimal: WireRatio.hundredthsOfPercent(Int128(market.price - open), of: Int128(open)),
            digits: 2
        )
        text.append(Keys.chgAmt)
        text.append(decimal: market.price - open, digits: digits)
        text.append(Keys.volumePower)
        text.append(decimal: Self.volumePower(sums), digits: 2)
        text.append(Keys.symbol)
        text.append(market.id.symbol)
        text.append(Keys.underscore)
        text.append(market.id.quote.rawValue)
        text.append(Keys.end)
        return text.bytes
    }

    private mutating func append(_ trade: SimulatedTrade, of market: SimulatedMarket) {
        let seoul = SeoulTime(trade.at)
        civil.move(to: seoul)
        text.append(trade.isBuy ? Keys.bought : Keys.sold)
        text.append(decimal: trade.price, digits: market.ladder.fractionDigits)
        text.append(Keys.contQty)
        text.append(decimal: trade.quantity, digits: SimulatedTrade.quantityDigits)
        text.append(Keys.contAmt)
        text.append(
            decimal: trade.amount(in: market.id.quote),
            digits: SimulatedTrade.amountDigits(in: market.id.quote)
        )
        text.append(Keys.contDtm)
        text.append(civil.dashed)
        text.append(Keys.space)
        appendClock(seoul, separator: Keys.colon)
        text.append(Keys.point)
        text.append(padded: seoul.clock.microsecond, digits: 6)
        text.append(trade.isUp ? Keys.up : Keys.down)
        text.append(market.id.symbol)
        text.append(Keys.underscore)
        text.append(market.id.quote.rawValue)
        text.append(Keys.closeTrade)
    }

    private mutating func appendClock(_ seoul: SeoulTime, separator: [UInt8]?) {
        let clock = seoul.clock
        text.append(padded: clock.hour, digits: 2)
        if let separator { text.append(separator) }
        text.append(padded: clock.minute, digits: 2)
        if let separator { text.append(separator) }
        text.append(padded: clock.second, digits: 2)
    }

    /// Bought ÷ sold in hundredths of a percent, capped as on the exchange; the cap if nothing was
    /// sold.
    private static func volumePower(_ sums: MinuteSums) -> Int64 {
        if sums.sold == 0 { return sums.bought == 0 ? 0 : volumePowerMax }
        // The cap first: the ratio of thin markets would overflow.
        if sums.bought / sums.sold >= 5 { return volumePowerMax }
        return min(
            volumePowerMax,
            WireRatio.hundredthsOfPercent(sums.bought, of: sums.sold)
        )
    }
}

/// The texts of a Seoul calendar day, made once a day.
private struct CivilDay: Sendable {
    private var day = Int.min
    /// `20261120`.
    private(set) var compact: [UInt8] = []
    /// `2026-11-20`.
    private(set) var dashed: [UInt8] = []

    mutating func move(to seoul: SeoulTime) {
        guard seoul.day != day else { return }
        day = seoul.day
        let civil = seoul.civil
        var text = WireText()
        text.append(padded: civil.year, digits: 4)
        text.append(padded: civil.month, digits: 2)
        text.append(padded: civil.day, digits: 2)
        compact = text.bytes
        dashed =
            compact[..<4] + [UInt8(ascii: "-")] + compact[4..<6] + [UInt8(ascii: "-")]
            + compact[6...]
    }
}

/// The fixed parts of messages, with keys in the exchange's order.
private enum Keys: Sendable {
    static let tickerStart = Array(#"{"type":"ticker","content":{"tickType":""#.utf8)
    static let date = Array(#"","date":""#.utf8)
    static let time = Array(#"","time":""#.utf8)
    static let openPrice = Array(#"","openPrice":""#.utf8)
    static let closePrice = Array(#"","closePrice":""#.utf8)
    static let lowPrice = Array(#"","lowPrice":""#.utf8)
    static let highPrice = Array(#"","highPrice":""#.utf8)
    static let value = Array(#"","value":""#.utf8)
    static let volume = Array(#"","volume":""#.utf8)
    static let sellVolume = Array(#"","sellVolume":""#.utf8)
    static let buyVolume = Array(#"","buyVolume":""#.utf8)
    static let prevClosePrice = Array(#"","prevClosePrice":""#.utf8)
    static let chgRate = Array(#"","chgRate":""#.utf8)
    static let chgAmt = Array(#"","chgAmt":""#.utf8)
    static let volumePower = Array(#"","volumePower":""#.utf8)
    static let symbol = Array(#"","symbol":""#.utf8)
    static let end = Array(#""}}"#.utf8)
    static let transactionStart = Array(#"{"type":"transaction","content":{"list":["#.utf8)
    static let sold = Array(#"{"buySellGb":"1","contPrice":""#.utf8)
    static let bought = Array(#"{"buySellGb":"2","contPrice":""#.utf8)
    static let contQty = Array(#"","contQty":""#.utf8)
    static let contAmt = Array(#"","contAmt":""#.utf8)
    static let contDtm = Array(#"","contDtm":""#.utf8)
    static let up = Array(#"","updn":"up","symbol":""#.utf8)
    static let down = Array(#"","updn":"dn","symbol":""#.utf8)
    static let closeTrade = Array(#""}"#.utf8)
    static let transactionEnd = Array("]}}".utf8)
    static let comma = Array(",".utf8)
    static let space = Array(" ".utf8)
    static let colon = Array(":".utf8)
    static let point = Array(".".utf8)
    static let underscore = Array("_".utf8)
}
