import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Parameters of streams")
struct StreamQueryTests {
    @Test("one name is a document, several are a snapshot, none is the list or a market")
    func documents() throws {
        #expect(try read([]) == .marketList(MarketListQuery()))
        #expect(try read([("market", "btc_krw")]).detail?.market == "BTC_KRW")
        for (name, query) in [
            ("market-list", "limit"), ("market-list", "markets"), ("assets", "q"),
        ] {
            let value = query == "limit" ? "5" : "BTC_KRW"
            #expect(
                try read([("documents", name), (query, value)])
                    == NamedDocument.query(name, [(query, value)])
            )
        }
        for name in ["market-detail", "order-book", "trades", "candles"] {
            let parameters = [("market", "KRW-BTC")]
            #expect(
                try read([("documents", name)] + parameters)
                    == NamedDocument.query(name, parameters)
            )
        }
        let both = [("documents", "market-list,assets"), ("market-list.limit", "5")]
        #expect(try read(both) == NamedDocument.query("snapshot", both))
        let prefixed = [("market-list.limit", "5")]
        #expect(try read(prefixed) == NamedDocument.query("snapshot", prefixed))
    }

    @Test(
        "invalid parameters are named",
        arguments: [
            ([("documents", "portfolio")], "documents"),
            ([("documents", "snapshot")], "documents"),
            ([("documents", "")], "documents"),
            ([("documents", "assets"), ("documents", "assets")], "documents"),
            ([("documents", "market-list"), ("depth", "3")], "depth"),
            ([("documents", "market-list,"), ("limit", "3")], "limit"),
            ([("documents", "order-book")], "market"),
            ([("documents", "trades"), ("market", "BTC_KRW"), ("since", "1.0")], "since"),
            ([("documents", "trades"), ("market", "BTC_KRW"), ("before", "1.0")], "before"),
            ([("documents", "candles"), ("market", "BTC_KRW"), ("before", "")], "before"),
            ([("since", "1.0")], "since"), ([("market", "BTC_KRW"), ("before", "1.0")], "before"),
            ([("limit", "0")], "limit"), ([("revision", "epoch-1")], "revision"),
            ([("market-list.revision", "epoch-1")], "market-list.revision"),
            ([("token", "x")], "token"),
        ]
    )
    func refused(parameters: [(String, String)], name: String) {
        let problem = #expect(throws: Problem.self) { try read(parameters) }
        #expect(problem?.code == .invalidParameter && problem?.parameter == name)
        // Each allowed name would be accepted.
        #expect(problem?.allowed?.contains { StreamQuery.isPaging($0) } == false)
    }

    private func read(_ parameters: [(String, String)]) throws(Problem) -> DocumentQuery {
        try StreamQuery.document(parameters.map { (name: $0.0, value: $0.1) })
    }
}

@Suite(
    "A user's stream has one or several documents, with the portfolio and the user's own list"
)
struct UserStreamQueryTests {
    @Test("one name is a document; list and portfolio are the user's")
    func one() throws {
        #expect(try read([]) == .own(.marketList(MarketListQuery())))
        var favorites = MarketListQuery()
        favorites.tab = .favorites
        favorites.quote = nil
        favorites.sort = nil
        favorites.direction = .ascending
        #expect(try read([("tab", "favorites")]) == .own(.marketList(favorites)))
        let portfolio = [("documents", "portfolio"), ("lang", "en")]
        #expect(try read(portfolio) == .own(.portfolio(.english)))
        for name in ["market-detail", "order-book", "trades", "candles"] {
            let parameters = [("market", "KRW-BTC")]
            #expect(
                try read([("documents", name)] + parameters)
                    == .publicTabs(NamedDocument.query(name, parameters))
            )
        }
        #expect(
            try read([("documents", "assets")]) == .publicTabs(NamedDocument.query("assets", []))
        )
    }

    @Test("several names are one snapshot; without user data it is the public one")
    func several() throws {
        let both = try read([
            ("documents", "market-list,portfolio"), ("market-list.limit", "5"),
            ("portfolio.lang", "en"),
        ])
        var list = MarketListQuery()
        list.limit = 5
        let query = UserSnapshotQuery(
            market: SnapshotQuery(marketList: list, marketDetail: nil),
            portfolio: .english
        )
        #expect(both == .own(.snapshot(query)))
        #expect(both.market == .snapshot(query.market))
        let others = [("documents", "market-detail,assets"), ("market", "BTC_KRW")]
        #expect(try read(others) == .publicTabs(NamedDocument.query("snapshot", others)))
        let all = try read([
            ("documents", "portfolio,assets,market-detail,market-list"), ("market", "BTC_KRW"),
            ("market-list.tab", "favorites"), ("market-detail.depth", "3"),
        ])
        guard case .own(.snapshot(let every)) = all else {
            Issue.record("it has documents of the user's own")
            return
        }
        #expect(every.market.marketList?.tab == .favorites && every.portfolio == .korean)
        #expect(every.market.marketDetail?.depth == 3 && every.market.assets != nil)
    }

    @Test(
        "invalid parameters are named",
        arguments: [
            ([("documents", "settings")], "documents"),
            ([("documents", "portfolio,favorites")], "documents"),
            ([("documents", "portfolio,order-book")], "documents"),
            ([("documents", "portfolio"), ("limit", "3")], "limit"),
            ([("documents", "portfolio,assets"), ("lang", "en")], "lang"),
            ([("documents", "assets,market-list"), ("portfolio.lang", "en")], "portfolio.lang"),
            ([("documents", "portfolio,assets"), ("portfolio.lang", "fr")], "portfolio.lang"),
            ([("documents", "portfolio"), ("documents", "assets")], "documents"),
            ([("documents", "portfolio,market-detail")], "market"),
            ([("since", "1.0")], "since"), ([("token", "x")], "token"),
        ]
    )
    func refused(parameters: [(String, String)], name: String) {
        let problem = #expect(throws: Problem.self) { try read(parameters) }
        #expect(problem?.code == .invalidParameter && problem?.parameter == name)
        // Each allowed name would be accepted.
        #expect(problem?.allowed?.contains { StreamQuery.isPaging($0) } == false)
    }

    private func read(_ parameters: [(String, String)]) throws(Problem) -> UserStreamQuery {
        try UserStreamQuery(parameters.map { (name: $0.0, value: $0.1) })
    }
}
