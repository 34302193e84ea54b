import Domain
import ViewStates

/// A document about one market.
enum DetailDocumentKind: String, CaseIterable, Sendable {
    case marketDetail = "market-detail"
    case orderBook = "order-book"
    case trades = "trades"
    case candles = "candles"

    /// The parameters of the document, its market apart.
    var parameterNames: [String] {
        switch self {
        case .marketDetail: ["period", "depth", "group", "interval", "count", "limit", "lang"]
        case .orderBook: ["depth", "group", "lang"]
        case .trades: ["limit", "since", "before", "lang"]
        case .candles: ["interval", "count", "before", "at", "lang"]
        }
    }

    /// The last part of the document's path; nil for the whole detail.
    var pathPart: String? {
        switch self {
        case .marketDetail: nil
        case .orderBook: "orderbook"
        case .trades: "trades"
        case .candles: "candles"
        }
    }

    /// The question for this document.
    func query(_ query: MarketDetailQuery) -> DocumentQuery {
        switch self {
        case .marketDetail: .marketDetail(query)
        case .orderBook: .orderBook(query)
        case .trades: .trades(query)
        case .candles: .candles(query)
        }
    }
}

extension MarketDetailQuery {
    /// Reads a query; what is not given has the contract's default.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - kind: the document.
    ///   - parameters: only those that the document has.
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(
        _ market: MarketID,
        _ kind: DetailDocumentKind,
        _ parameters: RequestParameters
    ) throws(Problem) {
        self.init(market: market)
        language = try parameters.choice("lang") ?? language
        switch kind {
        case .marketDetail:
            period = try parameters.choice("period") ?? period
            try takeBook(parameters)
            try takeCandles(parameters)
            tradeLimit = try parameters.integer("limit", in: 1...Self.tradesMax) ?? tradeLimit
        case .orderBook: try takeBook(parameters)
        case .trades: try takeTrades(parameters)
        case .candles:
            try takeCandles(parameters)
            try takeTimes(parameters)
        }
    }

    private mutating func takeBook(_ parameters: RequestParameters) throws(Problem) {
        depth = try parameters.integer("depth", in: 1...Self.depthMax) ?? depth
        group = try parameters.value(
            "group",
            "no price step",
            allowed: ["a price step of the market, such as 1000"]
        ) { text in
            guard let step = try? FixedDecimal(parsing: text), step.sign > 0 else { return nil }
            return step
        }
    }

    private mutating func takeTrades(_ parameters: RequestParameters) throws(Problem) {
        tradeLimit = try parameters.integer("limit", in: 1...Self.tradesMax) ?? tradeLimit
        let allowed = ["the id of a trade, such as 1795176191151220.0"]
        let since = try parameters.value("since", "no id of a trade", allowed: allowed) {
            TradeID(text: $0)
        }
        let before = try parameters.value("before", "no id of a trade", allowed: allowed) {
            TradeID(text: $0)
        }
        switch (since, before) {
        case (nil, nil): trades = .newest
        case (let since?, nil): trades = .since(since)
        case (nil, let before?): trades = .before(before)
        case (_?, _?):
            throw parameters.refusal(
                "before",
                "cannot stand beside since",
                allowed: ["without since"]
            )
        }
    }

    private mutating func takeCandles(_ parameters: RequestParameters) throws(Problem) {
        interval = try parameters.choice("interval") ?? interval
        let count = try parameters.integer("count", in: 1...Self.candlesMax)
        if let count { candles = .newest(count: count, before: nil) }
    }

    private mutating func takeTimes(_ parameters: RequestParameters) throws(Problem) {
        let allowed = ["a time with its offset, such as 2026-11-20T21:00:00+09:00"]
        let before = try parameters.value("before", "no time with its offset", allowed: allowed) {
            TimeText.timestamp(iso8601: $0)
        }
        let at = try parameters.value("at", "no time with its offset", allowed: allowed) {
            TimeText.timestamp(iso8601: $0)
        }
        if case .newest(let count, _) = candles, let before {
            candles = .newest(count: count, before: before)
        }
        guard let at else { return }
        guard before == nil, parameters["count"] == nil else {
            throw parameters.refusal(
                "at",
                "means one candle and cannot stand beside before or count",
                allowed: ["without before and count"]
            )
        }
        candles = .at(at)
    }
}
