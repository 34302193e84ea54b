/// One level of an order book: the total quantity at one price.
///
/// REST of API 1.x writes an object, `{"price":"65014000","quantity":"0.0421"}`; its stream's
/// snapshots write a pair, `["65014000","0.0421"]`.
public struct BookLevelDTO: Sendable, Hashable {
    /// The price, in the quote currency.
    public var price: WireDecimal
    /// The base quantity; zero levels occur and are empty.
    public var quantity: WireDecimal

    /// Makes a level.
    public init(price: WireDecimal, quantity: WireDecimal) {
        self.price = price
        self.quantity = quantity
    }
}

/// An order book snapshot: `GET /public/orderbook/{market}` or a stream frame `orderbooksnapshot`
/// (API 1.x; REST shape seen 2022, frame shape seen 2026-09), `GET /v1/orderbook` or a stream frame
/// `orderbook` (API 2.x, seen 2026).
///
/// ```json
/// {"status":"0000","data":{"timestamp":"1790133914965","payment_currency":"KRW",
///  "order_currency":"XRP","bids":[{"price":"1209","quantity":"35.5"}],
///  "asks":[{"price":"1210","quantity":"120.0421"}]}}
///
/// {"type":"orderbooksnapshot","content":{"symbol":"XRP_KRW","datetime":"1790133914965948",
///  "asks":[["1210","120.0421"]],"bids":[["1209","35.5"]]}}
///
/// {"market":"KRW-XRP","timestamp":1790133914965,"orderbook_units":[
///  {"ask_price":1210,"bid_price":1209,"ask_size":120.0421,"bid_size":35.5}]}
/// ```
///
/// API 2.x pads the shorter side with levels of price zero, which are left out here.
public struct OrderBookDTO: Sendable, Hashable {
    /// `XRP_KRW`: coin and quote, split at the last underscore; in API 2.x `KRW-XRP`, quote and
    /// coin, split at the first hyphen.
    public var symbol: String
    /// The exchange's time of the book, Unix microseconds; REST gives whole milliseconds, as text
    /// or as a bare number.
    public var atMicroseconds: Int64
    /// Selling levels, ascending as on the wire.
    public var asks: [BookLevelDTO]
    /// Buying levels, descending as on the wire.
    public var bids: [BookLevelDTO]
    /// The number of unreadable levels; in a stream each of them is also a skipped message.
    public var skippedCount: Int

    /// The API that writes its market in this way.
    public var generation: APIGeneration {
        symbol.utf8.contains(UInt8(ascii: "-")) ? .v2 : .v1
    }

    /// Makes a book.
    public init(
        symbol: String,
        atMicroseconds: Int64,
        asks: [BookLevelDTO],
        bids: [BookLevelDTO],
        skippedCount: Int = 0
    ) {
        self.symbol = symbol
        self.atMicroseconds = atMicroseconds
        self.asks = asks
        self.bids = bids
        self.skippedCount = skippedCount
    }
}

/// A response of `orderbook` (API 2.x): thirty levels of one market, else fifteen of each.
public struct OrderBooksDTO: Sendable, Hashable {
    /// The books in the order of the wire.
    public var books: [OrderBookDTO]
    /// The number of unreadable books.
    public var skippedCount: Int

    /// Makes a response.
    public init(books: [OrderBookDTO], skippedCount: Int = 0) {
        self.books = books
        self.skippedCount = skippedCount
    }
}

/// The changes of one order book in a stream frame `orderbookdepth` (API 1.x, seen 2021-2026).
///
/// ```json
/// {"type":"orderbookdepth","content":{"list":[{"symbol":"XRP_KRW","orderType":"ask",
///  "price":"1211","quantity":"0","total":"0"}],"datetime":"1790133914965948"}}
/// ```
///
/// `datetime` is text or a bare number. A frame that names several markets becomes several of
/// these, in the order of the wire.
public struct OrderBookDepthDTO: Sendable, Hashable {
    /// One entry of `list`.
    public struct Change: Sendable, Hashable {
        /// `orderType`: true for `ask`, false for `bid`.
        public var isAsk: Bool
        /// The price of the level.
        public var price: WireDecimal
        /// The new total quantity; zero in any spelling removes the level.
        public var quantity: WireDecimal

        /// Makes a change.
        public init(isAsk: Bool, price: WireDecimal, quantity: WireDecimal) {
            self.isAsk = isAsk
            self.price = price
            self.quantity = quantity
        }
    }

    /// `XRP_KRW`: coin and quote, split at the last underscore.
    public var symbol: String
    /// `datetime`: Unix microseconds.
    public var atMicroseconds: Int64
    /// The changes in the order of the wire.
    public var changes: [Change]

    /// Makes a frame's changes of one market.
    public init(symbol: String, atMicroseconds: Int64, changes: [Change]) {
        self.symbol = symbol
        self.atMicroseconds = atMicroseconds
        self.changes = changes
    }
}
