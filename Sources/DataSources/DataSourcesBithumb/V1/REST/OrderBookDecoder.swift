import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `orderbook/{market}` without I/O.
///
/// Levels that do not decode are counted and do not affect others. A body that is not
/// complete JSON is refused as a whole.
///
/// Not Sendable: owns one parser and its buffers.
public struct OrderBookDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body.
    ///
    /// - Parameters:
    ///   - body: the bytes.
    ///   - symbol: the requested market.
    /// - Returns: the book of that market.
    /// - Throws: `refused` with the status and message of the body; `malformed`, also for another
    ///   market's book.
    public mutating func decode(
        _ body: [UInt8],
        symbol: String
    ) throws(DataSourceError) -> OrderBookDTO {
        try reader.readBody(body, as: .order_book) { _, result throws(DataSourceError) in
            var book = OrderBookDTO(result.book(0), of: result)
            guard book.symbol.isEmpty || book.symbol == symbol else {
                throw DataSourceError(.malformed, "data is about another market")
            }
            book.symbol = symbol
            return book
        }
    }
}

@available(*, unavailable)
extension OrderBookDecoder: Sendable {}
