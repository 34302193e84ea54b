import CBithumbJSON
public import DataSourceContracts

/// Decodes batches of API 1.x stream messages: bytes in, DTOs out, no I/O.
///
/// A message with a `status` is a status whatever else it holds; every other is routed by `type`.
/// A frame that does not decode stands as `skipped` in its place, and so does each bad trade or
/// level of an otherwise good list, behind the good ones. A frame of book changes becomes one
/// message for each run of neighbours of one symbol. The order of fields does not matter; of equal
/// keys in one object the last counts.
///
/// Keeps one parser and its buffers, which grow to the largest batch: not Sendable, one owner.
public struct StreamDecoder: ~Copyable {
    private var reader = BithumbJSONReader()
    private let frameBytesMax: Int

    /// Makes a decoder.
    ///
    /// - Parameter frameBytesMax: a longer message is skipped unread.
    public init(frameBytesMax: Int = 1 << 20) {
        precondition(frameBytesMax > 0, "Frames of no length cannot be read.")
        self.frameBytesMax = frameBytesMax
    }

    /// Decodes messages in order; a frame with bad entries or several symbols yields several.
    public mutating func decode(_ batch: MessageBatch) -> [StreamMessageDTO] {
        reader.readBatch(batch, frameBytesMax: frameBytesMax) { answer in
            var messages: [StreamMessageDTO] = []
            messages.reserveCapacity(answer.messageCount)
            for index in 0..<answer.messageCount {
                messages.append(StreamMessageDTO(answer.message(index), of: answer))
            }
            return messages
        }
    }
}

@available(*, unavailable)
extension StreamDecoder: Sendable {}

extension StreamMessageDTO {
    /// Copies a message out of the reader's answer.
    fileprivate init(_ message: hoga_wire_message, of answer: borrowing BithumbJSONResult) {
        let first = Int(message.first)
        switch message.kind {
        case .status:
            let note = answer.note(first)
            self = .status(
                StreamStatusDTO(
                    status: answer.string(note.name),
                    message: answer.string(note.words)
                )
            )
        case .ticker:
            self = .ticker(StreamTickerDTO(answer.ticker(first), of: answer))
        case .transactions:
            var trades: [TransactionDTO] = []
            trades.reserveCapacity(Int(message.count))
            for index in first..<first + Int(message.count) {
                trades.append(TransactionDTO(answer.trade(index), of: answer))
            }
            self = .transactions(trades)
        case .depth:
            self = .depth(OrderBookDepthDTO(answer.depth(first), of: answer))
        case .book:
            self = .orderBook(OrderBookDTO(answer.book(first), of: answer))
        case .unknown:
            self = .unknown(type: answer.string(answer.note(first).name))
        case .skipped:
            let note = answer.note(first)
            self = .skipped(
                SkippedEntryDTO(
                    key: answer.string(note.name),
                    fault: note.fault,
                    field: answer.string(note.fault_field)
                )
            )
        }
    }
}

extension StreamTickerDTO {
    fileprivate init(_ ticker: hoga_wire_stream_ticker, of answer: borrowing BithumbJSONResult) {
        self.init(
            symbol: answer.string(ticker.symbol),
            tickType: answer.string(ticker.tick_type),
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
    fileprivate init(_ trade: hoga_wire_trade, of answer: borrowing BithumbJSONResult) {
        self.init(
            symbol: answer.string(trade.symbol),
            takerBought: trade.taker_bought != 0,
            price: WireDecimal(present: trade.price),
            quantity: WireDecimal(present: trade.quantity),
            amount: WireDecimal(present: trade.amount),
            atMicroseconds: trade.at_microseconds
        )
    }
}

extension OrderBookDepthDTO {
    fileprivate init(_ depth: hoga_wire_depth, of answer: borrowing BithumbJSONResult) {
        self.init(
            symbol: answer.string(depth.symbol),
            atMicroseconds: depth.at_microseconds,
            changes: answer.levels(depth.changes) { level in
                Change(
                    isAsk: level.is_ask != 0,
                    price: WireDecimal(present: level.price),
                    quantity: WireDecimal(present: level.quantity)
                )
            }
        )
    }
}
