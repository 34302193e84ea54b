import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `transaction_history/{market}`: bytes in, DTO out, no I/O.
///
/// Trades that do not decode are counted and never take others with them. A body that is not JSON
/// from the first byte to the last is refused whole.
///
/// Keeps one parser and its buffers: not Sendable, one owner.
public struct TradeHistoryDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body; the order of the wire is kept.
    ///
    /// - Throws: `refused` with the body's own status and message; `malformed`.
    public mutating func decode(_ body: [UInt8]) throws(DataSourceError) -> TradeHistoryDTO {
        try reader.readBody(body, as: .trade_history) { head, answer in
            TradeHistoryDTO(
                trades: (0..<answer.tradeCount).map { HistoricTradeDTO(answer.trade($0)) },
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
            atSeconds: rest < 0 ? seconds - 1 : seconds,
            takerBought: trade.taker_bought != 0,
            quantity: WireDecimal(present: trade.quantity),
            price: WireDecimal(present: trade.price)
        )
    }
}
