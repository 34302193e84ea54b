import Domain
import ExchangeSimulator
import TestSupport
import Testing

@Suite("Books, trades and charts over real HTTP")
struct DetailRESTTests {
    private static let badInput = #"{"status":"5500","message":"입력값을 확인해 주세요."}"#
    private static let notListed = #"{"status":"5500","message":"상장 코인 아님"}"#

    @Test("a book has the requested number of levels in order, thirty by default")
    func book() async throws {
        try await SimulatorFixture.run { simulator in
            for (query, count) in [("", 30), ("?count=1", 1), ("?count=30", 30), ("?count=7", 7)] {
                let answer = try SimulatorFixture.get(
                    "/public/orderbook/BTC_KRW" + query,
                    simulator
                )
                let prefix = #"{"status":"0000","data":{"timestamp":""#
                #expect(answer.text.hasPrefix(prefix))
                let data = try #require(try answer.json()["data"])
                #expect(data["payment_currency"] == .text("KRW"))
                #expect(data["order_currency"] == .text("BTC"))
                let bids = try Self.prices(data["bids"])
                let asks = try Self.prices(data["asks"])
                #expect(bids.count == count && asks.count == count)
                #expect(bids == bids.sorted(by: >) && asks == asks.sorted())
                #expect(bids[0] < asks[0])
            }
        }
    }

