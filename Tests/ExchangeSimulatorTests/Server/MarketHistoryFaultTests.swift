import Domain
import ExchangeSimulator
import TestSupport
import Testing

@Suite("Faults of trades and candles of API 2.x")
struct MarketHistoryFaultTests {
    private static func get(_ path: String, _ simulator: ExchangeSimulator) throws -> [JSONValue] {
        try MarketRESTTests.get(path, simulator).items
    }

    @Test("minutes of a hole have no candles in both versions until the fault ends")
    func candleHole() async throws {
        let now = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12)
        try await SimulatorFixture.run(now: { now }) { simulator in
            func minutes(_ unit: String = "minutes/1") throws -> [String] {
                try Self.get("candles/\(unit)?market=KRW-BTC&count=200", simulator)
                    .compactMap { $0["candle_date_time_kst"]?.text }
            }
            func old() throws -> Int? {
                let path = "/public/candlestick/BTC_KRW/1m"
                return try SimulatorFixture.get(path, simulator).json()["data"]?.count
            }
            let (before, oldBefore) = (try minutes(), try old())
            simulator.start(.candleHole(minutesAgo: 60, minutes: 30))
            let hole = "2026-11-20T11:00:00"..<"2026-11-20T11:30:00"
            let lost = before.filter(hole.contains).count
            #expect(lost > 20)
            let after = try minutes()
            #expect(after.count == 200 && !after.contains(where: hole.contains))
            #expect(try old() == oldBefore.map { $0 - lost })
            #expect(try !minutes("minutes/15").contains(where: hole.contains))
            #expect(try minutes("minutes/60").contains("2026-11-20T11:00:00"))
            simulator.end(.candleHole)
            #expect(try minutes() == before)
        }
    }

    @Test("a page at an inclusive cursor begins with the trade at the cursor")
    func inclusiveCursor() async throws {
        let now = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 12)
        try await SimulatorFixture.run(now: { now }) { simulator in
            let path = "trades/ticks?market=KRW-BTC&count=5"
            let page = try Self.get(path, simulator)
            let cursor = try #require(page[2]["sequential_id"]?.integer)
            #expect(try Self.get(path + "&cursor=\(cursor)", simulator)[0] == page[3])
            simulator.start(.inclusiveCursor)
            #expect(try Self.get(path + "&cursor=\(cursor)", simulator)[0] == page[2])
        }
    }

    @Test(
        "ids and times of trades on the stream differ from REST as the faults say",
        arguments: [
            ([], 0, false), ([.shiftedStreamTimes], 1, false), ([.oldStreamIDs], 0, true),
            ([.shiftedStreamTimes, .oldStreamIDs], 1, true),
        ] as [([SimulatorFault], Int, Bool)]
    )
    func identity(faults: [SimulatorFault], offset: Int, isOld: Bool) async throws {
        try await SimulatorFixture.run { simulator in
            faults.forEach(simulator.start)
            _ = SimulatorFixture.rest(simulator)
            simulator.resume()
            let client = try StreamClient(simulator, .v2)
            try client.request([("trade", ["KRW-BTC"])], #","isOnlySnapshot":true"#)
            let frame = try MarketStreamTests.frame(client)
            let at = try #require(frame["trade_timestamp"]?.integer)
            let id = try #require(frame["sequential_id"]?.integer)
            _ = SimulatorFixture.rest(simulator)
            let rest = try Self.get("trades/ticks?market=KRW-BTC&count=500", simulator)
            let times = rest.compactMap { $0["timestamp"]?.integer }
            #expect(times.contains(at - offset))
            #expect(isOld ? id / 10_000 == at : id >> 25 == at - 1_757_948_400_000)
        }
    }
}
