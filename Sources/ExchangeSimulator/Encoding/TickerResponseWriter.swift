import Domain

/// Writes the bodies of `/public/ticker/…` with the exchange's quirks.
struct TickerResponseWriter: Sendable {
    private var text = WireText()

    /// All markets of a quote currency: a map by coin, with `date` as its last key.
    mutating func all(_ markets: [SimulatedMarket], at time: Timestamp) -> [UInt8] {
        text.removeAll()
        text.append(#"{"status":"0000","data":{"#)
        for market in markets {
            switch market.standing {
            case .active:
                text.append("\"\(market.id.symbol)\":{")
                appendFields(of: market)
                text.append("},")
            case .suspended: text.append("\"\(market.id.symbol)\":[],")
            case .delisted: break
            }
        }
        appendDate(time)
        text.append("}}")
        return text.bytes
    }

    /// One market, with `date` among its fields.
    mutating func single(_ market: SimulatedMarket, at time: Timestamp) -> [UInt8] {
        text.removeAll()
        text.append(#"{"status":"0000","data":"#)
        switch market.standing {
        case .active:
            text.append("{")
            appendFields(of: market)
            text.append(",")
            appendDate(time)
            text.append("}}")
        case .suspended, .delisted: text.append("[]}")
        }
        return text.bytes
    }

    private mutating func appendDate(_ time: Timestamp) {
        text.append(#""date":""#)
        text.append(decimal: time.microseconds / 1_000, digits: 0)
        text.append(#"""#)
    }

    private mutating func appendFields(of market: SimulatedMarket) {
        let rolling = market.sums(of: .hours24)
        let digits = market.ladder.fractionDigits
        // A coin without a trade in 24 hours has zeros except for its last price.
        let isTraded = rolling.hasTrades
        let day = market.day
        let open = isTraded ? market.open(of: .midnight) : 0
        append("opening_price", open, digits)
        append("closing_price", market.price, digits)
        append("min_price", day.sums.hasTrades ? day.sums.low : open, digits)
        append("max_price", day.sums.hasTrades ? day.sums.high : open, digits)
        append("units_traded", day.sums.volume, SimulatedTrade.volumeDigits)
        append("acc_trade_value", day.sums.value, market.valueDigits)
        append("prev_closing_price", isTraded ? day.previousClose : 0, digits)
        append("units_traded_24H", rolling.volume, SimulatedTrade.volumeDigits)
        append("acc_trade_value_24H", rolling.value, market.valueDigits)
        appendChange(of: market, isTraded: isTraded)
    }

    /// The rolling change.
    ///
    /// Without trades the rate is the bare number 0. In bitcoin markets the amount is rounded to an
    /// integer, which leaves 0 or -0.
    private mutating func appendChange(of market: SimulatedMarket, isTraded: Bool) {
        guard isTraded else {
            text.append(#""fluctate_24H":"0","fluctate_rate_24H":0"#)
            return
        }
        let open = market.open(of: .hours24)
        let change = market.price - open
        text.append(#""fluctate_24H":""#)
        switch market.id.quote {
        case .krw: text.append(decimal: change, digits: market.ladder.fractionDigits)
        case .btc: appendRounded(change, digits: market.ladder.fractionDigits)
        }
        text.append(#"","fluctate_rate_24H":""#)
        text.append(
            decimal: WireRatio.hundredthsOfPercent(Int128(change), of: Int128(open)),
            digits: 2
        )
        text.append(#"""#)
    }

    private mutating func appendRounded(_ value: Int64, digits: Int) {
        var unit: UInt64 = 1
        for _ in 0..<digits { unit *= 10 }
        if value < 0 { text.append("-") }
        text.append(decimal: Int64((value.magnitude + unit / 2) / unit), digits: 0)
    }

    private mutating func append(_ key: String, _ value: some BinaryInteger, _ digits: Int) {
        text.append("\"\(key)\":\"")
        text.append(decimal: Int128(value), digits: digits)
        text.append(#"","#)
    }
}
