import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `ticker/ALL_KRW` or `ALL_BTC`: bytes in, DTO out, no I/O.
///
/// Entries that do not decode are listed with their key and never take others with them. Of
/// entries with the same key the last counts, and every earlier one is listed as skipped. A body
/// that is not JSON from the first byte to the last is refused whole: what a cut connection left
/// is never an answer.
///
/// Keeps one parser and its buffers: not Sendable, one owner.
public struct TickerAllDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body; `feedLabel` is left for the caller, who knows the headers.
    ///
    /// - Throws: `refused` with the body's own status and message; `malformed`.
    public mutating func decode(_ body: [UInt8]) throws(DataSourceError) -> TickerAllDTO {
        try reader.readBody(body, as: .ticker_all) { head, answer in TickerAllDTO(head, answer) }
    }
}

@available(*, unavailable)
extension TickerAllDecoder: Sendable {}

extension TickerAllDTO {
    fileprivate init(_ head: hoga_wire_body, _ answer: borrowing BithumbJSONResult) {
        let date = head.date_milliseconds
        self.init(dateMilliseconds: date == 0 ? nil : date)
        tickers.reserveCapacity(answer.coinCount)
        var lastIndex: [String: Int] = [:]
        lastIndex.reserveCapacity(answer.coinCount)
        for index in 0..<answer.coinCount {
            lastIndex[answer.string(answer.coin(index).key)] = index
        }
        for index in 0..<answer.coinCount {
            append(answer.coin(index), of: answer) { key in lastIndex[key] == index }
        }
    }

    private mutating func append(
        _ coin: hoga_wire_coin,
        of answer: borrowing BithumbJSONResult,
        isLast: (String) -> Bool
    ) {
        let key = answer.string(coin.key)
        if !isLast(key) {
            skipped.append(SkippedEntryDTO(key: key, reason: "the key occurs again below"))
        } else if coin.fault != .none {
            let field = answer.string(coin.fault_field)
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
