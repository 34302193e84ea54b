import Domain
import Foundation
import UseCases
import ViewStates
import TestSupport
import Testing

@Suite("Deposits and withdrawals over HTTP", .tags(.threads))
struct AssetsRouteTests {
    private let markets: MarketServiceFixture

    init() throws {
        markets = try MarketServiceFixture()
    }

    private func read() {
        markets.wait(.milliseconds(100)) {
            $0.transfers(["BTC": (true, false), "XRP": (true, true), "ETH": (nil, true)])
        }
    }

    @Test("the document has the producer's bytes and echoes the defaults")
    func document() throws {
        read()
        let answer = try ask()
        #expect(answer.status == 200)
        #expect(answer.fields["content-type"] == "application/json")
        #expect(answer.fields["cache-control"] == "no-cache")
        #expect(answer.body == markets.documents.bytes(.assets(AssetsQuery())).bytes)
        let json = try answer.json
        #expect(json["schema"] == .string("assets") && json["version"] == .number("1"))
        let query = try #require(json["state"]?["query"])
        #expect(query["state"] == .string("all") && query["q"] == .null)
        #expect(query["sort"] == .string("name") && query["sortDirection"] == .string("asc"))
        #expect(json["state"]?["rows"]?.elements?.count == 3)
    }

    @Test("parameters filter, search and sort; counts cover all assets")
    func parameters() throws {
        read()
        #expect(try symbols(["state": "normal"]) == ["XRP"])
        #expect(try symbols(["state": "suspended"]) == ["BTC"])
        #expect(try symbols(["q": "ㅂㅌ"]) == ["BTC"])
        #expect(try symbols(["sort": "withdrawal", "direction": "desc"]) == ["BTC", "XRP", "ETH"])
        #expect(try symbols(["sort": "deposit"]).last == "ETH")
        let json = try ask(["q": "없는코인", "lang": "en"]).json
        #expect(json["state"]?["counts"]?["all"] == .number("3"))
        #expect(json["state"]?["rows"] == .array([]))
        let english = try ask(["lang": "en", "state": "normal"]).json
        let row = try #require(english["state"]?["rows"]?.elements?.first)
        #expect(row["depositText"] == .string("Normal"))
    }

    @Test(
        "an invalid value is 400 with parameter and allowed values",
        arguments: [
            ("state", ["ALL", "", "stopped"], ["all", "normal", "suspended"]),
            ("sort", ["price", "", "Name"], ["name", "deposit", "withdrawal"]),
            ("direction", ["up", ""], ["asc", "desc"]), ("lang", ["fr", ""], ["ko", "en"]),
            ("q", [String(repeating: "x", count: 101)], ["at most 100 characters"]),
            ("limit", ["1"], ["state", "q", "sort", "direction", "lang"]),
        ] as [(String, [String], [String])]
    )
    func wrong(parameter: String, values: [String], allowed: [String]) throws {
        read()
        for value in values {
            let answer = try ask([parameter: value])
            #expect(answer.status == 400)
            let problem = try answer.json
            #expect(problem["code"] == .string("invalid_parameter"))
            #expect(problem["parameter"] == .string(parameter))
            #expect(problem["allowed"]?.elements?.compactMap(\.text) == allowed)
        }
        #expect(!markets.assetInterests.areStatesWanted)
    }

    @Test("the first request triggers the first reading and waits for it")
    func waits() throws {
        let asked = DispatchSemaphore(value: 0)
        markets.assetInterests.onChange { asked.signal() }
        let client = try TCPClient(port: markets.served.port)
        try client.send("GET /v1/assets HTTP/1.1\r\nHost: localhost\r\n\r\n")
        asked.wait()
        #expect(markets.assetInterests.areStatesWanted)
        read()
        let answer = HTTPAnswer(try client.receiveAnswer())
        #expect(answer.status == 200)
        #expect(try answer.json["state"]?["health"]?["phase"] == .string("ready"))
    }

    @Test("a failed reading ends the wait")
    func failed() throws {
        let failure = FeedFailure(code: .refused, detail: "5600", isRetryable: true)
        markets.wait(.milliseconds(100)) {
            $0.applyReference(.assetStatesFailed(failure, nextRetryAt: $0.now))
        }
        let health = try ask().json["state"]?["health"]
        #expect(health?["phase"] == .string("failed"))
        #expect(health?["error"]?["code"] == .string("refused"))
    }

    @Test("market details register interest in transfers; other documents do not")
    func detail() throws {
        markets.openDetail()
        for path in ["/v1/markets", "/v1/markets/XRP_KRW/trades", "/v1/markets/XRP_KRW/orderbook"] {
            #expect(try markets.served.ask("GET", path).status == 200)
            #expect(!markets.assetInterests.areStatesWanted)
        }
        #expect(try markets.served.ask("GET", "/v1/markets/XRP_KRW").status == 200)
        #expect(markets.assetInterests.areStatesWanted)
    }

    @Test("a snapshot has deposits and withdrawals beside the list")
    func snapshot() throws {
        read()
        let json = try markets.served.ask(
            "/v1/snapshot",
            ["documents": "assets,market-list", "assets.state": "suspended"]
        ).json
        #expect(json["state"]?.keys == ["market-list", "assets"])
        #expect(json["state"]?["assets"] == (try ask(["state": "suspended"]).json["state"]))
        let alone = try markets.served.ask("/v1/snapshot", ["documents": "assets"]).json
        #expect(alone["state"]?.keys == ["assets"])
    }

    private func symbols(_ parameters: KeyValuePairs<String, String>) throws -> [String] {
        let rows = try ask(parameters).json["state"]?["rows"]?.elements ?? []
        return rows.compactMap { $0["asset"]?.text }
    }

    private func ask(_ parameters: KeyValuePairs<String, String> = [:]) throws -> HTTPAnswer {
        try markets.served.ask("/v1/assets", parameters)
    }
}
