import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `candlestick/{market}/{interval}`: bytes in, DTO out, no I/O.
///
/// Rows that do not decode are counted and never take others with them. A body that is not JSON
/// from the first byte to the last is refused whole.
///
/// Keeps one parser and its buffers: not Sendable, one owner.
public struct CandlesDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body; rows stay as they are on the wire, repeated ones and gaps included.
    ///
    /// - Throws: `refused` with the body's own status and message; `malformed`.
    public mutating func decode(_ body: [UInt8]) throws(DataSourceError) -> CandlesDTO {
        try reader.readBody(body, as: .candles) { head, answer in
            CandlesDTO(
                rows: (0..<answer.candleCount).map { CandleDTO(answer.candle($0)) },
                skippedCount: Int(head.skipped_count)
            )
        }
    }
}

@available(*, unavailable)
extension CandlesDecoder: Sendable {}

extension CandleDTO {
    fileprivate init(_ row: hoga_wire_candle) {
        self.init(
            atMilliseconds: row.at_milliseconds,
            open: WireDecimal(present: row.open),
            close: WireDecimal(present: row.close),
            high: WireDecimal(present: row.high),
            low: WireDecimal(present: row.low),
            volume: WireDecimal(present: row.volume)
        )
    }
}
