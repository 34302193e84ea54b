import Domain
import ViewStates

/// A document about one market.
enum DetailDocumentKind: String, CaseIterable, Sendable {
    case marketDetail = "market-detail"
    case orderBook = "order-book"
    case trades = "trades"
    case candles = "candles"

    /// The parameters of the document beside `market`.
    var parameterNames: [String] {
        switch self {
        case .marketDetail:
            [
                "period", "depth", "group", "interval", "count", "candlesBefore", "averages",
                "limit", "lang",
            ]
        case .orderBook: ["depth", "group", "lang"]
        case .trades: ["limit", "since", "before", "lang"]
        case .candles: ["interval", "count", "before", "at", "averages", "lang"]
        }
    }

    /// The last segment of the document's path; nil for the whole detail.
    var pathPart: String? {
        switch self {
        case .marketDetail: nil
        case .orderBook: "orderbook"
        case .trades: "trades"
        case .candles: "candles"
        }
    }

    /// The query for this document.
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
    /// Parses the parameters; absent ones have the contract's defaults.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - kind: the document.
    ///   - parameters: the document's parameters.
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
            try parseBook(parameters)
            try parseCandles(parameters, before: "candlesBefore")
            tradeLimit = try parameters.integer("limit", in: 1...Self.tradesMax) ?? tradeLimit
        case .orderBook: try parseBook(parameters)
        case .trades: try parseTrades(parameters)
        case .candles:
            try parseCandles(parameters, before: "before")
            try parseTime(parameters)
        }
    }

    private mutating func parseBook(_ parameters: RequestParameters) throws(Problem) {
        depth = try parameters.integer("depth", in: 1...Self.depthMax) ?? depth
        group = try parameters.value(
            "group",
            "not a price step",
            allowed: ["a price step of the market, e.g. 1000"]
        ) { text in
            guard Self.isPlainDecimal(text), let step = try? FixedDecimal(parsing: text),
                step.sign > 0
            else { return nil }
            return step
        }
    }

    /// Whether a text has the pattern of OpenAPI: at most 12 digits, then perhaps a point and at
    /// most 8 more; no sign and no exponent.
    private static func isPlainDecimal(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return false }
        return zip(parts, [12, 8]).allSatisfy { digits, most in
            (1...most).contains(digits.count)
                && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    private mutating func parseTrades(_ parameters: RequestParameters) throws(Problem) {
        tradeLimit = try parameters.integer("limit", in: 1...Self.tradesMax) ?? tradeLimit
        let allowed = ["a trade id, e.g. 1795176191151220.0"]
        let since = try parameters.value("since", "not a trade id", allowed: allowed) {
            TradeID(text: $0)
        }
        let before = try parameters.value("before", "not a trade id", allowed: allowed) {
            TradeID(text: $0)
        }
        switch (since, before) {
        case (nil, nil): trades = .newest
        case (let since?, nil): trades = .since(since)
        case (nil, let before?): trades = .before(before)
        case (_?, _?):
            throw parameters.error(
                "before",
                "cannot be combined with since",
                allowed: ["without since"]
            )
        }
    }

    private mutating func parseCandles(
        _ parameters: RequestParameters,
        before name: String
    ) throws(Problem) {
        interval = try parameters.choice("interval") ?? interval
        guard case .newest(let usual, _) = candles else { return }
        averageWindows = try parseAverages(parameters) ?? averageWindows
        let count = try parameters.integer("count", in: 1...Self.candlesMax)
        candles = .newest(count: count ?? usual, before: try Self.time(name, parameters))
    }

    /// Windows in any order; `none` alone stands for no averages.
    private func parseAverages(_ parameters: RequestParameters) throws(Problem) -> [Int]? {
        let windows = CandleSeries.averageWindows
        return try parameters.value(
            "averages",
            "not a list of windows",
            allowed: ["none"] + windows.map(String.init)
        ) { text in
            if text == "none" { return [] }
            let names = Set(text.split(separator: ",", omittingEmptySubsequences: false))
            let chosen = windows.filter { names.contains(Substring(String($0))) }
            return chosen.count == names.count ? chosen : nil
        }
    }

    private mutating func parseTime(_ parameters: RequestParameters) throws(Problem) {
        guard let at = try Self.time("at", parameters) else { return }
        guard parameters["before"] == nil, parameters["count"] == nil else {
            throw parameters.error(
                "at",
                "selects one candle and cannot be combined with before or count",
                allowed: ["without before and count"]
            )
        }
        candles = .at(at)
    }

    private static func time(
        _ name: String,
        _ parameters: RequestParameters
    ) throws(Problem) -> Timestamp? {
        try parameters.value(
            name,
            "not a time with an offset",
            allowed: ["a time with an offset, e.g. 2026-11-20T21:00:00+09:00"]
        ) { TimeText.timestamp(iso8601: $0) }
    }
}
