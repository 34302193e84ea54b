import Domain
import ExchangeSimulator
import FoundationEssentials
import TestSupport
import Testing

@Suite("Deposits, withdrawals, names and warnings over real HTTP")
struct ReferenceRESTTests {
    private static func post(_ path: String, _ simulator: ExchangeSimulator) throws -> HTTPAnswer {
        try SimulatorFixture.send("POST", "/simulator/" + path, simulator)
    }

    private static func get(_ path: String, _ simulator: ExchangeSimulator) throws -> JSONValue {
        try SimulatorFixture.get(path, simulator).json()
    }

    /// The row of a market in an answer of API 2.x; nil if there is none.
    private static func row(_ market: String, _ answer: JSONValue) -> JSONValue? {
        guard case .list(let rows) = answer else { return nil }
        return rows.first { $0["market"]?.text == market }
    }

    @Test("all coins have two flags as bare numbers; one coin is an object of its own")
    func assets() async throws {
        // Flags change with the clock: it stands still, so that all answers agree.
        try await SimulatorFixture.run(now: { .noon() }) { simulator in
            let all = try Self.get("/public/assetsstatus/ALL", simulator)
            #expect(all["status"] == .text("0000"))
            let coins = try #require(all["data"])
            // Twelve won markets and a suspended one; the bitcoin markets have the same coins.
            #expect(coins.keys.isSuperset(of: ["BTC", "XRP", "ETH"]))
            for coin in coins.keys {
                let flags = try #require(coins[coin])
                #expect(flags.keys == ["deposit_status", "withdrawal_status"])
                for key in flags.keys {
                    #expect([.number(0), .number(1)].contains(flags[key]))
                }
                let single = try Self.get("/public/assetsstatus/\(coin)", simulator)
                #expect(single["data"] == flags)
            }
            let unknown = try SimulatorFixture.get("/public/assetsstatus/NOSUCH", simulator)
            #expect(unknown.status == 200)
            #expect(unknown.text == #"{"status":"5500","message":"상장 코인 아님"}"#)
        }
    }

    @Test("names are a bare list, with warnings on request")
    func names() async throws {
        var configuration = SimulatorFixture.configuration()
        if case .simulation(var simulation) = configuration.feed {
            let name = CoinNames.Entry(symbol: "BTC", korean: "비트\"코인", english: "Bit\\coin")
            simulation.names = CoinNames(["BTC": name])
            configuration.feed = .simulation(simulation)
        }
        try await SimulatorFixture.run(configuration) { simulator in
            let plain = try Self.get("/v1/market/all", simulator)
            let detailed = try Self.get("/v1/market/all?isDetails=true", simulator)
            #expect(plain == (try Self.get("/v1/market/all?isDetails=false", simulator)))
            #expect(plain.count == 16 && detailed.count == 16)
            let bitcoin = try #require(Self.row("KRW-BTC", plain))
            #expect(bitcoin.keys == ["market", "korean_name", "english_name"])
            #expect(bitcoin["korean_name"]?.text == "비트\"코인")
            #expect(bitcoin["english_name"]?.text == "Bit\\coin")
            #expect(Self.row("KRW-XRP", plain)?["korean_name"]?.text == "XRP 코인")
            #expect(Self.row("BTC-ETH", plain) != nil)
            let marks = try #require(Self.row("KRW-BTC", detailed))["market_warning"]?.text
            #expect(["NONE", "CAUTION"].contains(marks))
        }
    }

    @Test("errors of API 2.x have their own format")
    func refusals() async throws {
        try await SimulatorFixture.run { simulator in
            let bad = try SimulatorFixture.get("/v1/market/all?isDetails=maybe", simulator)
            #expect(bad.status == 200)
            #expect(try bad.json()["error"]?["name"] == .number(400))
            for path in ["/v1/market/nosuch", "/v1/nosuch/all", "/v1/market/all/more"] {
                let answer = try SimulatorFixture.get(path, simulator)
                #expect(answer.status == 404)
                #expect(try answer.json()["name"]?.text == "not_found")
            }
        }
    }

