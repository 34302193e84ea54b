import Domain
import HTTPServer

/// Answers `/v1/…` of API 2.x from simulated markets: names, warnings, tickers, order books, trades
/// and candles.
struct MarketResponses: Sendable {
    let feed: SimulatedFeed
    let faults: FaultSet

    private typealias Answer = RESTService.Answer

    /// The first parts of all paths: an empty one and `v1`.
    private static let pathStart = 2
    /// Longer queries are refused with 414.
    private static let queryCharactersMax = 4_000
    /// Maximum number of tickers of one call.
    private static let tickersMax = 200
    /// Units of one book alone, and of each of several.
    private static let units = (ofOne: 30, ofSeveral: 15)
    private static let tradeCounts = 1...500
    private static let candleCounts = 1...200
    private static let pastDays = 1...TradePage.daysMax

    func answer(_ request: HTTPServerRequest) -> RESTService.Answer {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init).dropFirst(Self.pathStart)
        guard Self.queryLength(of: request) <= Self.queryCharactersMax else { return .tooLong }
        switch (parts.first, parts.count) {
        case ("ticker", 1): return tickers(request)
        case ("orderbook", 1): return books(request)
        case ("trades", 2) where parts.last == "ticks": return trades(request)
        case ("candles", _): return candles(parts.dropFirst(), request)
        case ("market", 2): return market(parts.last ?? "", request)
        default: return .noRoute
        }
    }

    /// The length of the decoded query.
    private static func queryLength(of request: HTTPServerRequest) -> Int {
        request.query.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 }
    }

    // MARK: Categories

    private func tickers(_ request: HTTPServerRequest) -> Answer {
        guard let codes = Self.codes(of: request) else { return .missingParameter }
        guard codes.count <= Self.tickersMax else { return .tooManyMarkets }
        guard let markets = Self.markets(codes), faults.refused.isDisjoint(with: markets) else {
            return .unknownCode
        }
        return feed.tickers(of: markets, faults.tickerQuirks).map { Answer(body: $0) }
            ?? .unknownCode
    }

    private func books(_ request: HTTPServerRequest) -> Answer {
        guard let codes = Self.codes(of: request) else { return .missingParameter }
        guard let markets = Self.markets(codes) else { return .unknownCode }
        let count = codes.count == 1 ? Self.units.ofOne : Self.units.ofSeveral
        return feed.marketBooks(of: markets, count: count).map { Answer(body: $0) } ?? .unknownCode
    }

    private func trades(_ request: HTTPServerRequest) -> Answer {
        guard let code = request.parameter("market") else { return .missingParameter }
        guard let market = Self.markets([code])?.first else { return .unknownCode }
        guard let page = page(request) else { return .badParameter }
        return feed.tradePage(of: market, page).map { Answer(body: $0) } ?? .unknownCode
    }

    /// The page that a request describes; nil if a parameter is out of range.
    private func page(_ request: HTTPServerRequest) -> TradePage? {
        guard let count = Self.count(of: request, Self.tradeCounts) else { return nil }
        let today = SeoulTime(feed.clock.now()).day
        var end: Timestamp?
        var daysAgo: Int?
        if let text = request.parameter("daysAgo") {
            daysAgo = Int(text)
            guard let daysAgo, Self.pastDays.contains(daysAgo) else { return nil }
            end = SeoulTime.startOfDay(today - daysAgo)
        }
        if let text = request.parameter("to") {
            guard let time = KoreanTimeText.timeOfDay(text) else { return nil }
            end = SeoulTime.startOfDay(today - (daysAgo ?? 0)).advanced(by: time)
        }
        var cursor: Int64?
        if let text = request.parameter("cursor") {
            cursor = Int64(text)
            guard let cursor, cursor > 0 else { return nil }
        }
        return TradePage(
            count: count,
            end: end,
            cursor: cursor,
            isCursorInclusive: faults.isOn(.inclusiveCursor),
            start: SeoulTime.startOfDay(today - TradePage.daysMax)
        )
    }

    private func candles(_ path: some Collection<String>, _ request: HTTPServerRequest) -> Answer {
        guard let unit = MarketCandleUnit(path: path) else {
            return path.first == "minutes" && path.count == 2 ? .badParameter : .noRoute
        }
        guard let code = request.parameter("market") else { return .missingParameter }
        guard let market = Self.markets([code])?.first else { return .unknownCode }
        guard let count = Self.count(of: request, Self.candleCounts) else { return .badParameter }
        var end: Timestamp?
        if let text = request.parameter("to"), !text.isEmpty {
            end = KoreanTimeText.timestamp(text)
            if end == nil { return .badParameter }
        }
        let body = feed.marketCandles(
            of: market,
            unit,
            before: end,
            count: count,
            isConverted: request.parameter("convertingPriceUnit") == Quote.krw.rawValue
        )
        return body.map { Answer(body: $0) } ?? .unknownCode
    }

    private func market(_ name: String, _ request: HTTPServerRequest) -> Answer {
        switch name {
        case "all":
            switch request.parameter("isDetails") {
            case nil, "false": Answer(body: feed.marketNames(withWarnings: false))
            case "true": Answer(body: feed.marketNames(withWarnings: true))
            default: .error2("400", "isDetails must be true or false")
            }
        case "virtual_asset_warning": Answer(body: feed.marketAlerts)
        default: .noRoute
        }
    }

    // MARK: Parameters

    /// The codes of `markets`; nil without any.
    private static func codes(of request: HTTPServerRequest) -> [String]? {
        guard let text = request.parameter("markets"), !text.isEmpty else { return nil }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Parses codes in any case of letters; nil if one of them names no market.
    private static func markets(_ codes: [String]) -> [MarketID]? {
        let markets = codes.compactMap { code in
            // Some non-ASCII letters have ASCII upper cases.
            code.utf8.allSatisfy { $0 < 0x80 } ? MarketID(code: code.uppercased()) : nil
        }
        return markets.count == codes.count ? markets : nil
    }

    /// Parses `count`, 1 if absent; nil if it is out of range.
    private static func count(
        of request: HTTPServerRequest,
        _ range: ClosedRange<Int>
    ) -> Int? {
        guard let text = request.parameter("count") else { return range.lowerBound }
        return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
}

extension RESTService.Answer {
    fileprivate static let unknownCode = error2("404", "Code not found")
    fileprivate static let missingParameter = error2(
        "400",
        "Missing request parameter error. Check the required parameters!"
    )
    fileprivate static let badParameter = error2("400", "Bad Request")
    /// The documented form: HTTP status 400, and the name is a text.
    fileprivate static let tooManyMarkets: RESTService.Answer = {
        var answer = error2(#""400""#, "The markets parameter accepts up to 200 items.")
        answer.status = 400
        return answer
    }()
    fileprivate static let tooLong = RESTService.Answer(status: 414, body: [])
}
