import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `ticker/ALL_KRW` or `ALL_BTC` without I/O.
///
/// Entries that do not decode are listed with their key and do not affect others. Of
/// entries with the same key the last counts, and every earlier one is listed as skipped. A body
/// that is not complete JSON, such as that of a cut connection, is refused as a whole.
///
/// Not Sendable: owns one parser and its buffers.
public struct TickerAllDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body; the caller sets `feedLabel` from the headers.
    ///
    /// - Throws: `refused` with the status and message of the body; `malformed`.
    public mutating func decode(_ body: [UInt8]) throws(DataSourceError) -> TickerAllDTO {
        try reader.readBody(body, as: .ticker_all) { head, result in TickerAllDTO(head, result) }
    }
}

@available(*, unavailable)
extension TickerAllDecoder: Sendable {}

extension TickerAllDTO {
    fileprivate init(_ head: hoga_wire_body, _ result: borrowing BithumbJSONResult) {
        let date = head.date_milliseconds
        self.init(dateMilliseconds: date == 0 ? nil : date)
        tickers.reserveCapacity(result.coinCount)
        var lastIndex: [String: Int] = [:]
        lastIndex.reserveCapacity(result.coinCount)
        for index in 0..<result.coinCount {
            lastIndex[result.string(result.coin(index).key)] = index
        }
        for index in 0..<result.coinCount {
            append(result.coin(index), of: result) { key in lastIndex[key] == index }
        }
    }

    private mutating func append(
        _ coin: hoga_wire_coin,
        of result: borrowing BithumbJSONResult,
        isLast: (String) -> Bool
    ) {
        let key = result.string(coin.key)
        if !isLast(key) {
            skipped.append(SkippedEntryDTO(key: key, reason: "the key occurs again below"))
        } else if coin.fault != .none {
            let field = result.string(coin.fault_field)
            skipped.append(SkippedEntryDTO(key: key, fault: coin.fault, field: field))
        } else if coin.is_empty_list != 0 {
            emptySymbols.append(key)
        } else {
            tickers.append(TickerDTO(coin, symbol: key))
        }
    }
}

extension TickerDTO {
    fileprivate init(_ coin: hoga_wire_coin, symbol: String) {
        self.init(symbol: symbol)
        openingPrice = WireDecimal(coin.opening_price)
        closingPrice = WireDecimal(coin.closing_price)
        minPrice = WireDecimal(coin.min_price)
        maxPrice = WireDecimal(coin.max_price)
        unitsTraded = WireDecimal(coin.units_traded)
        accTradeValue = WireDecimal(coin.acc_trade_value)
        prevClosingPrice = WireDecimal(coin.prev_closing_price)
        unitsTraded24H = WireDecimal(coin.units_traded_24h)
        accTradeValue24H = WireDecimal(coin.acc_trade_value_24h)
        fluctate24H = WireDecimal(coin.fluctate_24h)
        fluctateRate24H = WireDecimal(coin.fluctate_rate_24h)
    }
}
