import Domain
import ExchangeSimulator
import FoundationEssentials
import TestSupport
import Testing

@Suite("The stream of API 2.x: frames")
struct MarketStreamTests {
    /// The next frame, which must be one.
    static func frame(_ client: StreamClient) throws -> JSONValue {
        let message = try #require(try client.next())
        return try #require(JSONValue.parse(message))
    }

    private static let tickerKeys: Set = [
        "type", "code", "opening_price", "high_price", "low_price", "trade_price",
        "prev_closing_price", "change", "change_price", "signed_change_price", "change_rate",
        "signed_change_rate", "trade_volume", "acc_trade_volume", "acc_trade_volume_24h",
        "acc_trade_price", "acc_trade_price_24h", "trade_date", "trade_time", "trade_timestamp",
        "ask_bid", "acc_ask_volume", "acc_bid_volume", "highest_52_week_price",
        "highest_52_week_date", "lowest_52_week_price", "lowest_52_week_date", "market_state",
        "is_trading_suspended", "delisting_date", "market_warning", "timestamp", "stream_type",
    ]
    private static let tradeKeys: Set = [
        "type", "code", "trade_price", "trade_volume", "ask_bid", "prev_closing_price", "change",
        "change_price", "trade_date", "trade_time", "trade_timestamp", "timestamp",
        "sequential_id", "stream_type",
    ]

    @Test("a request is answered by the state of each market, then by its changes")
    func snapshotsFirst() async throws {
        try await SimulatorFixture.run { simulator in
            #expect(simulator.marketStreamURL.hasSuffix("/websocket/v1"))
            let client = try StreamClient(simulator, .v2)
            let codes = ["KRW-BTC", "BTC-ETH"]
            try client.request([("ticker", codes), ("trade", codes), ("orderbook", codes)])
            var snapshots: [String] = []
            for _ in 0..<6 {
                let frame = try Self.frame(client)
                #expect(frame["stream_type"]?.text == "SNAPSHOT")
                snapshots.append((frame["type"]?.text ?? "") + " " + (frame["code"]?.text ?? ""))
            }
            let all = ["ticker", "trade", "orderbook"].flatMap { type in
                codes.map { "\(type) \($0)" }
            }
            #expect(Set(snapshots) == Set(all))
            var types: Set<String> = []
            while types.count < 3 {
                let frame = try Self.frame(client)
                #expect(frame["stream_type"]?.text == "REALTIME")
                let type = try #require(frame["type"]?.text)
                types.insert(type)
                switch type {
                case "ticker": try Self.check(ticker: frame)
                case "trade": try Self.check(trade: frame)
                default: #expect(frame["orderbook_units"]?.count == 15)
                }
            }
        }
    }

    private static func check(ticker frame: JSONValue) throws {
        #expect(frame.keys == tickerKeys)
        let at = try #require(frame["trade_timestamp"]?.integer)
        let seoul = SeoulTime(Timestamp(milliseconds: Int64(at)))
        let civil = seoul.civil
        let date = civil.year * 10_000 + civil.month * 100 + civil.day
        #expect(frame["trade_date"]?.text == String(date))
        #expect(frame["trade_time"]?.text?.utf8.count == 6)
        let asks = try #require(frame["acc_ask_volume"]?.decimal)
        let bids = try #require(frame["acc_bid_volume"]?.decimal)
        #expect(frame["acc_trade_volume"]?.decimal == asks + bids)
        #expect(frame["is_trading_suspended"] == .bool(false))
        #expect(frame["delisting_date"]?.text == "")
    }

    private static func check(trade frame: JSONValue) throws {
        #expect(frame.keys == tradeKeys)
        #expect(frame["trade_date"]?.text?.filter { $0 == "-" }.count == 2)
        #expect(frame["trade_time"]?.text?.filter { $0 == ":" }.count == 2)
        let at = try #require(frame["trade_timestamp"]?.integer)
        let id = try #require(frame["sequential_id"]?.integer)
        // 2025-09-16 00:00 in Seoul.
        #expect(id >> 25 == at - 1_757_948_400_000)
    }

