import Domain
import HTTPServer

/// Answers `/public/…` of API 1.x from simulated markets: tickers, order books, trades, charts,
/// deposits and withdrawals.
struct SimulatedResponses: Sendable {
    let feed: SimulatedFeed

    private typealias Answer = RESTService.Answer

    /// The subject of a path: one market, or all of a quote currency.
    private enum Name {
        case market(MarketID)
        case all(Quote)
    }

    private static let bookLevels = 1...OrderBookWriter.levelsMax
    private static let bookLevelsOfAll = 1...5
    private static let trades = 1...RecentTrades.answerMax
    private static let defaultTradeCount = 20

    func answer(_ request: HTTPServerRequest) -> RESTService.Answer {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        // The part before the first slash is empty.
        guard parts.count >= 4, parts[0].isEmpty else { return .noRoute }
        let name = parts[3]
        guard parts[1] == "public" else { return .noRoute }
        switch (parts[2], parts.count) {
        case ("ticker", 4): return ticker(name)
        case ("orderbook", 4): return book(name, request)
        case ("transaction_history", 4): return trades(name, request)
        case ("candlestick", 4): return candles(name, span: ChartInterval.hours24.rawValue)
        case ("candlestick", 5): return candles(name, span: parts[4])
        case ("assetsstatus", 4): return assets(name)
        default: return .noRoute
        }
    }

    // MARK: Categories

    private func ticker(_ name: String) -> Answer {
        switch Self.name(name) {
        case .all(let quote):
            feed.isRemoved(quote) ? .badInput : Answer(body: feed.allTickers(of: quote))
        case .market(let id): feed.ticker(of: id).map { Answer(body: $0) } ?? .unknown(name)
        case nil: .unknown(name)
        }
    }

    private func book(_ name: String, _ request: HTTPServerRequest) -> Answer {
        switch Self.name(name) {
        case .all(let quote):
            if feed.isRemoved(quote) { return .badInput }
            let usual = Self.bookLevelsOfAll.upperBound
            guard let count = Self.count(of: request, Self.bookLevelsOfAll, usual: usual) else {
                return .badInput
            }
            return Answer(body: feed.allBooks(of: quote, count: count))
        case .market(let id):
            let usual = Self.bookLevels.upperBound
            guard let count = Self.count(of: request, Self.bookLevels, usual: usual) else {
                return .badInput
            }
            return feed.book(of: id, count: count).map { Answer(body: $0) } ?? .unknown(name)
        case nil: return .unknown(name)
        }
    }

    private func trades(_ name: String, _ request: HTTPServerRequest) -> Answer {
        guard let count = Self.count(of: request, Self.trades, usual: Self.defaultTradeCount) else {
            return .badInput
        }
        switch Self.name(name) {
        case .market(let id):
            return feed.trades(of: id, count: count).map { Answer(body: $0) } ?? .unknown(name)
        case .all: return .badInput
        case nil: return .unknown(name)
        }
    }

    private func candles(_ name: String, span: String) -> Answer {
        guard let span = ChartInterval(rawValue: span) else { return .badInput }
        switch Self.name(name) {
        case .market(let id):
            return feed.candles(of: id, span).map { Answer(body: $0) } ?? .unknown(name)
        case .all: return .badInput
        case nil: return .unknown(name)
        }
    }

    private func assets(_ name: String) -> Answer {
        // Old clients use either case.
        let code = name.uppercased()
        if code == "ALL" { return Answer(body: feed.allAssets) }
        return feed.asset(code).map { Answer(body: $0) } ?? .unlisted
    }

    // MARK: Parameters

    /// Parses a name.
    ///
    /// Without a payment currency it means won.
    private static func name(_ text: String) -> Name? {
        guard let id = MarketID(name: text) ?? MarketID(symbol: text, quote: .krw) else {
            return nil
        }
        return id.symbol == "ALL" ? .all(id.quote) : .market(id)
    }

    /// Parses `count`; nil if it is out of range.
    private static func count(
        of request: HTTPServerRequest,
        _ range: ClosedRange<Int>,
        usual: Int
    ) -> Int? {
        guard let text = request.parameter("count") else { return usual }
        return Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
}

extension RESTService.Answer {
    fileprivate static let badInput = error("5500", "입력값을 확인해 주세요.")
    fileprivate static let unlisted = error("5500", "상장 코인 아님")

    /// The answer to an unknown name.
    ///
    /// With a known payment currency it means an unlisted coin.
    fileprivate static func unknown(_ name: String) -> RESTService.Answer {
        let isQuoted = Quote.allCases.contains { name.hasSuffix("_" + $0.rawValue) }
        return isQuoted || !name.contains("_") ? unlisted : badInput
    }
}
