import Domain
import ViewStates
import PresentationHTTP
import TestSupport
import Testing

@Suite("Queries from commands")
struct DocumentQueryTests {
    @Test("parameters make the contract's query")
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
        expected.invalidMarketNames = ["?"]
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
        "an error names the parameter and the allowed values",
        arguments: [
            (
                [("sort", "volume")],
                "sort: \"volume\" is not an allowed value; "
                    + "allowed: popularity, name, price, changeRate, tradeValue"
            ),
            ([("limit", "0")], "limit: \"0\" is not a whole number in its range; allowed: 1..1000"),
            ([("lang", "ko"), ("lang", "ko")], "lang: is given more than once; allowed: once"),
        ] as [([(String, String)], String)]
    )
    func error(parameters: [(String, String)], description: String) {
        let error = #expect(throws: ParameterError.self) {
            try list(parameters)
        }
        #expect(error?.description == description)
    }

    @Test("documents about one market need a market, in any spelling")
    func market() throws {
        let query = MarketDetailQuery(market: "XRP_KRW")
        let documents: [(String, DocumentQuery)] = [
            ("market-detail", .marketDetail(query)), ("order-book", .orderBook(query)),
            ("trades", .trades(query)), ("candles", .candles(query)),
        ]
        for (name, expected) in documents {
            #expect(try NamedDocument.query(name, [("market", "krw-xrp")]) == expected)
            let error = #expect(throws: ParameterErrorText.self) {
                try NamedDocument.query(name, [])
            }
            #expect(error?.text == "market: is missing; allowed: a market, e.g. BTC_KRW")
        }
    }

    @Test("a snapshot has the parameters of HTTP")
    func snapshot() throws {
        let query = try NamedDocument.query(
            "snapshot",
            [("market", "XRP_KRW"), ("market-detail.depth", "3"), ("market-list.limit", "4")]
        )
        var list = MarketListQuery()
        list.limit = 4
        var detail = MarketDetailQuery(market: "XRP_KRW")
        detail.depth = 3
        #expect(query == .snapshot(SnapshotQuery(marketList: list, marketDetail: detail)))
    }

    @Test("an unknown document is an error with the known ones")
    func unknownDocument() {
        let error = #expect(throws: ParameterErrorText.self) {
            try NamedDocument.query("portfolio", [])
        }
        let documents = "market-list, market-detail, order-book, trades, candles, assets, snapshot"
        #expect(error?.text == "DOCUMENT: unknown document; allowed: " + documents)
    }

    @Test("market, price step and trade are checked against the board")
    func check() throws {
        var sample = SampleBoard.live()
        sample.trade("XRP_KRW", at: "743")
        func refusal(_ document: String, _ parameters: [(String, String)]) throws -> String? {
            let query = try NamedDocument.query(document, parameters)
            do throws(ParameterError) {
                try query.check(sample.board)
                return nil
            } catch {
                return error.description
            }
        }
        let id = sample.board.tape(of: "XRP_KRW")[0].id.text
        #expect(try refusal("trades", [("market", "XRP_KRW"), ("since", id)]) == nil)
        #expect(try refusal("order-book", [("market", "XRP_KRW"), ("group", "5")]) == nil)
        #expect(try refusal("market-list", []) == nil)
        #expect(
            try refusal("order-book", [("market", "NO_KRW")])
                == "the exchange has no market NO_KRW"
        )
        let group = try refusal("order-book", [("market", "XRP_KRW"), ("group", "7")])
        #expect(group?.hasSuffix("allowed: 1, 2, 5, 10, 50, 100") == true)
        let cursor = try refusal("trades", [("market", "XRP_KRW"), ("before", "1.0")])
        #expect(cursor?.hasPrefix("the trade 1.0 is not among the newest") == true)
    }

    private func list(_ parameters: [(String, String)]) throws(ParameterError) -> DocumentQuery {
        try DocumentQuery(document: "market-list", parameters: parameters.map { ($0, $1) })
    }
}
