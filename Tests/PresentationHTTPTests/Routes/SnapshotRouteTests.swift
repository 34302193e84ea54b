import Domain
import Foundation
import UseCases
import ViewStates
import TestSupport
import Testing

@Suite("Snapshots over HTTP")
struct SnapshotRouteTests {
    private let markets: MarketServiceFixture

    init() throws {
        markets = try MarketServiceFixture()
        markets.openDetail()
    }

    @Test("the documents of a snapshot equal those of their own paths")
    func both() throws {
        let answer = try ask([
            "documents": "market-list,market-detail", "market": "krw-xrp",
            "market-list.limit": "2", "market-list.quote": "KRW", "market-detail.depth": "1",
            "market-detail.interval": "1m",
        ])
        #expect(answer.status == 200)
        let json = try answer.json
        #expect(json.keys == ["schema", "version", "revision", "asOf", "source", "state"])
        #expect(json["schema"] == .string("snapshot") && json["version"] == .number("2"))
        #expect(json["state"]?.keys == ["market-list", "market-detail"])
        let list = try markets.list(["limit": "2", "quote": "KRW"]).json
        #expect(json["state"]?["market-list"] == list["state"])
        let detail = try markets.served.ask(
            "/v1/markets/XRP_KRW",
            ["depth": "1", "interval": "1m"]
        ).json
        #expect(json["state"]?["market-detail"] == detail["state"])
        #expect(json["state"]?["market-detail"]?["orderBook"]?["asks"]?.elements?.count == 1)
    }

    @Test("without documents there is the list, and a market's detail if one is named")
    func unnamed() throws {
        #expect(try ask([:]).json["state"]?.keys == ["market-list"])
        #expect(
            try ask(["market": "XRP_KRW"]).json["state"]?.keys == ["market-list", "market-detail"]
        )
        #expect(try ask(["documents": "market-list"]).json["state"]?.keys == ["market-list"])
        let detail = try ask(["documents": "market-detail", "market": "XRP_KRW"])
        #expect(try detail.json["state"]?.keys == ["market-detail"])
        let twice = try ask(["documents": "market-list,market-list"])
        #expect(try twice.json["state"]?.keys == ["market-list"])
    }

    @Test(
        "errors name the parameter as in the request",
        arguments: [
            ([("documents", "trades")], "documents", "market-list, market-detail, assets"),
            (
                [("documents", "market-list,trades")], "documents",
                "market-list, market-detail, assets"
            ),
            ([("documents", "")], "documents", "market-list, market-detail, assets"),
            (
                [("documents", "market-list,")], "documents",
                "market-list, market-detail, assets"
            ),
            ([("assets.q", "x")], "assets.q", "only if documents contains assets"),
            (
                [("documents", "assets"), ("assets.state", "x")], "assets.state",
                "all, normal, suspended"
            ),
            ([("documents", "market-detail")], "market", "a market, e.g. BTC_KRW"),
            ([("market", "?")], "market", "a market, e.g. BTC_KRW"),
            ([("market", "")], "market", "a market, e.g. BTC_KRW"),
            (
                [("documents", "market-list"), ("market", "XRP_KRW")], "market",
                "only if documents contains market-detail"
            ),
            ([("market-list.limit", "0")], "market-list.limit", "1..1000"),
            ([("market-list.sort", "x")], "market-list.sort", listSorts),
            (
                [("market-list.q", String(repeating: "x", count: 101))], "market-list.q",
                "at most 100 characters"
            ),
            (
                [("market", "XRP_KRW"), ("market-detail.depth", "31")], "market-detail.depth",
                "1..30"
            ),
            (
                [("market", "XRP_KRW"), ("market-detail.group", "7")], "market-detail.group",
                "0.1, 0.2, 0.5, 1, 5, 10"
            ),
            (
                [("market-detail.depth", "3")], "market-detail.depth",
                "only if documents contains market-detail"
            ),
            (
                [("documents", "market-detail"), ("market", "XRP_KRW"), ("market-list.q", "x")],
                "market-list.q", "only if documents contains market-list"
            ),
        ] as [([(String, String)], String, String)]
    )
    func wrong(parameters: [(String, String)], parameter: String, allowed: String) throws {
        let query = parameters.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        let answer = try markets.served.ask("GET", "/v1/snapshot?" + query)
        #expect(answer.status == 400)
        let problem = try answer.json
        #expect(problem["code"] == .string("invalid_parameter"))
        #expect(problem["parameter"] == .string(parameter))
        let words = problem["allowed"]?.elements?.compactMap(\.text)
        #expect(words?.joined(separator: ", ") == allowed)
    }

    @Test("parameters without prefix or of other documents are unknown")
    func unknownParameter() throws {
        for name in [
            "limit", "lang", "market-list", "market-detail.since", "assets.limit", "x.limit",
        ] {
            let problem = try ask([name: "1"]).json
            #expect(problem["parameter"] == .string(name), "\(name)")
            let words = problem["allowed"]?.elements?.compactMap(\.text) ?? []
            #expect(words.count == 26 && words.contains("market-detail.lang"))
        }
        #expect(try ask(["market-list.limit": "1", "market-list.limit": "1"]).status == 400)
    }

    @Test("an unknown market is 404")
    func unknownMarket() throws {
        let answer = try ask(["market": "NONE_KRW"])
        #expect(answer.status == 404)
        #expect(markets.interests.wanted.isEmpty)
    }

    private static let listSorts = "popularity, name, price, changeRate, tradeValue"

    private func ask(_ parameters: KeyValuePairs<String, String>) throws -> HTTPAnswer {
        try markets.served.ask("/v1/snapshot", parameters)
    }
}
