import Domain
import ExchangeSimulator
import TestSupport
import Testing

@Suite("Faults of one version of the API leave the other one alone")
struct APIVersionFaultTests {
    private static let restPaths: [APIVersion: String] = [
        .v1: "/public/ticker/BTC_KRW", .v2: "/v1/ticker?markets=KRW-BTC",
    ]

    private static func connect(
        _ simulator: ExchangeSimulator,
        _ api: APIVersion
    ) throws -> StreamClient {
        let client = try StreamClient(simulator, api)
        switch api {
        case .v1: try client.subscribe(["BTC_KRW"])
        case .v2: try client.request([("trade", ["KRW-BTC"])])
        }
        return client
    }

    /// Reads a frame of trades.
    private static func readTrade(_ client: StreamClient) throws {
        _ = try client.next { $0.contains("contPrice") || $0.contains("trade_price") }
    }

    @Test(
        "a version that is switched off answers 404, refuses connections and drops the open ones",
        arguments: [
            (SimulatorFault.api1Off, APIVersion.v1, APIVersion.v2), (.api2Off, .v2, .v1),
        ]
    )
    func off(fault: SimulatorFault, off: APIVersion, on: APIVersion) async throws {
        try await SimulatorFixture.run { simulator in
            let dropped = try Self.connect(simulator, off)
            let kept = try Self.connect(simulator, on)
            try Self.readTrade(dropped)
            simulator.start(fault)
            let path = try #require(Self.restPaths[off])
            let answer = try SimulatorFixture.get(path, simulator)
            #expect(answer.status == 404)
            #expect(try answer.json()["name"]?.text == "not_found")
            #expect(throws: StreamClient.Refusal(status: 404)) {
                _ = try StreamClient(simulator, off)
            }
            _ = try dropped.rest()
            #expect(dropped.close == nil)
            try Self.readTrade(kept)
            let other = try #require(Self.restPaths[on])
            #expect(try SimulatorFixture.get(other, simulator).status == 200)
            simulator.end(fault.kind)
            #expect(try SimulatorFixture.get(path, simulator).status == 200)
            try Self.readTrade(try Self.connect(simulator, off))
        }
    }

    @Test(
        "a stream that stalls stays open and silent until it resumes, the other one goes on",
        arguments: [
            (SimulatorFault.stream1Stall, APIVersion.v1, APIVersion.v2),
            (.stream2Stall, .v2, .v1),
        ]
    )
    func stall(fault: SimulatorFault, silent: APIVersion, other: APIVersion) async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(fault)
            let client = try Self.connect(simulator, silent)
            let going = try Self.connect(simulator, other)
            // Silence can be observed only for a while; a frame would arrive at once.
            #expect(client.isSilent(milliseconds: 100))
            try Self.readTrade(going)
            simulator.end(fault.kind)
            try Self.readTrade(client)
        }
    }

    @Test("a removed quote currency vanishes from both versions until the fault ends")
    func quoteRemoval() async throws {
        try await SimulatorFixture.run { simulator in
            let kept = try StreamClient(simulator, .v2)
            try kept.request([("ticker", ["BTC-ETH", "KRW-BTC"])], #","isOnlyRealtime":true"#)
            _ = try kept.next { $0.contains("BTC-ETH") }
            simulator.start(.quoteRemoval(.btc))
            for path in ["/public/ticker/ALL_BTC", "/public/orderbook/ALL_BTC"] {
                let all = try SimulatorFixture.get(path, simulator).json()
                #expect(all["status"]?.text == "5500" && all["data"] == nil)
            }
            let one = try SimulatorFixture.get("/public/ticker/ETH_BTC", simulator).json()
            #expect(one["status"]?.text == "5500")
            for path in ["ticker?markets=KRW-BTC,BTC-ETH", "candles/days?market=BTC-ETH"] {
                let answer = try SimulatorFixture.get("/v1/" + path, simulator).json()
                #expect(answer["error"]?["name"] == .number(404))
            }
            let names = try SimulatorFixture.get("/v1/market/all", simulator).text
            #expect(!names.contains("BTC-ETH") && names.contains("KRW-BTC"))
            #expect(!simulator.report().markets.contains { $0.market.hasSuffix("_BTC") })
            _ = SimulatorFixture.rest(simulator)
            try kept.request([("ticker", ["BTC-ETH", "KRW-BTC"])])
            simulator.resume()
            _ = try kept.next { $0.contains("SNAPSHOT") }
            for _ in 0..<20 { #expect(try kept.next()?.contains("KRW-BTC") == true) }
            simulator.end(.quoteRemoval)
            _ = try kept.next { $0.contains("BTC-ETH") }
            let all = try SimulatorFixture.get("/public/ticker/ALL_BTC", simulator).json()
            #expect(all["status"]?.text == "0000")
        }
    }

    @Test("a coin with the code of a delisted one keeps its own name, price and history")
    func codeReuse() async throws {
        try await SimulatorFixture.run { simulator in
            let (coin, code) = (
                try #require(MarketID(name: "XRP_KRW")), try #require(MarketID(name: "ETH_KRW"))
            )
            _ = SimulatorFixture.rest(simulator)
            func days(_ market: String) throws -> JSONValue {
                let path = "/v1/candles/days?market=\(market)&count=3"
                return try SimulatorFixture.get(path, simulator).json()
            }
            func closes(_ market: String) throws -> [JSONValue?] {
                try days(market).items.map { $0["trade_price"] }
            }
            let history = try closes("KRW-XRP")
            simulator.start(.codeReuse(coin, code: code))
            #expect(simulator.faults.isEmpty)
            #expect(try days("KRW-XRP")["error"] != nil)
            #expect(try closes("KRW-ETH") == history)
            let names = try SimulatorFixture.get("/v1/market/all", simulator).json().items
            let row = names.first { $0["market"]?.text == "KRW-ETH" }
            #expect(row?["korean_name"]?.text == "XRP 코인")
            #expect(names.count { $0["market"]?.text == "KRW-ETH" } == 1)
            simulator.resume()
            let client = try StreamClient(simulator)
            try client.subscribe(["XRP_KRW", "ETH_KRW"])
            let frame = try client.next { $0.contains("content") }
            #expect(frame.contains("ETH_KRW"))
        }
    }
}
