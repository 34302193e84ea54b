import Domain
import Presentation
import PresentationHTTP
import TestSupport
import Testing

@Suite("A query written anywhere means what it means over HTTP, or names what is wrong")
struct DocumentQueryTests {
    @Test("Parameters make the query of the contract")
    func query() throws {
        #expect(try list([]) == .marketList(MarketListQuery()))
        var expected = MarketListQuery()
        expected.tab = .popular
        expected.quote = nil
        expected.sort = .name
        expected.direction = .ascending
        expected.period = .minutes30
        expected.searchText = "비"
        expected.markets = ["XRP_KRW", "ETH_BTC"]
        expected.unreadableNames = ["?"]
        expected.offset = 3
        expected.limit = 4
        expected.language = .english
        let parameters = [
            ("tab", "popular"), ("sort", "name"), ("period", "30M"), ("q", "비"),
            ("markets", "krw-xrp,?,ETH_BTC"), ("offset", "3"), ("limit", "4"), ("lang", "en"),
        ]
        #expect(try list(parameters) == .marketList(expected))
    }

    @Test(
        "An error names the parameter and what is allowed",
        arguments: [
            (
                [("sort", "volume")],
                "sort: \"volume\" is not one of its values; "
                    + "allowed: popularity, name, price, changeRate, tradeValue"
            ),
            ([("limit", "0")], "limit: \"0\" is no whole number in its range; allowed: 1..1000"),
            ([("lang", "ko"), ("lang", "ko")], "lang: stands more than once; allowed: once"),
        ] as [([(String, String)], String)]
    )
    func error(parameters: [(String, String)], description: String) {
        let error = #expect(throws: ParameterError.self) {
            try list(parameters)
        }
        #expect(error?.description == description)
    }

    private func list(_ parameters: [(String, String)]) throws(ParameterError) -> DocumentQuery {
        try DocumentQuery(document: "market-list", parameters: parameters.map { ($0, $1) })
    }
}
