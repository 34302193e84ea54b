import Domain
import ViewStates

/// The cost of a request, in units of a client's quota.
///
/// A unit is about a millisecond of one core. The cost follows from the parameters alone, so that a
/// request is charged before any work is done for it.
struct RequestCost: Sendable, Hashable {
    /// Units, 1 or more.
    let units: Int

    /// A request that reads no document, or a small one.
    static let one = RequestCost(units: 1)

    private init(units: Int) { self.units = units }

    /// The cost of a document.
    ///
    /// - Parameters:
    ///   - query: the document.
    ///   - isGzip: whether it is compressed.
    init(_ query: DocumentQuery, isGzip: Bool) {
        self.init(thousandths: Self.answer(query, Self.coding(isGzip)), of: 1)
    }

    /// The cost of beginning a stream of a document: its first event, and events to come.
    init(streaming query: DocumentQuery, isGzip: Bool) {
        self.init(thousandths: Self.sum(query, Self.coding(isGzip)), of: 2)
    }

    /// The cost of a user's document.
    init(_ query: UserDocumentQuery, isGzip: Bool) {
        let part = Self.coding(isGzip)
        if case .marketList(let list) = query {
            self.init(thousandths: Self.answer(.marketList(list), part), of: 1)
        } else {
            self.init(thousandths: Self.sum(query, part), of: 1)
        }
    }

    /// The cost of beginning a stream of a user's document.
    init(streaming query: UserDocumentQuery, isGzip: Bool) {
        self.init(thousandths: Self.sum(query, Self.coding(isGzip)), of: 2)
    }

    private init(thousandths: Int, of factor: Int) {
        units = 1 + (thousandths * factor + Self.unit / 2) / Self.unit
    }

    // MARK: - Prices

    /// The price of one row of a document.
    struct Price: Sendable {
        /// Thousandths of a unit, as JSON.
        let json: Int
        /// Thousandths of a unit, compressed.
        let gzip: Int
        /// Bytes of memory in a document that is streamed.
        let bytes: Int
    }

    /// A part of the price that is counted.
    private typealias Part = KeyPath<Price, Int>

    private static let unit = 1_000
    /// A market of a list.
    static let market = Price(json: 3, gzip: 8, bytes: 4_096)
    /// A market of a list beside those of a page: it is presented for other pages of the revision.
    static let heldMarket = Price(json: 2, gzip: 2, bytes: 0)
    /// A candle with its averages, or without any.
    static let candle = Price(json: 5, gzip: 20, bytes: 2_560)
    static let bareCandle = Price(json: 2, gzip: 6, bytes: 1_024)
    /// A trade.
    static let trade = Price(json: 2, gzip: 6, bytes: 1_024)
    /// A coin's deposits and withdrawals.
    static let asset = Price(json: 2, gzip: 4, bytes: 1_024)
    /// The most rules of a user and the alerts of the log: content, JSON and patches.
    private static let alertBytes =
        (AlertRule.rulesMax + UserAlerts.logRowsMax) * 2_560
    /// The markets and coins of an unlimited list; the exchange has about 500.
    private static let listed = 500

    private static func coding(_ isGzip: Bool) -> Part { isGzip ? \.gzip : \.json }

    /// The memory that a document takes while it is streamed, in bytes by estimate.
    static func streamedBytes(_ query: DocumentQuery) -> Int { 16_384 + sum(query, \.bytes) }

    /// The memory that a user's document takes while it is streamed, in bytes by estimate.
    static func streamedBytes(_ query: UserDocumentQuery) -> Int {
        switch query {
        case .marketList(let list): streamedBytes(DocumentQuery.marketList(list))
        case .snapshot(let snapshot):
            streamedBytes(DocumentQuery.snapshot(snapshot.market)) + 65_536
                + (snapshot.alerts == nil ? 0 : alertBytes)
        case .alerts: alertBytes
        case .portfolio, .settings, .favorites, .holdings, .cash, .me: 65_536
        }
    }

    /// The price of an answer: with a page all rows of its revision are kept.
    private static func answer(_ query: DocumentQuery, _ part: Part) -> Int {
        guard case .marketList(let list) = query, list.revision == nil else {
            return sum(query, part)
        }
        let others = rowsMax(list.whole) - rowsMax(list)
        return sum(query, part) + others * heldMarket[keyPath: part]
    }

    /// The most rows of a list.
    private static func rowsMax(_ list: MarketListQuery) -> Int {
        min(list.markets?.count ?? listed, list.limit, listed)
    }

    private static func sum(_ query: DocumentQuery, _ part: Part) -> Int {
        switch query {
        case .marketList(let list): market[keyPath: part] * rowsMax(list)
        case .marketDetail(let detail): candles(detail, part) + trades(detail, part)
        case .orderBook: 0
        case .trades(let detail): trades(detail, part)
        case .candles(let detail): candles(detail, part)
        case .assets: asset[keyPath: part] * listed
        case .snapshot(let snapshot):
            (snapshot.marketList.map { sum(DocumentQuery.marketList($0), part) } ?? 0)
                + (snapshot.marketDetail.map { sum(.marketDetail($0), part) } ?? 0)
                + (snapshot.assets.map { sum(.assets($0), part) } ?? 0)
        }
    }

    private static func sum(_ query: UserDocumentQuery, _ part: Part) -> Int {
        switch query {
        case .marketList(let list): sum(DocumentQuery.marketList(list), part)
        case .snapshot(let snapshot): sum(.snapshot(snapshot.market), part) + unit
        case .portfolio, .alerts: unit
        case .settings, .favorites, .holdings, .cash, .me: 0
        }
    }

    private static func trades(_ query: MarketDetailQuery, _ part: Part) -> Int {
        trade[keyPath: part] * query.tradeLimit
    }

    private static func candles(_ query: MarketDetailQuery, _ part: Part) -> Int {
        let count =
            switch query.candles {
            case .newest(let count, _): count
            case .at: 1
            case .span: MarketDetailQuery.candlesMax
            }
        return count * (query.averageWindows.isEmpty ? bareCandle : candle)[keyPath: part]
    }
}
