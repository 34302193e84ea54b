import Domain
import ViewStates

extension MarketListQuery {
    /// The parameters of `/v1/markets`, which reads pages of a revision.
    static let pageParameterNames = [
        "tab", "quote", "sort", "direction", "period", "q", "markets", "offset", "revision",
        "limit", "lang",
    ]

    /// The parameters of a list in streams and snapshots.
    static let parameterNames = pageParameterNames.filter { $0 != "revision" }

    /// Parses the parameters of a public list; absent ones have the contract's defaults.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        try self.init(parameters, tabs: Tab.publicTabs)
    }

    /// Parses the parameters; absent ones have the contract's defaults.
    ///
    /// Favorites keep the user's order.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters, tabs: [Tab]) throws(Problem) {
        self.init()
        tab =
            try parameters.value("tab", "not an allowed value", allowed: tabs.map(\.rawValue)) {
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
        revision = try parameters.value(
            "revision",
            "not a revision",
            allowed: ["the revision of a page of this list, e.g. k3v9x2-1842"]
        ) { DocumentRevision.isWellFormed($0) ? $0 : nil }
        limit = try parameters.integer("limit", in: 1...Self.limitMax) ?? limit
        searchText = try parameters.searchText()
        // Without `quote` the plain list has KRW markets; named markets may have any currency.
        self.quote = quote ?? (tab == .markets && parameters["markets"] == nil ? .krw : nil)
        if let text = parameters["markets"] { parseMarkets(text, quote: quote) }
    }

    private mutating func parseMarkets(_ text: String, quote: Quote?) {
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
    /// The tabs of public lists.
    static let publicTabs: [Self] = [.markets, .popular]
}
