import Domain
import ExchangeSimulator
import FoundationEssentials
import TestSupport
import Testing

@Suite("API 2.x over real HTTP: tickers and order books")
struct MarketRESTTests {
    static func get(_ path: String, _ simulator: ExchangeSimulator) throws -> JSONValue {
        try SimulatorFixture.get("/v1/" + path, simulator).json()
    }

    private static let keys: Set = [
        "market", "trade_date", "trade_time", "trade_date_kst", "trade_time_kst",
        "trade_timestamp", "opening_price", "high_price", "low_price", "trade_price",
        "prev_closing_price", "change", "change_price", "change_rate", "signed_change_price",
        "signed_change_rate", "trade_volume", "acc_trade_price", "acc_trade_price_24h",
        "acc_trade_volume", "acc_trade_volume_24h", "highest_52_week_price",
        "highest_52_week_date", "lowest_52_week_price", "lowest_52_week_date", "timestamp",
    ]

    @Test("tickers show the same market as API 1.x, in the order of the request")
    func tickers() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            _ = try client.next { $0.contains(#""transaction""#) }
            _ = SimulatorFixture.rest(simulator)
            let rows = try Self.get("ticker?markets=krw-btc,BTC-ETH,KRW-XRP,KRW-BTC", simulator)
            #expect(rows.items.map { $0["market"]?.text } == ["KRW-BTC", "BTC-ETH", "KRW-XRP"])
            let old = try SimulatorFixture.get("/public/ticker/ALL_KRW", simulator).json()["data"]
            for row in rows.items where row["market"]?.text?.hasPrefix("KRW-") == true {
                #expect(row.keys == Self.keys)
                let coin = try #require(row["market"]?.text?.dropFirst(4))
                let data = try #require(old?[String(coin)])
                for (key, oldKey) in [
                    ("trade_price", "closing_price"), ("acc_trade_price", "acc_trade_value"),
                    ("prev_closing_price", "prev_closing_price"), ("high_price", "max_price"),
                    ("acc_trade_volume_24h", "units_traded_24H"),
                    ("opening_price", "opening_price"),
                ] {
                    let text = try #require(data[oldKey]?.text)
                    #expect(row[key]?.decimal == Decimal(string: text), "\(coin) \(key)")
                }
                try Self.check(row)
            }
        }
    }

