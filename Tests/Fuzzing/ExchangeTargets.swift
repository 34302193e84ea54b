import DataSourceContracts
import DataSourcesBithumb

extension FuzzTarget {
    // MARK: Bodies

    /// Bodies of REST answers: a fresh decoder and a used one agree, a refusal is typed, and the
    /// beginnings of a body that is read are refused.
    ///
    /// A row with a wrong number is skipped even where that is no JSON, such as `NaN`.
    func judgeExchangeBodies(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let kind = BodyKind.allCases[Int(input.byte()) % BodyKind.allCases.count]
        let body = input.bytes
        var reader = ExchangeBodyReader()
        let first = try reader.read(body, kind)
        // A decoder keeps nothing of earlier bodies that changes the value of a later one.
        for other in BodyKind.allCases { _ = try reader.read(body, other) }
        try requireEqual(try reader.read(body, kind), first, "\(kind) read again")
        guard case .some = first else { return }
        let end = body.lastIndex { $0 != 0x20 && $0 != 0x0a && $0 != 0x0d && $0 != 0x09 } ?? 0
        for count in [end, end / 2] {
            let cut = try reader.read(Array(body[..<count]), kind)
            try require(cut == nil, "\(kind) is read although \(count) bytes are all")
        }
    }

    // MARK: Frames

    /// Frames of both streams: each yields a message, and the same in a batch as alone.
    func judgeExchangeFrames(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let generation = input.byte() & 1 == 0 ? APIGeneration.v1 : .v2
        let frameBytesMax = input.byte() & 1 == 0 ? 1 << 20 : 200
        var decoder = StreamDecoder(generation, frameBytesMax: frameBytesMax)
        // The separator of records occurs in no JSON text.
        let frames = input.rest.split(separator: 0x1e, omittingEmptySubsequences: false)
        var batch = MessageBatch()
        for frame in frames { batch.append(frame) }
        let together = decoder.decode(batch)
        var alone: [StreamMessageDTO] = []
        for frame in frames {
            var single = MessageBatch()
            single.append(frame)
            let messages = decoder.decode(single)
            try require(!messages.isEmpty, "a frame yields no message")
            alone += messages
        }
        try requireEqual(together, alone, "messages of a batch")
        for message in together { try check(message, generation) }
    }

    private func check(
        _ message: StreamMessageDTO,
        _ generation: APIGeneration
    ) throws(FuzzFinding) {
        switch message {
        case .ticker(let ticker):
            try require(generation == .v1, "API 2.x has no \(message)")
            try check(name: ticker.symbol)
            try require(ticker.atMicroseconds > 0, "a ticker has no time")
        case .transactions(let trades):
            try require(generation == .v1, "API 2.x has no \(message)")
            for trade in trades { try check(name: trade.symbol) }
        case .depth(let depth):
            try check(name: depth.symbol)
            try require(!depth.changes.isEmpty && depth.atMicroseconds > 0, "depth is empty")
        case .orderBook(let book):
            try check(name: book.symbol)
            try require(book.atMicroseconds > 0, "a book has no time")
        case .marketTicker(let ticker):
            try require(generation == .v2, "API 1.x has no \(message)")
            try check(name: ticker.market)
        case .trade(let trade):
            try require(generation == .v2, "API 1.x has no \(message)")
            try check(name: trade.market)
        case .skipped(let entry): try require(!entry.reason.isEmpty, "no reason")
        case .unknown(let type): try require(!type.isEmpty, "an unknown message has no type")
        case .status(let status):
            try require(status.message.utf8.count <= 1_024, "a status message is too long")
        }
    }

    private func check(name: String) throws(FuzzFinding) {
        try require((1...64).contains(name.utf8.count), "a name of \(name.utf8.count) bytes")
    }
}

/// The bodies of REST answers of both generations.
enum BodyKind: CaseIterable {
    case tickerAll, orderBook, tradeHistory, candles, closes, assetStatuses
    case marketNames, marketAlerts, marketTickers, marketBooks, marketTrades, marketCandles
}

/// One decoder of each kind.
private struct ExchangeBodyReader: ~Copyable {
    private var tickers = TickerAllDecoder()
    private var books = OrderBookDecoder()
    private var histories = TradeHistoryDecoder()
    private var candles = CandlesDecoder()
    private var assets = AssetStatusDecoder()
    private var references = MarketReferenceDecoder()
    private var markets = MarketDataDecoder()

    /// The decoded value of a body; nil if the decoder refuses it.
    mutating func read(_ body: [UInt8], _ kind: BodyKind) throws(FuzzFinding) -> AnyHashable? {
        do throws(DataSourceError) {
            switch kind {
            case .tickerAll: return try tickers.decode(body)
            case .orderBook: return try books.decode(body, symbol: "BTC_KRW")
            case .tradeHistory: return try histories.decode(body)
            case .candles: return try candles.decode(body)
            case .closes: return try candles.closes(body)
            case .assetStatuses: return try assets.decode(body)
            case .marketNames: return try references.markets(body)
            case .marketAlerts: return try references.alerts(body)
            case .marketTickers: return try markets.tickers(body)
            case .marketBooks: return try markets.orderBooks(body)
            case .marketTrades: return try markets.trades(body)
            case .marketCandles: return try markets.candles(body)
            }
        } catch {
            switch error.code {
            case .malformed, .refused: return nil
            default: throw FuzzFinding("a decoder says \(error)")
            }
        }
    }
}
