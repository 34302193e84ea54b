import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `candlestick/{market}/{interval}` without I/O.
///
/// Rows that do not decode are counted and do not affect others. A body that is not
/// complete JSON is refused as a whole.
///
/// Not Sendable: owns one parser and its buffers.
public struct CandlesDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body; rows keep the order of the wire, with repeated rows and gaps.
    ///
    /// - Throws: `refused` with the status and message of the body; `malformed`.
    public mutating func decode(_ body: [UInt8]) throws(DataSourceError) -> CandlesDTO {
        try reader.readBody(body, as: .candles) { head, result in
            CandlesDTO(
                rows: (0..<result.candleCount).map { CandleDTO(result.candle($0)) },
                skippedCount: Int(head.skipped_count)
            )
        }
    }

    /// Decodes the times and closes of a body.
    ///
    /// - Throws: as ``decode(_:)``.
    public mutating func closes(_ body: [UInt8]) throws(DataSourceError) -> ClosesDTO {
        try reader.readBody(body, as: .candles) { head, result in
            ClosesDTO(
                rows: (0..<result.candleCount).map { index in
                    let row = result.candle(index)
                    return CloseDTO(
                        atMilliseconds: row.at_milliseconds,
                        close: WireDecimal(present: row.close)
                    )
                },
                skippedCount: Int(head.skipped_count)
            )
        }
    }
}

@available(*, unavailable)
extension CandlesDecoder: Sendable {}

extension CandleDTO {
    init(_ row: hoga_wire_candle) {
        self.init(
            atMilliseconds: row.at_milliseconds,
            open: WireDecimal(present: row.open),
            close: WireDecimal(present: row.close),
            high: WireDecimal(present: row.high),
            low: WireDecimal(present: row.low),
            volume: WireDecimal(present: row.volume),
            turnover: WireDecimal(row.turnover)
        )
    }
}
