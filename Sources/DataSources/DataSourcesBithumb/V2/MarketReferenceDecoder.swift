import CBithumbJSON
public import DataSourceContracts

/// Decodes the bodies of `market/all` and `virtual_asset_warning`: bytes in, DTO out, no I/O.
///
/// Rows that do not decode are counted and never take others with them: a row without a name, or
/// with a text that cannot be shown as it is (controls, more than 100 characters). A body that is
/// not JSON from the first byte to the last is refused whole.
///
/// Keeps one parser and its buffers: not Sendable, one owner.
public struct MarketReferenceDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body of `market/all`.
    ///
    /// - Throws: `refused` with the error's own name and message; `malformed`.
    public mutating func markets(_ body: [UInt8]) throws(DataSourceError) -> MarketNamesDTO {
        try reader.readBody(body, as: .market_names) { head, answer in
            MarketNamesDTO(
                markets: (0..<answer.marketNameCount).map { index in
                    MarketNameDTO(answer.marketName(index), of: answer)
                },
                skippedCount: Int(head.skipped_count)
            )
        }
    }

    /// Decodes a body of `market/virtual_asset_warning`.
    ///
    /// - Throws: as ``markets(_:)``.
    public mutating func alerts(_ body: [UInt8]) throws(DataSourceError) -> MarketAlertsDTO {
        try reader.readBody(body, as: .market_alerts) { head, answer in
            MarketAlertsDTO(
                alerts: (0..<answer.marketAlertCount).map { index in
                    MarketAlertDTO(answer.marketAlert(index), of: answer)
                },
                skippedCount: Int(head.skipped_count)
            )
        }
    }
}

@available(*, unavailable)
extension MarketReferenceDecoder: Sendable {}

extension MarketNameDTO {
    fileprivate init(_ row: hoga_wire_market_name, of answer: borrowing BithumbJSONResult) {
        self.init(
            market: answer.string(row.market),
            korean: answer.string(row.korean),
            english: answer.string(row.english),
            isWarned: Bool(row.warning)
        )
    }
}

extension MarketAlertDTO {
    fileprivate init(_ row: hoga_wire_market_alert, of answer: borrowing BithumbJSONResult) {
        let step = answer.string(row.step)
        self.init(
            market: answer.string(row.market),
            type: answer.string(row.type),
            step: step.isEmpty ? nil : step,
            endsAtMicroseconds: row.has_end != 0 ? row.ends_at_microseconds : nil
        )
    }
}
