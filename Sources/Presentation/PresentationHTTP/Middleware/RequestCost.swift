import ViewStates

/// What a request costs, in units of a client's quota.
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
        self.init(thousandths: Self.thousandths(query, isGzip), of: 1)
    }

    /// The cost of beginning a stream of a document: its first event, and events to come.
    init(streaming query: DocumentQuery, isGzip: Bool) {
        self.init(thousandths: Self.thousandths(query, isGzip), of: 2)
    }

    /// The cost of a user's document.
    init(_ query: UserDocumentQuery, isGzip: Bool) {
        let thousandths =
            switch query {
            case .marketList(let list): Self.thousandths(.marketList(list), isGzip)
            case .snapshot(let snapshot):
                Self.thousandths(.snapshot(snapshot.market), isGzip) + Self.unit
            case .portfolio: Self.unit
            case .settings, .favorites, .holdings, .cash, .me: 0
            }
        self.init(thousandths: thousandths, of: 1)
    }

    private init(thousandths: Int, of factor: Int) {
        units = 1 + (thousandths * factor + Self.unit / 2) / Self.unit
    }

    // MARK: - Prices

    /// The price of one row of a document in thousandths of a unit: as JSON, and compressed.
    struct Price: Sendable {
        let json: Int
        let gzip: Int

        fileprivate func of(_ count: Int, _ isGzip: Bool) -> Int {
            count * (isGzip ? gzip : json)
        }
    }

    private static let unit = 1_000
    /// A market of a list.
    static let market = Price(json: 3, gzip: 8)
    /// A candle with its averages, or without any.
    static let candle = Price(json: 5, gzip: 20)
    static let bareCandle = Price(json: 2, gzip: 6)
    /// A trade.
    static let trade = Price(json: 2, gzip: 6)
    /// A coin's deposits and withdrawals.
    static let asset = Price(json: 2, gzip: 4)
    /// The markets and coins of an unlimited list; the exchange has about 500.
    private static let listed = 500

    private static func thousandths(_ query: DocumentQuery, _ isGzip: Bool) -> Int {
        switch query {
        case .marketList(let list):
            market.of(min(list.markets?.count ?? listed, list.limit, listed), isGzip)
        case .marketDetail(let detail): candles(detail, isGzip) + trades(detail, isGzip)
        case .orderBook: 0
        case .trades(let detail): trades(detail, isGzip)
        case .candles(let detail): candles(detail, isGzip)
        case .assets: asset.of(listed, isGzip)
        case .snapshot(let snapshot):
            (snapshot.marketList.map { thousandths(.marketList($0), isGzip) } ?? 0)
                + (snapshot.marketDetail.map { thousandths(.marketDetail($0), isGzip) } ?? 0)
                + (snapshot.assets.map { thousandths(.assets($0), isGzip) } ?? 0)
        }
    }

    private static func trades(_ query: MarketDetailQuery, _ isGzip: Bool) -> Int {
        trade.of(query.tradeLimit, isGzip)
    }

    private static func candles(_ query: MarketDetailQuery, _ isGzip: Bool) -> Int {
        let count =
            switch query.candles {
            case .newest(let count, _): count
            case .at: 1
            case .span: MarketDetailQuery.candlesMax
            }
        let price = query.averageWindows.isEmpty ? bareCandle : candle
        // Averages need the candles before the first one, too.
        return price.of(count, isGzip)
    }
}
