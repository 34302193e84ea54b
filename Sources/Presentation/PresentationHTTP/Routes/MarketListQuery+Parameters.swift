import Domain
import ViewStates

extension MarketListQuery {
    /// The parameters of `/v1/markets`.
    static let parameterNames = [
        "tab", "quote", "sort", "direction", "period", "q", "markets", "offset", "limit", "lang",
    ]

    /// Reads a query of what is the same for everybody; what is not given has the contract's
    /// default.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        try self.init(parameters, tabs: Tab.publicTabs)
    }

    /// Reads a query; what is not given has the contract's default, and favourites stand in the
    /// user's own order.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters, tabs: [Tab]) throws(Problem) {
        self.init()
        tab =
            try parameters.value("tab", "not one of its values", allowed: tabs.map(\.rawValue)) {
                text in tabs.first { $0.rawValue == text }
            } ?? tab
        let quote: Quote? = try parameters.choice("quote")
        let natural: MarketSortKey? = tab == .favorites ? nil : .popularity
        sort = try parameters.choice("sort") ?? natural
        direction =
            try parameters.choice("direction") ?? sort?.naturalDirection ?? .ascending
        period = try parameters.choice("period") ?? period
        language = try parameters.choice("lang") ?? language
        offset = try parameters.integer("offset", in: 0...(.max)) ?? offset
        limit = try parameters.integer("limit", in: 1...Self.limitMax) ?? limit
        searchText = try parameters.searchText()
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
                if seen.insert(name).inserted { invalidMarketNames.append(Problem.short(name)) }
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

extension MarketListQuery.Tab {
    /// Those of lists that are the same for everybody.
    static let publicTabs: [Self] = [.markets, .popular]
}
