import Domain

/// Writes comma-separated values (RFC 4180): lines end with CR LF; fields with a comma, a quote or
/// a line break are quoted.
///
/// Unknown values are empty fields.
public struct CSVWriter: Sendable {
    /// The text written so far.
    public private(set) var bytes: [UInt8] = []

    /// Writes the header line.
    public init(header: [String]) { row(header) }

    /// Writes a line.
    public mutating func row(_ fields: [String?]) {
        for (place, field) in fields.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            if let field { append(field) }
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    private mutating func append(_ field: String) {
        let isPlain = !field.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
                || byte == UInt8(ascii: "\r")
        }
        if isPlain {
            bytes.append(contentsOf: field.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension CandleExportViewState {
    /// One line per candle; gaps have none.
    public var csv: [UInt8] {
        var csv = CSVWriter(header: [
            "market", "interval", "openTime", "open", "high", "low", "close", "volume", "origin",
            "corrected", "closed",
        ])
        for candle in candles {
            csv.row([
                market, interval, TimeText.iso(candle.openTime), candle.open.canonicalText,
                candle.high.canonicalText, candle.low.canonicalText, candle.close.canonicalText,
                candle.volume.canonicalText, candle.origin.rawValue, "\(candle.corrected)",
                "\(candle.closed)",
            ])
        }
        return csv.bytes
    }
}

extension MarketBlockViewState where Block == TradesViewState {
    /// One line per trade, newest first; gaps have none.
    public var csv: [UInt8] {
        var csv = CSVWriter(header: [
            "market", "id", "at", "price", "quantity", "amount", "side", "tickDirection",
        ])
        for row in block.rows {
            csv.row([
                market, row.id, TimeText.iso(row.at), row.price.canonicalText,
                row.quantity.canonicalText, row.amount.canonicalText, row.side.rawValue,
                row.tickDirection?.rawValue,
            ])
        }
        return csv.bytes
    }
}
