import Domain
import Presentation

extension MarketListQuery {
    /// The parameters of `/v1/markets`.
    static let parameterNames = [
        "tab", "quote", "sort", "direction", "period", "q", "markets", "offset", "limit", "lang",
    ]

    /// The lists that are the same for everybody: favourites are under `/v1/me`.
    private static let publicTabs = [Tab.markets, .popular].map(\.rawValue)

    /// Reads a query; what is not given has the contract's default.
    ///
    /// - Throws: ``Problem`` `invalid_parameter`.
    init(_ parameters: RequestParameters) throws(Problem) {
        self.init()
        tab =
            try parameters.value("tab", "not one of its values", allowed: Self.publicTabs) { text in
                Self.publicTabs.contains(text) ? Tab(rawValue: text) : nil
            } ?? tab
        let quote: Quote? = try parameters.choice("quote")
        let sort = try parameters.choice("sort") ?? MarketSortKey.popularity
        self.sort = sort
        direction = try parameters.choice("direction") ?? sort.naturalDirection
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
