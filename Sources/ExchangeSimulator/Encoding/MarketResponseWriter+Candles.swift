import Domain

extension MarketResponseWriter {
    /// One row of `/v1/candles/…`.
    struct CandleEntry {
        var row: CandleRow
        /// The close of the row before.
        var previousClose: Int64
        /// Unix milliseconds of the last trade.
        var lastTradeMilliseconds: Int64
    }

    /// Candles, newest first.
    ///
    /// Prices of bitcoin markets are converted with `bitcoinPrice`, the won price of a bitcoin in
    /// units of its grid; nil if no conversion is wanted.
    mutating func candles(
        _ entries: [CandleEntry],
        _ unit: MarketCandleUnit,
        of market: SimulatedMarket,
        bitcoinPrice: Int64?
    ) -> [UInt8] {
        let digits = market.ladder.fractionDigits
        return list(entries) { writer, entry in
            let row = entry.row
            let start = SeoulMinute.start(of: row.start)
            let seoul = SeoulTime(start)
            let utc = SeoulTime(start.advanced(by: .zero - SeoulTime.offset))
            writer.append("market", market.id.code)
            writer.append("candle_date_time_utc", "\(utc.date)T\(utc.clockTime)")
            writer.append("candle_date_time_kst", "\(seoul.date)T\(seoul.clockTime)")
            writer.append("opening_price", row.open, digits: digits)
            writer.append("high_price", row.high, digits: digits)
            writer.append("low_price", row.low, digits: digits)
            writer.append("trade_price", row.close, digits: digits)
            writer.append("timestamp", entry.lastTradeMilliseconds, digits: 0)
            writer.append("candle_acc_trade_price", row.value, digits: market.valueDigits)
            writer.append(
                "candle_acc_trade_volume",
                row.volume,
                digits: SimulatedTrade.quantityDigits
            )
            switch unit {
            case .minutes(let count): writer.append("unit", count, digits: 0)
            case .days:
                writer.appendChange(of: entry, digits: digits)
                guard let bitcoinPrice else { return }
                writer.appendConverted(row.close, of: market, bitcoinPrice: bitcoinPrice)
            case .weeks, .months: writer.append("first_day_of_period", seoul.date)
            }
        }
    }

    private mutating func appendChange(of entry: CandleEntry, digits: Int) {
        let change = entry.row.close - entry.previousClose
        append("prev_closing_price", entry.previousClose, digits: digits)
        append("change_price", change, digits: digits)
        let rate = WireRatio.rounded(
            Int128(change),
            of: Int128(entry.previousClose),
            digits: Self.rateDigits
        )
        append("change_rate", rate, digits: Self.rateDigits)
    }

    private mutating func appendConverted(
        _ price: Int64,
        of market: SimulatedMarket,
        bitcoinPrice: Int64
    ) {
        let key = "converted_trade_price"
        let digits = market.ladder.fractionDigits
        switch market.id.quote {
        case .krw: append(key, price, digits: digits)
        case .btc:
            let won = Int128(price) * Int128(bitcoinPrice)
            append(key, won, digits: digits + PriceGrid.krw.fractionDigits)
        }
    }
}
