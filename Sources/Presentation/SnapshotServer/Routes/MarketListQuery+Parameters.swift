import Domain
import Presentation

extension MarketListQuery {
    /// The parameters of `/v1/markets`.
    static let parameterNames = [
        "tab", "quote", "sort", "direction", "period", "q", "markets", "offset", "limit", "lang",
    ]

    /// The longest search text, in characters.
    static let searchLengthMax = 100

    /// Reads a query; what is not given has the contract's default.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        self.init()
        tab = try parameters.choice("tab", of: Tab.allCases.map { ($0.rawValue, $0) }) ?? .markets
        let quote = try parameters.choice("quote", of: Quote.allCases.map { ($0.rawValue, $0) })
        sort =
            try parameters.choice("sort", of: MarketSortKey.allCases.map { ($0.rawValue, $0) })
            ?? .popularity
        direction =
            try parameters.choice(
                "direction",
                of: SortDirection.allCases.map { ($0.rawValue, $0) }
            )
            ?? sort.naturalDirection
        period =
            try parameters.choice("period", of: ChangePeriod.allCases.map { ($0.rawValue, $0) })
            ?? .hours24
        language =
            try parameters.choice("lang", of: Language.allCases.map { ($0.rawValue, $0) })
            ?? .korean
        offset = try parameters.integer("offset", in: 0...(.max)) ?? 0
        limit = try parameters.integer("limit", in: 1...Self.limitMax) ?? Self.limitMax
        if let text = parameters["q"] {
            guard text.count <= Self.searchLengthMax else {
                throw .invalidParameter(
                    "q",
                    "the search text is too long",
                    allowed: ["at most \(Self.searchLengthMax) characters"]
                )
            }
            searchText = text
        }
        // Named markets may be of any currency; else the plain list is that of won markets.
        self.quote = quote ?? (tab == .markets && parameters["markets"] == nil ? .krw : nil)
        if let text = parameters["markets"] { takeMarkets(text, quote: quote) }
    }

    private mutating func takeMarkets(_ text: String, quote: Quote?) {
        var markets: [MarketID] = []
        var seen: Set<String> = []
        for part in text.split(separator: ",") {
            let name = String(part)
            guard let market = MarketID(anySpelling: name) else {
                if seen.insert(name).inserted { unreadableNames.append(Problem.short(name)) }
                continue
            }
            guard seen.insert(market.name).inserted, quote == nil || market.quote == quote else {
                continue
            }
            markets.append(market)
        }
        self.markets = markets
    }
}
