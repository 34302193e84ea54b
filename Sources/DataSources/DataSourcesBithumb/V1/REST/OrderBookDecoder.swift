import CBithumbJSON
public import DataSourceContracts

/// Decodes the body of `orderbook/{market}`: bytes in, DTO out, no I/O.
///
/// Levels that do not decode are counted and never take others with them. A body that is not JSON
/// from the first byte to the last is refused whole.
///
/// Keeps one parser and its buffers: not Sendable, one owner.
public struct OrderBookDecoder: ~Copyable {
    private var reader = BithumbJSONReader()

    /// Makes a decoder.
    public init() {}

    /// Decodes a body.
    ///
    /// - Parameters:
    ///   - body: the bytes.
    ///   - symbol: the market that was asked for.
    /// - Returns: the book of that market.
    /// - Throws: `refused` with the body's own status and message; `malformed`, also where the
    ///   answer names another market.
    public mutating func decode(
        _ body: [UInt8],
        symbol: String
    ) throws(DataSourceError) -> OrderBookDTO {
        try reader.readBody(body, as: .order_book) { _, answer throws(DataSourceError) in
            var book = OrderBookDTO(answer.book(0), of: answer)
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
