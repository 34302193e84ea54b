import Domain
import ExchangeSimulator
import FoundationEssentials
import TestSupport
import Testing

@Suite("API 2.x over real HTTP: trades and candles by pages")
struct MarketHistoryRESTTests {
    private static func get(_ path: String, _ simulator: ExchangeSimulator) throws -> JSONValue {
        try MarketRESTTests.get(path, simulator)
    }

    private static func ids(_ page: JSONValue) -> [Int] {
        page.items.compactMap { $0["sequential_id"]?.integer }
    }

    @Test("trades are newest first and continue into the past by cursor")
    func cursor() async throws {
        try await SimulatorFixture.run { simulator in
            let client = try StreamClient(simulator)
            try client.subscribe(["BTC_KRW"])
            for _ in 0..<20 { _ = try client.next { $0.contains(#""transaction""#) } }
            _ = SimulatorFixture.rest(simulator)
            let all = try Self.get("trades/ticks?market=KRW-BTC&count=500", simulator)
            let ids = Self.ids(all)
            #expect(ids.count == 500 && ids == ids.sorted(by: >) && Set(ids).count == 500)
            #expect(try Self.get("trades/ticks?market=krw-btc", simulator).items == [all.items[0]])
            var joined = try Self.get("trades/ticks?market=KRW-BTC&count=7", simulator).items
            while joined.count < 490 {
                let last = try #require(joined.last?["sequential_id"]?.integer)
                let path = "trades/ticks?market=KRW-BTC&count=100&cursor=\(last)"
                joined += try Self.get(path, simulator).items
            }
            #expect(joined.prefix(490) == all.items.prefix(490))
            for trade in all.items {
                let at = try #require(trade["timestamp"]?.integer)
                #expect((trade["sequential_id"]?.integer ?? 0) / 10_000 == at)
                let price = try #require(trade["trade_price"]?.decimal)
                let close = try #require(trade["prev_closing_price"]?.decimal)
                #expect(trade["change_price"]?.decimal == price - close)
                #expect(["ASK", "BID"].contains(trade["ask_bid"]?.text))
            }
            // The newest hundred, oldest first, are those of API 1.x.
            let path = "/public/transaction_history/BTC_KRW?count=100"
            let old = try SimulatorFixture.get(path, simulator).json()["data"]?.items ?? []
            for (trade, row) in zip(all.items, old.reversed()) {
                let text = try #require(row["price"]?.text)
                #expect(trade["trade_price"]?.decimal == Decimal(string: text))
                #expect((trade["ask_bid"]?.text == "BID") == (row["type"]?.text == "bid"))
            }
        }
    }

    @Test("a page before a time of a day has earlier trades only, down to seven days ago")
    func times() async throws {
        let noon = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12)
        try await SimulatorFixture.run(now: { noon }) { simulator in
            func newest(_ query: String) throws -> Int? {
                let page = try Self.get("trades/ticks?market=KRW-BTC" + query, simulator)
                return page[0]?["timestamp"]?.integer
            }
            func milliseconds(_ day: Int, _ hour: Int) -> Int {
                let time = SeoulTime.timestamp(year: 2026, month: 11, day: day, hour: hour)
                return Int(time.microseconds / 1_000)
            }
            let today = try #require(try newest("&to=09:00:00"))
            #expect(today < milliseconds(20, 9) && today > milliseconds(20, 8))
            #expect(try newest("&to=090000") == today)
            let yesterday = try #require(try newest("&daysAgo=1&to=235959"))
            #expect(yesterday < milliseconds(20, 0) && yesterday > milliseconds(19, 23))
            // Without a time a day means its first moment.
            let before = try #require(try newest("&daysAgo=1"))
            #expect(before < milliseconds(19, 0) && before > milliseconds(18, 23))
            let oldest = try #require(try newest("&daysAgo=7&to=000500"))
            #expect(oldest >= milliseconds(13, 0) && oldest < milliseconds(13, 1))
            #expect(try newest("&daysAgo=7") == nil)
        }
    }

    @Test(
        "pages of candles join without overlap, on the grid of the calendar of Seoul",
        arguments: [
            "minutes/1", "minutes/3", "minutes/15", "minutes/60", "minutes/240", "days", "weeks",
            "months",
        ]
    )
    func candlePages(unit: String) async throws {
        let now = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12, minute: 7)
        try await SimulatorFixture.run(now: { now }) { simulator in
            var rows: [JSONValue] = []
            var end = ""
            for _ in 0..<3 {
                let page = try Self.get("candles/\(unit)?market=KRW-BTC&count=20\(end)", simulator)
                rows += page.items
                end = try "&to=" + #require(rows.last?["candle_date_time_kst"]?.text)
            }
            let starts = rows.compactMap { $0["candle_date_time_utc"]?.text }
            #expect(starts == starts.sorted(by: >) && Set(starts).count == starts.count)
            let single = try Self.get("candles/\(unit)?market=KRW-BTC&count=60", simulator).items
            #expect(single == rows)
            for row in rows {
                let low = try #require(row["low_price"]?.decimal)
                let high = try #require(row["high_price"]?.decimal)
                for key in ["opening_price", "trade_price"] {
                    let price = try #require(row[key]?.decimal)
                    #expect(low <= price && price <= high)
                }
                let start = try #require(row["candle_date_time_utc"]?.text)
                switch unit {
                case "minutes/240":
                    let hour = try #require(Int(start.dropFirst(11).prefix(2)))
                    #expect(hour % 4 == 3 && start.hasSuffix(":00:00"))
                case "days", "weeks", "months": #expect(start.hasSuffix("T15:00:00"))
                default: #expect(row["unit"]?.integer == Int(unit.dropFirst("minutes/".count)))
                }
            }
        }
    }

    @Test("days show the change against the close before, longer candles their first day")
    func days() async throws {
        let now = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12)
        try await SimulatorFixture.run(now: { now }) { simulator in
            let days = try Self.get("candles/days?market=KRW-BTC&count=200", simulator).items
            for (day, before) in zip(days, days.dropFirst()) {
                #expect(day["prev_closing_price"] == before["trade_price"])
                let close = try #require(day["trade_price"]?.decimal)
                let previous = try #require(day["prev_closing_price"]?.decimal)
                #expect(day["change_price"]?.decimal == close - previous)
                #expect(day.keys.contains("change_rate"))
                #expect(!day.keys.contains("converted_trade_price"))
            }
            let path = "candles/days?market=BTC-ETH&convertingPriceUnit=KRW"
            let converted = try #require(try Self.get(path, simulator)[0])
            let bitcoin = try Self.get("ticker?markets=KRW-BTC", simulator)[0]
            let price = try #require(bitcoin?["trade_price"]?.decimal)
            let ether = try #require(converted["trade_price"]?.decimal)
            #expect(converted["converted_trade_price"]?.decimal == price * ether)
            let week = try Self.get("candles/weeks?market=KRW-BTC", simulator)[0]
            // 2026-11-20 is a Friday.
            #expect(week?["first_day_of_period"]?.text == "2026-11-16")
            #expect(week?["candle_date_time_utc"]?.text == "2026-11-15T15:00:00")
            let month = try Self.get("candles/months?market=KRW-BTC", simulator)[0]
            #expect(month?["first_day_of_period"]?.text == "2026-11-01")
            #expect(month?["candle_date_time_kst"]?.text == "2026-11-01T00:00:00")
        }
    }

    @Test("candles are those of API 1.x")
    func sameCandles() async throws {
        let now = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12)
        try await SimulatorFixture.run(now: { now }) { simulator in
            for (unit, span) in [("minutes/1", "1m"), ("minutes/5", "5m"), ("minutes/60", "1h")] {
                let rows = try Self.get("candles/\(unit)?market=KRW-BTC&count=200", simulator).items
                let path = "/public/candlestick/BTC_KRW/\(span)"
                let old = try SimulatorFixture.get(path, simulator).json()["data"]?.items ?? []
                #expect(rows.count == 200)
                for (row, old) in zip(rows, old.reversed()) {
                    let names = ["opening_price", "trade_price", "high_price", "low_price"]
                    for (index, name) in names.enumerated() {
                        let text = try #require(old[index + 1]?.text)
                        #expect(row[name]?.decimal == Decimal(string: text), "\(span)")
                    }
                    #expect(row["timestamp"]?.integer ?? 0 > old[0]?.integer ?? .max)
                }
            }
        }
    }
}