    private static func prices(_ side: JSONValue?) throws -> [FixedDecimal] {
        guard case .list(let levels) = side else { return [] }
        return try levels.map { level in
            #expect(level.keys == ["price", "quantity"])
            let quantity = try FixedDecimal(parsing: try #require(level["quantity"]?.text))
            #expect(quantity.significantFractionDigits <= 4)
            return try FixedDecimal(parsing: try #require(level["price"]?.text))
        }
    }

    @Test("books of all coins have at most five levels a side, without suspended coins")
    func allBooks() async throws {
        try await SimulatorFixture.run { simulator in
            for (query, count) in [("", 5), ("?count=2", 2)] {
                let answer = try SimulatorFixture.get(
                    "/public/orderbook/ALL_KRW" + query,
                    simulator
                )
                let data = try #require(try answer.json()["data"])
                #expect(data.keys.count == 12 + 2)
                #expect(data["payment_currency"] == .text("KRW"))
                #expect(data["timestamp"]?.text?.count == 13)
                #expect(data["BTC"]?["order_currency"] == .text("BTC"))
                #expect(data["BTC"]?["bids"]?.count == count)
                let tickers = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator).json()
                let suspended = tickers["data"]?.keys.filter {
                    tickers["data"]?[$0] == .list([])
                }
                #expect(suspended?.isEmpty == false)
                #expect(suspended?.allSatisfy { data[$0] == nil } == true)
            }
            let other = try SimulatorFixture.get("/public/orderbook/ALL_BTC", simulator).json()
            #expect(other["data"]?.keys.count == 3 + 2)
        }
    }

    @Test("the history has twenty to a hundred trades from the start, oldest first")
    func trades() async throws {
        let simulator = try ExchangeSimulator(
            SimulatorFixture.configuration(),
            now: SimulatorFixture.clock
        )
        // Not running: all answers existed before.
        defer { simulator.stop() }
        try await onBlockingThread {
            for (query, count) in [("", 20), ("?count=100", 100), ("?count=1", 1)] {
                let answer = try SimulatorFixture.get(
                    "/public/transaction_history/XRP_KRW" + query,
                    simulator
                )
                let data = try #require(try answer.json()["data"])
                #expect(data.count == count)
                let dates = (0..<count).compactMap { data[$0]?["transaction_date"]?.text }
                #expect(dates.count == count && dates == dates.sorted())
                let report = simulator.report().markets.first { $0.market == "XRP_KRW" }
                #expect(data[count - 1]?["price"]?.text == report?.price)
            }
        }
    }

    @Test("the history equals the stream's trades in the same order")
    func sameTrades() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.send(StreamClient.request(type: "transaction", ["BTC_KRW"], nil))
            var streamed: [[String]] = []
            func take(_ message: String) {
                guard let list = JSONValue.parse(message)?["content"]?["list"] else { return }
                for index in 0..<(list.count ?? 0) {
                    guard let trade = list[index], let date = trade["contDtm"]?.text else { return }
                    let side = trade["buySellGb"]?.text == "2" ? "bid" : "ask"
                    let fields = [
                        String(date.prefix(19)), side, trade["contQty"]?.text ?? "",
                        trade["contPrice"]?.text ?? "", trade["contAmt"]?.text ?? "",
                    ]
                    streamed.append(fields)
                }
            }
            while streamed.count < 120 { take(try #require(try client.next())) }
            _ = SimulatorFixture.rest(simulator)
            for message in try client.everythingSoFar() { take(message) }
            let path = "/public/transaction_history/BTC_KRW?count=100"
            let data = try #require(try SimulatorFixture.get(path, simulator).json()["data"])
            let keys = ["transaction_date", "type", "units_traded", "price", "total"]
            let rows = (0..<100).map { index in keys.map { data[index]?[$0]?.text ?? "" } }
            #expect(rows == streamed.suffix(100))
        }
    }

    @Test("every chart interval ends with the last price, and the default is a day")
    func candles() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            _ = try client.next { $0.contains("content") }
            let report = SimulatorFixture.rest(simulator)
            let bitcoin = try #require(report.markets.first)
            let least = [
                "1m": 1_400, "3m": 490, "5m": 1_501, "10m": 3_001, "30m": 3_001, "1h": 5_001,
                "6h": 830, "12h": 410, "24h": 2_700,
            ]
            for (interval, rows) in least {
                let path = "/public/candlestick/BTC_KRW/\(interval)"
                let body = try SimulatorFixture.get(path, simulator)
                let data = try #require(try body.json()["data"])
                let count = try #require(data.count)
                #expect(count >= rows, "\(interval)")
                let last = try #require(data[count - 1])
                #expect(last[2]?.text == bitcoin.price)
                if case .number(let time) = last[0] {
                    #expect(Int64(time) * 1_000 <= bitcoin.lastTradeAt ?? 0)
                } else {
                    Issue.record("a time that is no number: \(interval)")
                }
                if interval == "24h" {
                    let bare = try SimulatorFixture.get("/public/candlestick/BTC_KRW", simulator)
                    #expect(bare.text == body.text)
                }
            }
            let minutes = try SimulatorFixture.get("/public/candlestick/BTC_KRW/1m", simulator)
            #expect(minutes.text.contains(#"","."#) && !minutes.text.contains(#"","0."#))
        }
    }

    @Test(
        "an invalid or unknown request is refused as the exchange does",
        arguments: [
            ("/public/orderbook/NOSUCH_KRW", notListed),
            ("/public/orderbook/NOSUCH", notListed),
            ("/public/orderbook/ALL_USDT", badInput),
            ("/public/orderbook/BTC_KRW?count=0", badInput),
            ("/public/orderbook/BTC_KRW?count=31", badInput),
            ("/public/orderbook/ALL_KRW?count=6", badInput),
            ("/public/orderbook/BTC_KRW?count=x", badInput),
            ("/public/transaction_history/NOSUCH_KRW", notListed),
            ("/public/transaction_history/BTC_KRW?count=101", badInput),
            ("/public/transaction_history/ALL_KRW", badInput),
            ("/public/candlestick/NOSUCH_KRW/1m", notListed),
            ("/public/candlestick/BTC_KRW/2m", badInput),
            ("/public/candlestick/BTC_KRW/1M", badInput),
            ("/public/candlestick/ALL_KRW/1h", badInput),
        ]
    )
    func refusals(path: String, body: String) async throws {
        try await SimulatorFixture.run { simulator in
            let answer = try SimulatorFixture.get(path, simulator)
            #expect(answer.status == 200 && answer.text == body)
        }
    }

    @Test("each category has its own request quota")
    func categories() async throws {
        var configuration = SimulatorFixture.configuration()
        configuration.requestsPerSecondMax = 1
        try await SimulatorFixture.run(configuration) { simulator in
            for path in [
                "orderbook/BTC_KRW", "transaction_history/BTC_KRW", "candlestick/BTC_KRW/1m",
                "ticker/BTC_KRW",
            ] {
                let answer = try SimulatorFixture.get("/public/\(path)", simulator)
                #expect(answer.status == 200 && answer.header("x-ratelimit-remaining") == "0")
            }
            let lost = try SimulatorFixture.get("/public/nosuch/a/b/c", simulator)
            #expect(lost.status == 404)
        }
    }
}