    /// Checks that times and changes of a row agree with each other.
    private static func check(_ row: JSONValue) throws {
        func number(_ key: String) throws -> Decimal { try #require(row[key]?.decimal) }
        #expect(row["timestamp"] == row["trade_timestamp"])
        let ahead = try #require(row["trade_timestamp"]?.integer) - 32_400_000
        let seoul = SeoulTime(Timestamp(microseconds: Int64(ahead) * 1_000))
        let civil = seoul.civil
        let day = civil.year * 10_000 + civil.month * 100 + civil.day
        #expect(row["trade_date_kst"]?.text.flatMap { Int($0) } == day)
        let clock = seoul.clock
        let time = clock.hour * 10_000 + clock.minute * 100 + clock.second
        #expect(row["trade_time_kst"]?.text.flatMap { Int($0) } == time)
        let utcTime = (clock.hour + 15) % 24 * 10_000 + clock.minute * 100 + clock.second
        #expect(row["trade_time"]?.text.flatMap { Int($0) } == utcTime)
        let change = try number("trade_price") - number("prev_closing_price")
        #expect(try number("signed_change_price") == change)
        #expect(try number("change_price") == abs(change))
        #expect(row["change"]?.text == (change > 0 ? "RISE" : (change < 0 ? "FALL" : "EVEN")))
        #expect(try abs(number("signed_change_rate")) == number("change_rate"))
        #expect(try number("highest_52_week_price") >= number("high_price"))
        #expect(try number("lowest_52_week_price") <= number("low_price"))
    }

    @Test(
        "a bad code, a missing parameter and too many codes fail the whole call",
        arguments: [
            ("ticker?markets=KRW-BTC,KRW-NOSUCH", 200, JSONValue.number(404)),
            ("ticker?markets=KRW-BTC,", 200, .number(404)),
            ("ticker?markets=BTC_KRW", 200, .number(404)), ("ticker", 200, .number(400)),
            ("orderbook?markets=KRW-BTC,KRW-NOSUCH", 200, .number(404)),
            ("orderbook?markets=", 200, .number(400)),
            ("trades/ticks?market=KRW-NOSUCH", 200, .number(404)),
            ("trades/ticks?count=1", 200, .number(400)),
            ("trades/ticks?market=KRW-BTC&count=501", 200, .number(400)),
            ("trades/ticks?market=KRW-BTC&daysAgo=8", 200, .number(400)),
            ("trades/ticks?market=KRW-BTC&to=250000", 200, .number(400)),
            ("candles/minutes/7?market=KRW-BTC", 200, .number(400)),
            ("candles/days?market=KRW-BTC&count=201", 200, .number(400)),
            ("candles/days?market=KRW-BTC&to=yesterday", 200, .number(400)),
        ]
    )
    func errors(path: String, status: Int, name: JSONValue) async throws {
        try await SimulatorFixture.run { simulator in
            let answer = try SimulatorFixture.get("/v1/" + path, simulator)
            #expect(answer.status == status)
            #expect(try answer.json()["error"]?["name"] == name)
            #expect(try answer.json()["error"]?["message"]?.text?.isEmpty == false)
        }
    }

    @Test("more than 200 tickers are refused with 400, long queries with 414 and no body")
    func limits() async throws {
        try await SimulatorFixture.run { simulator in
            func ask(_ count: Int) throws -> HTTPAnswer {
                let codes = Array(repeating: "KRW-BTC", count: count).joined(separator: ",")
                return try SimulatorFixture.get("/v1/ticker?markets=" + codes, simulator)
            }
            #expect(try ask(200).json().count == 1)
            let many = try ask(201)
            #expect(many.status == 400)
            #expect(try many.json()["error"]?["name"]?.text == "400")
            let long = try ask(501)
            #expect(long.status == 414 && long.body.isEmpty)
            let route = try SimulatorFixture.get("/v1/candles/hours?market=KRW-BTC", simulator)
            #expect(route.status == 404)
            #expect(try route.json()["name"]?.text == "not_found")
        }
    }

    @Test("one order book has thirty units, several have fifteen each, as API 1.x shows them")
    func books() async throws {
        try await SimulatorFixture.run { simulator in
            _ = SimulatorFixture.rest(simulator)
            let one = try Self.get("orderbook?markets=KRW-BTC", simulator)[0]
            let units = try #require(one?["orderbook_units"])
            #expect(units.count == 30)
            let old = try SimulatorFixture.get("/public/orderbook/BTC_KRW", simulator).json()
            #expect(
                one?["timestamp"]?.integer.map(String.init) == old["data"]?["timestamp"]?.text
            )
            for (index, unit) in units.items.enumerated() {
                for (side, name) in [("asks", "ask"), ("bids", "bid")] {
                    let level = old["data"]?[side]?[index]
                    let price = try #require(level?["price"]?.text)
                    let size = try #require(level?["quantity"]?.text)
                    #expect(unit[name + "_price"]?.decimal == Decimal(string: price))
                    #expect(unit[name + "_size"]?.decimal == Decimal(string: size))
                }
            }
            let several = try Self.get("orderbook?markets=KRW-BTC,KRW-XRP", simulator)
            #expect(several.items.map { $0["orderbook_units"]?.count } == [15, 15])
            for book in several.items {
                #expect(
                    book.keys == [
                        "market", "timestamp", "total_ask_size", "total_bid_size",
                        "orderbook_units",
                    ]
                )
            }
        }
    }

    @Test("a suspended coin keeps its last figures, has no orders and can be asked for")
    func suspension() async throws {
        try await SimulatorFixture.run { simulator in
            let coin = try #require(MarketID(name: "XRP_KRW"))
            try simulator.suspend(coin)
            let row = try Self.get("ticker?markets=KRW-XRP", simulator)[0]
            #expect(row?.keys == Self.keys)
            let book = try Self.get("orderbook?markets=KRW-XRP", simulator)[0]
            #expect(book?["orderbook_units"]?.count == 0)
            #expect(try Self.get("trades/ticks?market=KRW-XRP", simulator).count == 1)
            #expect(try Self.get("candles/days?market=KRW-XRP", simulator).count == 1)
            try simulator.delist(coin)
            for path in [
                "ticker?markets=KRW-BTC,KRW-XRP", "orderbook?markets=KRW-XRP",
                "trades/ticks?market=KRW-XRP", "candles/days?market=KRW-XRP",
            ] {
                #expect(try Self.get(path, simulator)["error"]?["name"] == .number(404))
            }
        }
    }

    @Test("every market has a ticker, also those without a trade in a day or ever")
    func untraded() async throws {
        try await SimulatorFixture.run { simulator in
            _ = SimulatorFixture.rest(simulator)
            try simulator.list(try #require(MarketID(name: "FRESH_KRW")))
            let listed = try Self.get("market/all", simulator).items
            let names = listed.compactMap { $0["market"]?.text }
            #expect(names.contains("KRW-FRESH"))
            let path = "ticker?markets=" + names.joined(separator: ",")
            let rows = try Self.get(path, simulator)
            #expect(rows.items.compactMap { $0["market"]?.text } == names)
            for row in rows.items { try Self.check(row) }
            // Markets without trades still have the last one of days ago.
            for name in names {
                let trades = try Self.get("trades/ticks?market=\(name)", simulator)
                #expect(trades.count == (name == "KRW-FRESH" ? 0 : 1), "\(name)")
            }
        }
    }
}
