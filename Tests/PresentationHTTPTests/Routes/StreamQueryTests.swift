import Domain
import Presentation
import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("A stream takes the parameters of one document or of a snapshot")
struct StreamQueryTests {
    @Test("One name is that document, several are a snapshot, none is the list or a market")
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
        "What fits neither is refused by name",
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
            ([("limit", "0")], "limit"),
            ([("token", "x")], "token"),
        ]
    )
    func refused(parameters: [(String, String)], name: String) {
        let problem = #expect(throws: Problem.self) { try read(parameters) }
        #expect(problem?.code == .invalidParameter && problem?.parameter == name)
    }

    private func read(_ parameters: [(String, String)]) throws(Problem) -> DocumentQuery {
        try StreamQuery.document(parameters.map { (name: $0.0, value: $0.1) })
    }
}
