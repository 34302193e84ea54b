import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `transaction_history/{market}` without I/O.
///
/// Trades that do not decode are counted and do not affect others. A body that is not
/// complete JSON is refused as a whole.
///
/// Not Sendable: owns one parser and its buffers.
public struct TradeHistoryDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body; trades keep the order of the wire.
    ///
    /// - Throws: `refused` with the status and message of the body; `malformed`.
    public mutating func decode(_ body: [UInt8]) throws(DataSourceError) -> TradeHistoryDTO {
        try reader.readBody(body, as: .trade_history) { head, result in
            TradeHistoryDTO(
                trades: (0..<result.tradeCount).map { HistoricTradeDTO(result.trade($0)) },
                skippedCount: Int(head.skipped_count)
            )
        }
    }
}

@available(*, unavailable)
extension TradeHistoryDecoder: Sendable {}

extension HistoricTradeDTO {
    fileprivate init(_ trade: hoga_wire_trade) {
        let (seconds, rest) = trade.at_microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(
            atMilliseconds: (rest < 0 ? seconds - 1 : seconds) * 1_000,
            takerBought: trade.taker_bought != 0,
            quantity: WireDecimal(present: trade.quantity),
            price: WireDecimal(present: trade.price)
        )
    }
}
