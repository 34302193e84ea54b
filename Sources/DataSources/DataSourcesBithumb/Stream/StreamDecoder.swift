import CBithumbJSON
public import DataSourceContracts

/// Decodes batches of stream messages of one API generation without I/O.
///
/// A message with a `status`, in API 2.x also one with an `error`, is a status; any other is routed
/// by `type`. A frame that does not decode becomes `skipped` in its place. So does each bad trade
/// or level of a good list, after the good ones. A frame of book changes becomes one message for
/// each run of changes of one symbol.
/// The order of fields does not matter; of equal keys in one object the last counts.
///
/// Not Sendable: owns one parser and its buffers, which grow to the largest batch.
public struct StreamDecoder: ~Copyable {
    private var reader = BithumbJSONReader()
    private let generation: APIGeneration
    private let frameBytesMax: Int

    /// Makes a decoder.
    ///
    /// - Parameters:
    ///   - generation: the API of the stream.
    ///   - frameBytesMax: the longest message in bytes; a longer one is skipped.
    public init(_ generation: APIGeneration, frameBytesMax: Int = 1 << 20) {
        precondition(frameBytesMax > 0, "Frames have bytes.")
        self.generation = generation
        self.frameBytesMax = frameBytesMax
    }

    /// Decodes messages in order; a frame with bad entries or several symbols yields several.
    public mutating func decode(_ batch: MessageBatch) -> [StreamMessageDTO] {
        let generation = generation
        let (stream, bytesMax) = (generation.stream, frameBytesMax)
        return reader.readBatch(batch, of: stream, frameBytesMax: bytesMax) { result in
            var messages: [StreamMessageDTO] = []
            messages.reserveCapacity(result.messageCount)
            for index in 0..<result.messageCount {
                Self.append(result.message(index), of: result, in: generation, to: &messages)
            }
            return messages
        }
    }

    /// Copies a message out of the reader's result.
    private static func append(
        _ message: hoga_wire_message,
        of result: borrowing BithumbJSONResult,
        in generation: APIGeneration,
        to messages: inout [StreamMessageDTO]
    ) {
        let first = Int(message.first)
        let entries = first..<first + Int(message.count)
        switch (message.kind, generation) {
        case (.status, _):
            messages.append(.status(StreamStatusDTO(result.note(first), of: result)))
        case (.ticker, .v1):
            messages.append(.ticker(StreamTickerDTO(result.ticker(first), of: result)))
        case (.ticker, .v2):
            let ticker = MarketTickerDTO(result.marketTicker(first), of: result)
            messages.append(.marketTicker(ticker))
        case (.transactions, .v1):
            var trades: [TransactionDTO] = []
            trades.reserveCapacity(entries.count)
            for index in entries { trades.append(TransactionDTO(result.trade(index), of: result)) }
            messages.append(.transactions(trades))
        case (.transactions, .v2):
            for index in entries {
                messages.append(.trade(MarketTradeDTO(result.trade(index), of: result)))
            }
        case (.depth, _):
            messages.append(.depth(OrderBookDepthDTO(result.depth(first), of: result)))
        case (.book, _):
            messages.append(.orderBook(OrderBookDTO(result.book(first), of: result)))
        case (.unknown, _):
            messages.append(.unknown(type: result.string(result.note(first).name)))
        case (.skipped, _):
            messages.append(.skipped(SkippedEntryDTO(result.note(first), of: result)))
        }
    }
}

@available(*, unavailable)
extension StreamDecoder: Sendable {}

extension APIGeneration {
    fileprivate var stream: hoga_wire_stream {
        switch self {
        case .v1: .v1
        case .v2: .v2
        }
    }
}

extension StreamTickerDTO {
    fileprivate init(_ ticker: hoga_wire_stream_ticker, of result: borrowing BithumbJSONResult) {
        self.init(
            symbol: result.string(ticker.symbol),
            tickType: result.string(ticker.tick_type),
            atMicroseconds: ticker.at_microseconds,
            openPrice: WireDecimal(present: ticker.open_price),
            closePrice: WireDecimal(present: ticker.close_price),
            lowPrice: WireDecimal(present: ticker.low_price),
            highPrice: WireDecimal(present: ticker.high_price),
            value: WireDecimal(present: ticker.value),
            volume: WireDecimal(present: ticker.volume),
            sellVolume: WireDecimal(present: ticker.sell_volume),
            buyVolume: WireDecimal(present: ticker.buy_volume),
            prevClosePrice: WireDecimal(present: ticker.prev_close_price),
            chgRate: WireDecimal(present: ticker.chg_rate),
            chgAmt: WireDecimal(present: ticker.chg_amt),
            volumePower: WireDecimal(present: ticker.volume_power)
        )
    }
}

extension TransactionDTO {
    fileprivate init(_ trade: hoga_wire_trade, of result: borrowing BithumbJSONResult) {
        self.init(
            symbol: result.string(trade.symbol),
            takerBought: trade.taker_bought != 0,
            price: WireDecimal(present: trade.price),
            quantity: WireDecimal(present: trade.quantity),
            amount: WireDecimal(present: trade.amount),
            atMicroseconds: trade.at_microseconds
        )
    }
}

extension OrderBookDepthDTO {
    fileprivate init(_ depth: hoga_wire_depth, of result: borrowing BithumbJSONResult) {
        self.init(
            symbol: result.string(depth.symbol),
            atMicroseconds: depth.at_microseconds,
            changes: result.levels(depth.changes) { level in
                Change(
                    isAsk: level.is_ask != 0,
                    price: WireDecimal(present: level.price),
                    quantity: WireDecimal(present: level.quantity)
                )
            }
        )
    }
}
