import CBithumbJSON
public import DataSourceContracts

/// Decodes batches of API 2.x stream messages without I/O.
///
/// A frame that does not decode becomes `skipped` in its place, and so does each bad level of a
/// good book, after the book. The order of fields does not matter; of equal keys in one object the
/// last counts.
///
/// Not Sendable: owns one parser and its buffers, which grow to the largest batch.
public struct MarketStreamDecoder: ~Copyable {
    private var reader = BithumbJSONReader()
    private let frameBytesMax: Int

    /// Makes a decoder.
    ///
    /// - Parameter frameBytesMax: the longest message in bytes; a longer one is skipped.
    public init(frameBytesMax: Int = 1 << 20) {
        precondition(frameBytesMax > 0, "Frames have bytes.")
        self.frameBytesMax = frameBytesMax
    }

    /// Decodes messages in order; a book with bad levels yields several.
    public mutating func decode(_ batch: MessageBatch) -> [MarketStreamMessageDTO] {
        reader.readBatch(batch, of: .v2, frameBytesMax: frameBytesMax) { result in
            var messages: [MarketStreamMessageDTO] = []
            messages.reserveCapacity(result.messageCount)
            for index in 0..<result.messageCount {
                Self.append(result.message(index), of: result, to: &messages)
            }
            return messages
        }
    }

    private static func append(
        _ message: hoga_wire_message,
        of result: borrowing BithumbJSONResult,
        to messages: inout [MarketStreamMessageDTO]
    ) {
        let first = Int(message.first)
        switch message.kind {
        case .status:
            messages.append(.status(StreamStatusDTO(result.note(first), of: result)))
        case .ticker:
            messages.append(.ticker(MarketTickerDTO(result.marketTicker(first), of: result)))
        case .transactions:
            for index in first..<first + Int(message.count) {
                messages.append(.trade(MarketTradeDTO(result.trade(index), of: result)))
            }
        case .book:
            messages.append(.orderBook(OrderBookDTO(result.book(first), of: result)))
        case .unknown:
            messages.append(.unknown(type: result.string(result.note(first).name)))
        case .skipped:
            messages.append(.skipped(SkippedEntryDTO(result.note(first), of: result)))
        case .depth: preconditionFailure("A stream of API 2.x has whole books only.")
        }
    }
}

@available(*, unavailable)
extension MarketStreamDecoder: Sendable {}