    @Test("trades are those of REST and of API 1.x")
    func sameTrades() async throws {
        try await SimulatorFixture.run { simulator in
            let old = try StreamClient(simulator)
            try old.subscribe(["BTC_KRW"])
            _ = try old.next { $0.contains("content") }
            let client = try StreamClient(simulator, .v2)
            try client.request([("trade", ["KRW-BTC"])], #","isOnlyRealtime":true"#)
            var trades: [JSONValue] = []
            while trades.count < 40 { trades.append(try Self.frame(client)) }
            _ = SimulatorFixture.rest(simulator)
            func key(_ trade: JSONValue, _ time: String) -> String {
                [time, "trade_price", "trade_volume", "ask_bid"]
                    .map { trade[$0]?.decimal.map { "\($0)" } ?? trade[$0]?.text ?? "" }
                    .joined(separator: " ")
            }
            let path = "/v1/trades/ticks?market=KRW-BTC&count=500"
            let rest = try SimulatorFixture.get(path, simulator).json().items
            let known = rest.map { key($0, "timestamp") }
            let first = try #require(known.lastIndex(of: key(trades[0], "trade_timestamp")))
            let expected = known[...first].reversed().prefix(trades.count)
            #expect(trades.map { key($0, "trade_timestamp") } == Array(expected))
            let prices = try old.everythingSoFar().compactMap(JSONValue.parse)
                .flatMap { $0["content"]?["list"]?.items ?? [] }.compactMap {
                    $0["contPrice"]?.text
                }
            for trade in trades {
                let price = try #require(trade["trade_price"]?.decimal)
                #expect(prices.contains("\(price)"))
            }
        }
    }

    @Test("a book shows 15 units, fewer with a suffix, and coarser prices with a level")
    func books() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator, .v2)
            func units(_ code: String, _ fields: String = "") throws -> [JSONValue] {
                try client.request([("orderbook", [code])], #","isOnlySnapshot":true"# + fields)
                let frame = try Self.frame(client)
                let at = try #require(frame["timestamp"]?.integer)
                #expect(at > 1_000_000_000_000_000, "microseconds")
                #expect(frame["level"]?.integer == (fields.isEmpty ? 1 : 1_000))
                return frame["orderbook_units"]?.items ?? []
            }
            #expect(try units("KRW-BTC").count == 15)
            #expect(try units("KRW-BTC.5").count == 5)
            #expect(try units("KRW-BTC.30").count == 15)
            for unit in try units("KRW-BTC", #","level":1000"#) {
                for key in ["ask_price", "bid_price"] {
                    #expect((unit[key]?.integer ?? 1) % 1_000_000 == 0)
                }
            }
        }
    }

    @Test("many frames of the busiest book repeat the one before")
    func repetition() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator, .v2)
            try client.request([("orderbook", ["KRW-BTC"])])
            var frames: [JSONValue?] = []
            while frames.count < 30 { frames.append(try Self.frame(client)["orderbook_units"]) }
            let repeated = zip(frames, frames.dropFirst()).count { $0 == $1 }
            #expect((5...25).contains(repeated))
        }
    }

    @Test("frames in the format SIMPLE have short names and the same values")
    func simpleFormat() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator, .v2)
            try client.request(
                [("ticker", ["KRW-BTC"]), ("trade", ["KRW-BTC"]), ("orderbook", ["KRW-BTC"])],
                #","isOnlySnapshot":true"#,
                format: "SIMPLE"
            )
            let frames = try (0..<3).map { _ in try Self.frame(client) }
            let trade = try #require(frames.first { $0["ty"]?.text == "trade" })
            #expect(
                trade.keys == [
                    "ty", "cd", "tp", "tv", "ab", "pcp", "c", "cp", "tdt", "ttm", "ttms", "tms",
                    "sid", "st",
                ]
            )
            let ticker = try #require(frames.first { $0["ty"]?.text == "ticker" })
            #expect(ticker["tp"] == trade["tp"] && ticker["st"]?.text == "SNAPSHOT")
            let book = try #require(frames.first { $0["ty"]?.text == "orderbook" })
            #expect(book["obu"]?[0]?.keys == ["ap", "bp", "as", "bs"])
        }
    }

    @Test("a suspended coin has a snapshot that says so, and no changes")
    func suspension() async throws {
        try await SimulatorFixture.run { simulator in
            try simulator.suspend(try #require(MarketID(name: "XRP_KRW")))
            let client = try StreamClient(simulator, .v2)
            try client.request([("ticker", ["KRW-XRP", "KRW-BTC"])])
            let frames = try (0..<40).map { _ in try Self.frame(client) }
            let suspended = frames.filter { $0["code"]?.text == "KRW-XRP" }
            #expect(suspended.count == 1)
            #expect(suspended.first?["is_trading_suspended"] == .bool(true))
        }
    }

    @Test(
        "every n-th frame is broken, in addition to the right ones",
        arguments: [
            SimulatorFault.truncatedJSON(every: 3), .wrongTypes(every: 3),
            .unknownSymbols(every: 3),
        ]
    )
    func broken(fault: SimulatorFault) async throws {
        try await SimulatorFixture.run { simulator in
            simulator.start(fault)
            let client = try StreamClient(simulator, .v2)
            try client.request([("ticker", ["KRW-BTC"]), ("trade", ["KRW-BTC"])])
            var (right, broken) = (0, 0)
            while right < 60 {
                let message = try #require(try client.next())
                let frame = JSONValue.parse(message)
                let isRight =
                    frame?["trade_price"]?.decimal != nil && frame?["code"]?.text == "KRW-BTC"
                if isRight { right += 1 } else { broken += 1 }
            }
            #expect((5...60).contains(broken))
        }
    }
}
