/// One message of the API 2.x stream.
public enum MarketStreamMessageDTO: Sendable, Hashable {
    /// An error, after which the server closes the stream, or `UP`, which answers a ping.
    case status(StreamStatusDTO)
    /// A frame of type `ticker`.
    case ticker(MarketTickerDTO)
    /// A frame of type `trade`.
    case trade(MarketTradeDTO)
    /// A frame of type `orderbook`: the whole book, at most fifteen levels a side.
    case orderBook(OrderBookDTO)
    /// A frame of an unknown type.
    case unknown(type: String)
    /// A frame, or one level of a book, that did not decode.
    case skipped(SkippedEntryDTO)
}
