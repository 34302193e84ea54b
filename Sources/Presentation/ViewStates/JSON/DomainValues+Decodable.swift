public import Domain

extension FixedDecimal: Decodable {
    /// Reads a decimal from a string, never from a number: those are binary fractions to many.
    ///
    /// - Throws: `DecodingError` when the text is no decimal.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a decimal that 18 fraction digits hold"
            )
        }
    }
}

extension Timestamp: Decodable {
    /// Reads ISO 8601 with microseconds and `+09:00`.
    ///
    /// - Throws: `DecodingError` when the text has another form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let moment = TimeText.timestamp(iso: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a time like 2026-11-20T21:03:11.100000+09:00"
            )
        }
        self = moment
    }
}
