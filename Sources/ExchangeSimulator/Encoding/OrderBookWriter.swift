import Domain

/// Writes order books: the stream's changes and snapshots, and the bodies of `/public/orderbook/…`.
struct OrderBookWriter: Sendable {
    private var text = WireText()

    /// Maximum number of levels on a side of a snapshot or a body.
    static let levelsMax = 30

    // MARK: Stream

    /// One `orderbookdepth` message: the changes of a book's last move.
    mutating func changes(
        of book: SimulatedBook,
        _ market: SimulatedMarket,
        at time: Timestamp
    ) -> [UInt8] {
        text.removeAll()
        text.append(Keys.changesStart)
        let symbol = Array(market.id.name.utf8)
        var isFirst = true
        append(book.asks.changes, Keys.ask, symbol, market.ladder, &isFirst)
        append(book.bids.changes, Keys.bid, symbol, market.ladder, &isFirst)
        text.append(Keys.datetime)
        text.append(decimal: time.microseconds, digits: 0)
        text.append(Keys.changesEnd)
        return text.bytes
    }

    private mutating func append(
        _ levels: [SimulatedLevel],
        _ side: [UInt8],
        _ symbol: [UInt8],
        _ ladder: PriceGrid,
        _ isFirst: inout Bool
    ) {
        for level in levels {
            if !isFirst { text.append(Keys.comma) }
            isFirst = false
            text.append(Keys.symbol)
            text.append(symbol)
            text.append(side)
            text.append(decimal: level.price, digits: ladder.fractionDigits)
            text.append(Keys.quantity)
            text.append(decimal: level.quantity, digits: SimulatedLevel.quantityDigits)
            text.append(Keys.total)
            text.append(decimal: Int64(level.orders), digits: 0)
            text.append(Keys.levelEnd)
        }
    }

    /// One `orderbooksnapshot` message: thirty levels a side.
    mutating func snapshot(
        of book: SimulatedBook,
        _ market: SimulatedMarket,
        at time: Timestamp
    ) -> [UInt8] {
        text.removeAll()
        text.append(#"{"type":"orderbooksnapshot","content":{"symbol":""#)
        text.append(market.id.name)
        text.append(#"","datetime":""#)
        text.append(decimal: time.microseconds, digits: 0)
        text.append(#"","asks":["#)
        appendPairs(of: book.asks, market.ladder)
        text.append(#"],"bids":["#)
        appendPairs(of: book.bids, market.ladder)
        text.append("]}}")
        return text.bytes
    }

    private mutating func appendPairs(of side: SimulatedSide, _ ladder: PriceGrid) {
        for (index, level) in side.levels.prefix(Self.levelsMax).enumerated() {
            text.append(index == 0 ? #"[""# : #",[""#)
            text.append(decimal: level.price, digits: ladder.fractionDigits)
            text.append(#"",""#)
            text.append(decimal: level.quantity, digits: SimulatedLevel.quantityDigits)
            text.append(#""]"#)
        }
    }

    // MARK: REST

    /// The body of one market with `count` levels a side.
    mutating func single(
        _ book: SimulatedBook,
        of market: SimulatedMarket,
        count: Int,
        at time: Timestamp
    ) -> [UInt8] {
        begin(market.id.quote, at: time)
        appendBook(book, of: market, count: count)
        text.append("}}")
        return text.bytes
    }

    /// The body of all markets of a quote currency: a map by coin after two other keys.
    mutating func all(
        _ books: [(book: SimulatedBook, market: SimulatedMarket)],
        of quote: Quote,
        count: Int,
        at time: Timestamp
    ) -> [UInt8] {
        begin(quote, at: time)
        for (index, entry) in books.enumerated() {
            if index > 0 { text.append(",") }
            text.append("\"\(entry.market.id.symbol)\":{")
            appendBook(entry.book, of: entry.market, count: count)
            text.append("}")
        }
        if books.isEmpty { text.removeLastByte() }
        text.append("}}")
        return text.bytes
    }

    private mutating func begin(_ quote: Quote, at time: Timestamp) {
        text.removeAll()
        text.append(#"{"status":"0000","data":{"timestamp":""#)
        text.append(decimal: time.microseconds / 1_000, digits: 0)
        text.append(#"","payment_currency":"\#(quote.rawValue)","#)
    }

    private mutating func appendBook(
        _ book: SimulatedBook,
        of market: SimulatedMarket,
        count: Int
    ) {
        text.append(#""order_currency":"\#(market.id.symbol)","bids":["#)
        appendObjects(of: book.bids, market.ladder, count: count)
        text.append(#"],"asks":["#)
        appendObjects(of: book.asks, market.ladder, count: count)
        text.append("]")
    }

    private mutating func appendObjects(
        of side: SimulatedSide,
        _ ladder: PriceGrid,
        count: Int
    ) {
        for (index, level) in side.levels.prefix(count).enumerated() {
            text.append(index == 0 ? #"{"price":""# : #",{"price":""#)
            text.append(decimal: level.price, digits: ladder.fractionDigits)
            text.append(#"","quantity":""#)
            text.append(decimal: level.quantity, digits: SimulatedLevel.quantityDigits)
            text.append(#""}"#)
        }
    }

    /// The fixed parts of `orderbookdepth`, which may be sent tens of thousands of times a second.
    private enum Keys: Sendable {
        static let changesStart = Array(#"{"type":"orderbookdepth","content":{"list":["#.utf8)
        static let comma = Array(",".utf8)
        static let symbol = Array(#"{"symbol":""#.utf8)
        static let ask = Array(#"","orderType":"ask","price":""#.utf8)
        static let bid = Array(#"","orderType":"bid","price":""#.utf8)
        static let quantity = Array(#"","quantity":""#.utf8)
        static let total = Array(#"","total":""#.utf8)
        static let levelEnd = Array(#""}"#.utf8)
        static let datetime = Array(#"],"datetime":""#.utf8)
        static let changesEnd = Array(#""}}"#.utf8)
    }
}
