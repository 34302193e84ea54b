import CBithumbJSON
public import DataSourceContracts

/// Decodes the bodies of `market/all` and `virtual_asset_warning` without I/O.
///
/// Rows that do not decode are counted and do not affect others. A name or warning of a market that
/// cannot be shown as it is (controls, more than 100 characters) counts as absent, because the row
/// still lists its market. A body that is not complete JSON is refused as a whole.
///
/// Not Sendable: owns one parser and its buffers.
public struct MarketReferenceDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body of `market/all`.
    ///
    /// - Throws: `refused` with the name and message of the error; `malformed`.
    public mutating func markets(_ body: [UInt8]) throws(DataSourceError) -> MarketNamesDTO {
        try reader.readBody(body, as: .market_names) { head, result in
            MarketNamesDTO(
                markets: (0..<result.marketNameCount).map { index in
                    MarketNameDTO(result.marketName(index), of: result)
                },
                skippedCount: Int(head.skipped_count)
            )
        }
    }

    /// Decodes a body of `market/virtual_asset_warning`.
    ///
    /// - Throws: as ``markets(_:)``.
    public mutating func alerts(_ body: [UInt8]) throws(DataSourceError) -> MarketAlertsDTO {
        try reader.readBody(body, as: .market_alerts) { head, result in
            MarketAlertsDTO(
                alerts: (0..<result.marketAlertCount).map { index in
                    MarketAlertDTO(result.marketAlert(index), of: result)
                },
                skippedCount: Int(head.skipped_count)
            )
        }
    }
}

@available(*, unavailable)
extension MarketReferenceDecoder: Sendable {}

extension MarketNameDTO {
    fileprivate init(_ row: hoga_wire_market_name, of result: borrowing BithumbJSONResult) {
        self.init(
            market: result.string(row.market),
            korean: result.string(row.korean),
            english: result.string(row.english),
            isWarned: Bool(row.warning)
        )
    }
}

extension MarketAlertDTO {
    fileprivate init(_ row: hoga_wire_market_alert, of result: borrowing BithumbJSONResult) {
        let step = result.string(row.step)
        self.init(
            market: result.string(row.market),
            type: result.string(row.type),
            step: step.isEmpty ? nil : step,
            endsAtMicroseconds: row.has_end != 0 ? row.ends_at_microseconds : nil
        )
    }
}
