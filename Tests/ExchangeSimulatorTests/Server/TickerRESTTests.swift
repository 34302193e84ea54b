import Compression
import Domain
import ExchangeSimulator
import TestSupport
import Testing

@Suite("Tickers over REST have the exchange's shape and quirks")
struct TickerRESTTests {
    private static let fields: Set<String> = [
        "opening_price", "closing_price", "min_price", "max_price", "units_traded",
        "acc_trade_value", "prev_closing_price", "units_traded_24H", "acc_trade_value_24H",
        "fluctate_24H", "fluctate_rate_24H",
    ]

    @Test("all markets of a quote currency are listed with the date last and suspended coins empty")
    func all() async throws {
        try await SimulatorFixture.run { simulator in
            let answer = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator)
            #expect(answer.status == 200)
            #expect(answer.header("content-type") == "application/json;charset=UTF-8")
            #expect(answer.header("x-hoga-feed") == "simulated")
            let json = try answer.json()
            #expect(json["status"] == .text("0000"))
            let data = try #require(json["data"])
            #expect(data.keys.count == 12 + 1 + 1)
            #expect(answer.text.split(separator: #""date":""#).count == 2)
            #expect(answer.text.hasSuffix(#""}}"#))
            #expect(data["date"]?.text?.count == 13)
            #expect(data.keys.filter { data[$0] == .list([]) }.count == 1)
            for key in data.keys where key != "date" && data[key] != .list([]) {
                let ticker = try #require(data[key])
                #expect(ticker.keys == Self.fields)
                for field in Self.fields where field != "fluctate_rate_24H" {
                    let text = try #require(ticker[field]?.text, "\(key) \(field)")
                    _ = try FixedDecimal(parsing: text)
                }
            }
            let other = try SimulatorFixture.get("/public/ticker/ALL", simulator).json()
            #expect(other["data"]?.keys == data.keys)
            let bitcoin = try SimulatorFixture.get("/public/ticker/ALL_BTC", simulator).json()
            #expect(bitcoin["data"]?.keys == ["ETH", "XRP", "TRX", "date"])
        }
    }

    @Test("a coin without a trade in 24 hours has a bare 0 as rate and zeros for its day")
    func quiet() async throws {
        try await SimulatorFixture.run { simulator in
            let body = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator).json()
            let data = try #require(body["data"])
            let quiet = data.keys.filter { data[$0]?["fluctate_rate_24H"] == .number(0) }
            #expect(quiet.count == 3)
            for coin in quiet {
                let ticker = try #require(data[coin])
                for field in Self.fields.subtracting(["closing_price", "fluctate_rate_24H"]) {
                    #expect(ticker[field] == .text("0"))
                }
                #expect(ticker["closing_price"] != .text("0"))
            }
        }
    }

    @Test("rate and amount agree in won; in bitcoin the amount is a rounded 0 or -0")
    func change() async throws {
        try await SimulatorFixture.run { simulator in
            let report = SimulatorFixture.rest(simulator)
            for market in report.markets where !market.isSuspended {
                let id = try #require(MarketID(name: market.market))
                let body = try SimulatorFixture.get("/public/ticker/\(id.name)", simulator).json()
                let ticker = try #require(body["data"])
                #expect(ticker.keys == Self.fields.union(["date"]))
                #expect(ticker["closing_price"]?.text == market.price)
                guard let rateText = ticker["fluctate_rate_24H"]?.text else { continue }
                let rate = try FixedDecimal(parsing: rateText)
                let amount = try #require(ticker["fluctate_24H"]?.text)
                switch id.quote {
                case .btc:
                    #expect(amount == (rate.sign < 0 ? "-0" : "0") || rate.isZero)
                case .krw:
                    let close = try FixedDecimal(parsing: market.price)
                    let change = try FixedDecimal(parsing: amount)
                    let exact = try change.multiplied(by: FixedDecimal(100), rounding: .truncate)
                        .divided(by: try close - change, rounding: .truncate)
                        .rounded(toFractionDigits: 2, .halfAwayFromZero)
                    #expect(exact == rate, "\(id.name)")
                }
            }
        }
    }

    @Test(
        "other paths are answered as the exchange does",
        arguments: [
            ("/public/ticker/NOSUCH_KRW", 200, #"{"status":"5500","message":"상장 코인 아님"}"#),
            ("/public/ticker/NOSUCH", 200, #"{"status":"5500","message":"상장 코인 아님"}"#),
            ("/public/ticker/btc_krw", 200, #"{"status":"5500","message":"입력값을 확인해 주세요."}"#),
            ("/public/ticker/ALL_USDT", 200, #"{"status":"5500","message":"입력값을 확인해 주세요."}"#),
            (
                "/public/nosuch", 404,
                #"{"name":"not_found","message":"No Route matched with those values"}"#
            ),
        ]
    )
    func otherPaths(path: String, status: Int, body: String) async throws {
        try await SimulatorFixture.run { simulator in
            let answer = try SimulatorFixture.get(path, simulator)
            #expect(answer.status == status)
            #expect(answer.text == body)
        }
    }

    @Test("a bare coin means its won market, also with an underscore in its code")
    func bareCoin() async throws {
        var configuration = SimulatorFixture.configuration()
        if case .simulation(var simulation) = configuration.feed {
            simulation.wonMarkets = 70
            configuration.feed = .simulation(simulation)
        }
        try await SimulatorFixture.run(configuration) { simulator in
            for coin in ["BTC", "SUN_OLD"] {
                let answer = try SimulatorFixture.get("/public/ticker/\(coin)", simulator).json()
                #expect(answer["data"]?.keys == Self.fields.union(["date"]))
            }
        }
    }

    @Test("bodies are compressed for clients that accept it")
    func compression() async throws {
        try await SimulatorFixture.run { simulator in
            _ = SimulatorFixture.rest(simulator)
            let plain = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator)
            let packed = try SimulatorFixture.send(
                "GET",
                "/public/ticker/ALL_KRW",
                headers: ["Accept-Encoding: gzip"],
                simulator
            )
            #expect(plain.header("content-encoding") == nil)
            #expect(packed.header("content-encoding") == "gzip")
            let body = try #require(Gzip.decompressed(packed.body, bytesMax: 1_000_000))
            // Everything but the date, which is the time of each answer.
            #expect(body.dropLast(18) == plain.body.dropLast(18))
        }
    }

    @Test("each category has its own request quota", arguments: ExchangeSimulator.Refusal.allCases)
    func rateLimit(refusal: ExchangeSimulator.Refusal) async throws {
        var configuration = SimulatorFixture.configuration()
        configuration.requestsPerSecondMax = 2
        configuration.refusal = refusal
        try await SimulatorFixture.run(configuration) { simulator in
            let first = try SimulatorFixture.get("/public/ticker/BTC_KRW", simulator)
            #expect(first.header("x-ratelimit-remaining") == "1")
            #expect(first.header("x-ratelimit-requested-tokens") == "1")
            #expect(first.header("x-ratelimit-burst-capacity") == "2")
            #expect(first.header("x-ratelimit-replenish-rate") == "2")
            var refused: HTTPAnswer?
            while refused == nil {
                let answer = try SimulatorFixture.get("/public/ticker/BTC_KRW", simulator)
                if answer.text.contains(#""status":"5600""#) { refused = answer }
            }
            #expect(refused?.status == (refusal == .status429 ? 429 : 200))
            #expect(refused?.header("x-ratelimit-remaining") == "0")
            #expect(try SimulatorFixture.get("/public/other", simulator).status == 404)
        }
    }
}
