import Domain
import ExchangeSimulator
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Listing, delisting, renaming and midnight over real HTTP")
struct MarketControlTests {
    private static func post(_ path: String, _ simulator: ExchangeSimulator) throws -> HTTPAnswer {
        try SimulatorFixture.send("POST", "/simulator/" + path, simulator)
    }

    private static func tickers(_ simulator: ExchangeSimulator) throws -> JSONValue {
        let answer = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator)
        return try #require(try answer.json()["data"])
    }

    @Test("a listed coin appears, trades, and has a book, trades and charts")
    func listing() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["FRESH_KRW"])
            try client.send(StreamClient.request(type: "orderbookdepth", ["FRESH_KRW"], nil))
            #expect(try Self.post("list?market=FRESH_KRW", simulator).status == 200)
            #expect(try Self.tickers(simulator)["FRESH"]?["closing_price"]?.text != nil)
            _ = try client.next { $0.contains(#""transaction""#) && $0.contains("FRESH_KRW") }
            _ = try client.next { $0.contains("orderbookdepth") && $0.contains("FRESH_KRW") }
            for path in ["orderbook/FRESH", "transaction_history/FRESH", "candlestick/FRESH/1h"] {
                let body = try SimulatorFixture.get("/public/\(path)", simulator).json()
                #expect(body["status"] == .text("0000"))
            }
            let trades = try SimulatorFixture.get("/public/transaction_history/FRESH", simulator)
            #expect(try trades.json()["data"]?[0]?["price"]?.text != nil)
        }
    }

    @Test("a delisted coin disappears, and relisted it continues as before")
    func delisting() async throws {
        try await SimulatorFixture.run { simulator in
            let before = try #require(try Self.tickers(simulator)["XRP"])
            #expect(before["closing_price"]?.text != nil)
            #expect(try Self.post("delist?market=XRP_KRW", simulator).status == 200)
            #expect(try Self.tickers(simulator)["XRP"] == nil)
            #expect(!simulator.report().markets.contains { $0.market == "XRP_KRW" })
            for path in ["ticker/XRP_KRW", "orderbook/XRP_KRW", "candlestick/XRP_KRW/1m"] {
                let answer = try SimulatorFixture.get("/public/\(path)", simulator)
                #expect(answer.text == #"{"status":"5500","message":"상장 코인 아님"}"#)
            }
            #expect(try Self.post("delist?market=XRP_KRW", simulator).status == 404)
            #expect(try Self.post("list?market=XRP_KRW", simulator).status == 200)
            let days = try SimulatorFixture.get("/public/candlestick/XRP_KRW/24h", simulator)
            #expect(try #require(try days.json()["data"]?.count) > 200)
        }
    }

    @Test("a suspended coin has an empty list and an empty book, and keeps its history")
    func suspension() async throws {
        try await SimulatorFixture.run { simulator in
            #expect(try Self.post("suspend?market=XRP_KRW", simulator).status == 200)
            #expect(try Self.tickers(simulator)["XRP"] == .list([]))
            let book = try SimulatorFixture.get("/public/orderbook/XRP_KRW", simulator).json()
            #expect(book["data"]?["asks"] == .list([]) && book["data"]?["bids"] == .list([]))
            let trades = try SimulatorFixture.get(
                "/public/transaction_history/XRP_KRW",
                simulator
            )
            #expect(try trades.json()["data"]?.count == 20)
            #expect(try Self.post("list?market=XRP_KRW", simulator).status == 200)
            #expect(try Self.tickers(simulator)["XRP"]?["closing_price"]?.text != nil)
        }
    }

    @Test("a renamed coin keeps its trades and charts")
    func renaming() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["XRP_KRW", "NEWXRP_KRW"])
            _ = try client.next { $0.contains(#""symbol":"XRP_KRW""#) }
            _ = SimulatorFixture.rest(simulator)
            func body(_ path: String) throws -> String {
                try SimulatorFixture.get("/public/\(path)", simulator).text
            }
            let trades = try body("transaction_history/XRP_KRW")
            let days = try body("candlestick/XRP_KRW/24h")
            #expect(try Self.post("rename?market=XRP_KRW&to=NEWXRP_KRW", simulator).status == 200)
            let after = try Self.tickers(simulator)
            #expect(after["XRP"] == nil && after["NEWXRP"]?["closing_price"]?.text != nil)
            #expect(try body("transaction_history/NEWXRP_KRW") == trades)
            #expect(try body("candlestick/NEWXRP_KRW/24h") == days)
            simulator.resume()
            _ = try client.everythingSoFar()
            _ = try client.next { $0.contains(#""symbol":"NEWXRP_KRW""#) }
            #expect(try Self.post("rename?market=XRP_KRW&to=A_KRW", simulator).status == 404)
            #expect(try Self.post("rename?market=BTC_KRW&to=ETH_KRW", simulator).status == 409)
            #expect(try Self.post("rename?market=BTC_KRW&to=B_BTC", simulator).status == 400)
        }
    }

    @Test("the rate of frames changes at once; a rate that is none is refused")
    func rate() async throws {
        let silent = SimulatorFixture.configuration(framesPerSecond: 0)
        try await SimulatorFixture.run(silent) { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            for query in ["", "?frames=0", "?frames=1000001", "?frames=many"] {
                #expect(try Self.post("rate\(query)", simulator).status == 400)
            }
            #expect(try Self.post("rate?frames=1000", simulator).status == 200)
            _ = try client.next { $0.contains(#""transaction""#) }
        }
    }

    @Test("crossing midnight moves all times and starts new day figures")
    func midnight() async throws {
        // Far from midnight, so that the test does not cross it by itself.
        let noon = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12)
        let offset = noon.duration(since: SimulatorFixture.clock())
        let clock: @Sendable () -> Timestamp = { SimulatorFixture.clock().advanced(by: offset) }
        let midnight = SeoulTime.startOfDay(SeoulTime(noon).day + 1)
        try await SimulatorFixture.run(SimulatorFixture.configuration(), now: clock) { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"], periods: ["MID"])
            let first = try client.next { $0.contains(#""ticker""#) }
            #expect(first.contains(#""date":"20261120","time":"12"#))
            #expect(try Self.post("midnight?seconds=1", simulator).status == 200)
            let before = try client.next {
                $0.contains(#""time":"235959""#) || $0.contains(#""date":"20261121""#)
            }
            let last = JSONValue.parse(before)?["content"]
            let after = try client.next {
                $0.contains(#""date":"20261121""#) && $0.contains(#""ticker""#)
            }
            let content = try #require(JSONValue.parse(after)?["content"])
            #expect(content["time"]?.text?.hasPrefix("0000") == true)
            // The turnover of moments, not of half a day.
            let value = try FixedDecimal(parsing: try #require(content["value"]?.text))
            let yesterday = try FixedDecimal(parsing: try #require(last?["value"]?.text))
            if last?["date"]?.text == "20261120" { #expect(value < yesterday) }
            let report = SimulatorFixture.rest(simulator)
            #expect(try #require(report.marketTime) >= midnight.microseconds)
            let all = try Self.tickers(simulator)
            let date = try #require(all["date"]?.text.flatMap { Int64($0) })
            #expect(date >= midnight.microseconds / 1_000)
            #expect(date < midnight.microseconds / 1_000 + 3_600_000)
            // Prices of the day are those of its own trades, equal to the day's row.
            let days = try SimulatorFixture.get("/public/candlestick/BTC_KRW", simulator)
            let rows = try #require(try days.json()["data"])
            let count = try #require(rows.count)
            #expect(rows[count - 1]?[0] == .number(Int(midnight.microseconds / 1_000)))
            #expect(rows[count - 1]?[1] == all["BTC"]?["opening_price"])
            #expect(rows[count - 2]?[2] == all["BTC"]?["prev_closing_price"])
            let book = try SimulatorFixture.get("/public/orderbook/BTC_KRW", simulator).json()
            let bookTime = try #require(book["data"]?["timestamp"]?.text.flatMap { Int64($0) })
            #expect(bookTime >= midnight.microseconds / 1_000)
        }
    }

    @Test(
        "an invalid command changes nothing",
        arguments: [
            ("POST", "list", 400), ("POST", "list?market=%2F", 400), ("POST", "delist", 400),
            ("POST", "suspend?market=NOSUCH_KRW", 404), ("POST", "rename?market=BTC_KRW", 400),
            ("POST", "midnight?seconds=x", 400), ("POST", "midnight?seconds=-1", 400),
            ("POST", "midnight?seconds=3601", 400), ("GET", "midnight", 405),
            ("GET", "list?market=A_KRW", 405),
        ]
    )
    func refusals(method: String, path: String, status: Int) async throws {
        try await SimulatorFixture.run { simulator in
            let names = simulator.report().markets.map(\.market)
            let answer = try SimulatorFixture.send(method, "/simulator/" + path, simulator)
            #expect(answer.status == status)
            #expect(try answer.json()["message"]?.text?.isEmpty == false)
            #expect(simulator.report().markets.map(\.market) == names)
        }
    }
}
