import Domain
import ExchangeSimulator
import FoundationEssentials
import TestSupport
import Testing

@Suite("Control over HTTP equals the API")
struct ControlTests {
    @Test("the report over HTTP equals the API's, and both are at rest while paused")
    func report() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            for _ in 0..<20 { _ = try client.next { $0.contains("content") } }
            let paused = try SimulatorFixture.send("POST", "/simulator/pause", simulator)
            #expect(try paused.json()["isPaused"] == .bool(true))
            let expected = SimulatorFixture.rest(simulator)
            let answer = try SimulatorFixture.get("/simulator/report", simulator)
            let report = try JSONDecoder().decode(SimulatorReport.self, from: Data(answer.body))
            #expect(report == expected)
            #expect(report.markets.count == 16)
            #expect(report.feed == "simulated")
            let bitcoin = try #require(report.markets.first)
            #expect(bitcoin.market == "BTC_KRW" && bitcoin.trades > 0)
            #expect(Set(bitcoin.openPrices.keys) == ["30M", "1H", "12H", "24H", "MID"])

            // While paused the exchange does not change; afterwards it does.
            #expect(simulator.report() == expected)
            _ = try SimulatorFixture.send("POST", "/simulator/resume", simulator)
            _ = try client.everythingSoFar()
            _ = try client.next { $0.contains("content") }
        }
    }

    @Test("faults start and end by query and by JSON")
    func faults() async throws {
        try await SimulatorFixture.run { simulator in
            func post(_ query: String, _ body: String = "") throws -> HTTPAnswer {
                try SimulatorFixture.send(
                    "POST",
                    "/simulator/faults" + query,
                    body: body,
                    simulator
                )
            }
            #expect(try post("?kind=latency&milliseconds=5").status == 200)
            #expect(simulator.faults == [.latency(milliseconds: 5)])
            let body = #"[{"kind":"truncatedJSON","every":7},{"kind":"serverError","status":503}]"#
            #expect(try post("", body).status == 200)
            #expect(
                Set(simulator.faults) == [
                    .latency(milliseconds: 5), .truncatedJSON(every: 7), .serverError(status: 503),
                ]
            )
            #expect(try post("?kind=latency&on=false").status == 200)
            #expect(try post("", #"{"kind":"suspension","market":"krw-xrp"}"#).status == 200)
            let coin = try #require(MarketID(name: "XRP_KRW"))
            #expect(simulator.faults.contains(.suspension(coin)))
            let listed = try SimulatorFixture.get("/simulator/faults", simulator).json()
            #expect(listed["faults"]?.count == 3)
            #expect(try post("?kind=all&on=false").status == 200)
            #expect(simulator.faults.isEmpty)
        }
    }

    @Test("every kind of fault can be started by name", arguments: SimulatorFault.Kind.allCases)
    func everyKind(kind: SimulatorFault.Kind) async throws {
        try await SimulatorFixture.run { simulator in
            let query =
                "?kind=\(kind.rawValue)&milliseconds=1&market=XRP_KRW"
                + "&to=ETH_KRW&quote=btc"
            let answer = try SimulatorFixture.send("POST", "/simulator/faults" + query, simulator)
            #expect(answer.status == 200)
            let isOnce = [.connectionDrop, .listing, .delisting, .codeReuse].contains(kind)
            #expect(simulator.faults.map(\.kind) == (isOnce ? [] : [kind]))
        }
    }

    @Test(
        "an invalid command changes nothing",
        arguments: [
            ("POST", "/simulator/faults?kind=nosuch", "", 400),
            ("POST", "/simulator/faults?kind=latency", "", 400),
            ("POST", "/simulator/faults?kind=suspension&market=%2F", "", 400),
            ("POST", "/simulator/faults?kind=quoteRemoval&quote=USDT", "", 400),
            ("POST", "/simulator/faults?kind=codeReuse&market=BTC_KRW", "", 400),
            ("POST", "/simulator/faults", "[{\"kind\":\"stall\"},{\"kind\":\"x\"}]", 400),
            ("POST", "/simulator/faults", "{", 400), ("GET", "/simulator/pause", "", 405),
            ("GET", "/simulator/nosuch", "", 404),
        ]
    )
    func refusals(method: String, path: String, body: String, status: Int) async throws {
        try await SimulatorFixture.run { simulator in
            let answer = try SimulatorFixture.send(method, path, body: body, simulator)
            #expect(answer.status == status)
            #expect(try answer.json()["message"]?.text?.isEmpty == false)
            #expect(simulator.faults.isEmpty)
        }
    }
}