    @Test("states and warnings can be set over HTTP")
    func control() async throws {
        try await SimulatorFixture.run { simulator in
            for (deposit, withdrawal) in [(0, 1), (1, 0), (0, 0), (1, 1)] {
                let query = "coin=xrp&deposit=\(deposit)&withdrawal=\(withdrawal)"
                #expect(try Self.post("asset?" + query, simulator).status == 200)
                let flags = try Self.get("/public/assetsstatus/XRP", simulator)["data"]
                #expect(flags?["deposit_status"] == .number(deposit))
                #expect(flags?["withdrawal_status"] == .number(withdrawal))
            }
            for (isOn, word) in [("true", "CAUTION"), ("false", "NONE")] {
                let path = "warning?market=XRP_KRW&on=\(isOn)"
                #expect(try Self.post(path, simulator).status == 200)
                let names = try Self.get("/v1/market/all?isDetails=true", simulator)
                #expect(Self.row("KRW-XRP", names)?["market_warning"]?.text == word)
            }
            let path = "/v1/market/virtual_asset_warning"
            #expect(try Self.post("alert?market=KRW-XRP&on=false", simulator).status == 200)
            #expect(Self.row("KRW-XRP", try Self.get(path, simulator)) == nil)
            let alert = "alert?market=XRP_KRW&type=PRICE_DIFFERENCE_HIGH&step=DANGER&seconds=3600"
            #expect(try Self.post(alert, simulator).status == 200)
            let row = try #require(Self.row("KRW-XRP", try Self.get(path, simulator)))
            #expect(row.keys == ["market", "warning_type", "warning_step", "end_date"])
            #expect(row["warning_type"]?.text == "PRICE_DIFFERENCE_HIGH")
            #expect(row["warning_step"]?.text == "DANGER")
            let end = try #require(row["end_date"]?.text)
            #expect(end.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) != nil)
        }
    }

    @Test(
        "an invalid command is refused with a remedy",
        arguments: [
            ("asset", 400), ("asset?coin=XRP", 400), ("asset?coin=XRP&deposit=maybe", 400),
            ("asset?coin=x%20y&deposit=0", 400), ("asset?coin=NOSUCH&deposit=0", 404),
            ("warning?market=XRP", 400), ("warning?market=XRP_KRW&on=7", 400),
            ("warning?market=NOSUCH_KRW", 404), ("alert", 400),
            ("alert?market=XRP_KRW&seconds=-1", 400), ("alert?market=XRP_KRW&seconds=x", 400),
            ("alert?market=XRP_KRW&type=a%22b", 400), ("alert?market=XRP_KRW&step=", 400),
            ("alert?market=NOSUCH_KRW", 404), ("alert?market=NOSUCH_KRW&on=false", 404),
        ]
    )
    func badCommands(path: String, status: Int) async throws {
        try await SimulatorFixture.run { simulator in
            let answer = try Self.post(path, simulator)
            #expect(answer.status == status)
            #expect(try answer.json()["message"]?.text?.isEmpty == false)
        }
    }

    @Test("listed coins have states and names, delisted ones none, renamed ones new ones")
    func listings() async throws {
        try await SimulatorFixture.run { simulator in
            func coins() throws -> Set<String> {
                try #require(try Self.get("/public/assetsstatus/ALL", simulator)["data"]).keys
            }
            func markets() throws -> JSONValue { try Self.get("/v1/market/all", simulator) }
            try simulator.list("FRESH_KRW")
            #expect(try coins().contains("FRESH"))
            #expect(Self.row("KRW-FRESH", try markets()) != nil)
            try simulator.set(deposit: false, withdrawal: true, of: Asset(of: "FRESH_KRW"))
            try simulator.rename("FRESH_KRW", to: "NEWER_KRW")
            #expect(try !coins().contains("FRESH") && coins().contains("NEWER"))
            let flags = try Self.get("/public/assetsstatus/NEWER", simulator)["data"]
            #expect(flags?["deposit_status"] == .number(0))
            let names = try markets()
            #expect(Self.row("KRW-FRESH", names) == nil)
            #expect(Self.row("KRW-NEWER", names)?["korean_name"]?.text == "NEWER 코인")
            try simulator.suspend("NEWER_KRW")
            #expect(try coins().contains("NEWER"), "suspended is still listed")
            try simulator.delist("NEWER_KRW")
            #expect(try !coins().contains("NEWER"))
            #expect(Self.row("KRW-NEWER", try markets()) == nil)
        }
    }

    @Test("faults break these answers too")
    func faults() async throws {
        let paths = [
            "/public/assetsstatus/ALL", "/v1/market/all?isDetails=true",
            "/v1/market/virtual_asset_warning",
        ]
        try await SimulatorFixture.run { simulator in
            try simulator.alert("XRP_KRW", type: "A", step: "B", lasting: .seconds(60))
            for path in paths {
                let whole = try SimulatorFixture.get(path, simulator)
                #expect(whole.header("x-hoga-feed") == "simulated")
                #expect(whole.header("x-ratelimit-burst-capacity") == "150")
                for (fault, status) in [
                    (.serverError(status: 503), 503), (.htmlBodies, 200), (.tooManyRequests, 429),
                    (.refusal5600, 200), (.truncatedJSON(every: 1), 200),
                    (.wrongTypes(every: 1), 200),
                ] as [(SimulatorFault, Int)] {
                    simulator.start(fault)
                    let answer = try SimulatorFixture.get(path, simulator)
                    #expect(answer.status == status)
                    #expect(answer.text != whole.text)
                    simulator.end(fault.kind)
                }
                #expect(try SimulatorFixture.get(path, simulator).status == 200)
            }
        }
    }
}
