import Domain

/// Writes the bodies of `/public/transaction_history/…` and `/public/candlestick/…`.
struct HistoryResponseWriter: Sendable {
    private var text = WireText()

    private static let millisecondsPerMinute: Int64 = 60_000

    /// Trades, oldest first, at whole seconds of Seoul time.
    mutating func trades(
        _ trades: some Sequence<SimulatedTrade>,
        of market: SimulatedMarket
    )
        -> [UInt8]
    {
        begin()
        for (index, trade) in trades.enumerated() {
            text.append(index == 0 ? #"{"transaction_date":""# : #",{"transaction_date":""#)
            text.append(SeoulTime(trade.at))
            text.append(trade.isBuy ? #"","type":"bid","# : #"","type":"ask","#)
            text.append(#""units_traded":""#)
            text.append(decimal: trade.quantity, digits: SimulatedTrade.quantityDigits)
            text.append(#"","price":""#)
            text.append(decimal: trade.price, digits: market.ladder.fractionDigits)
            text.append(#"","total":""#)
            text.append(
                decimal: trade.amount(in: market.id.quote),
                digits: SimulatedTrade.amountDigits(in: market.id.quote)
            )
            text.append(#""}"#)
        }
        text.append("]}")
        return text.bytes
    }

    /// Rows of a chart, oldest first: time, open, close, high, low, volume.
    mutating func candles(
        _ rows: some Sequence<SimulatedMarket.WrittenRow>,
        of market: SimulatedMarket
    ) -> [UInt8] {
        begin()
        let digits = market.ladder.fractionDigits
        for (index, written) in rows.enumerated() {
            let row = written.row
            text.append(index == 0 ? "[" : ",[")
            text.append(
                decimal: Int64(written.minute) * Self.millisecondsPerMinute,
                digits: 0
            )
            for price in [row.open, row.close, row.high, row.low] {
                text.append(#",""#)
                text.append(decimal: price, digits: digits)
                text.append(#"""#)
            }
            text.append(#",""#)
            // Only here the exchange omits the zero before the point.
            text.append(
                decimal: row.volume,
                digits: SimulatedTrade.quantityDigits,
                leadingZero: false
            )
            text.append(#""]"#)
        }
        text.append("]}")
        return text.bytes
    }

    private mutating func begin() {
        text.removeAll()
        text.append(#"{"status":"0000","data":["#)
    }
}
