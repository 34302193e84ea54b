import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("Korean wall-clock times become Unix times, or an error")
struct KoreanTimeTests {
    private func tickerTime(date: String, time: String) -> Result<Int64, DecodingNote> {
        var decoder = StreamDecoder(.v1)
        let frame = BithumbFixtures.ticker(["date": #""\#(date)""#, "time": #""\#(time)""#])
        switch decoder.decode(BithumbFixtures.batch([frame])).first {
        case .ticker(let ticker): return .success(ticker.atMicroseconds)
        case .skipped(let entry): return .failure(DecodingNote(text: entry.reason))
        case .status, .marketTicker, .transactions, .trade, .depth, .orderBook, .unknown, nil:
            return .failure(DecodingNote(text: "other"))
        }
    }

    private func tradeTime(_ text: String) -> Result<Int64, DecodingNote> {
        var decoder = StreamDecoder(.v1)
        let frame = BithumbFixtures.transaction([BithumbFixtures.trade(["contDtm": #""\#(text)""#])]
        )
        switch decoder.decode(BithumbFixtures.batch([frame])).last {
        case .transactions(let trades): return .success(trades[0].atMicroseconds)
        case .skipped(let entry): return .failure(DecodingNote(text: entry.reason))
        case .status, .ticker, .marketTicker, .trade, .depth, .orderBook, .unknown, nil:
            return .failure(DecodingNote(text: "other"))
        }
    }

    struct DecodingNote: Error, Equatable {
        let text: String
    }

    @Test(
        "a ticker's date and time are parsed",
        arguments: [
            ("20260923", "211833", 1_790_165_913), ("19700101", "090000", 0),
            ("19700101", "085959", -1), ("20240229", "000000", 1_709_132_400),
            ("20000229", "235959", 951_836_399), ("20261231", "235959", 1_798_729_199),
            ("99991231", "235959", 253_402_268_399),
        ]
    )
    func compactTimes(date: String, time: String, seconds: Int64) {
        #expect(tickerTime(date: date, time: time) == .success(seconds * 1_000_000))
    }

    @Test(
        "an invalid date is an error",
        arguments: [
            ("20261323", "211833"), ("20260023", "211833"), ("20260900", "211833"),
            ("20260931", "211833"), ("20260229", "211833"), ("21000229", "211833"),
            ("19691231", "211833"), ("20260923", "250000"), ("20260923", "240000"),
            ("20260923", "216000"), ("20260923", "211860"), ("2026923", "211833"),
            ("20260923", "21183"), ("202609231", "211833"), ("20260923", "2118330"),
            ("2026-9-3", "211833"), ("20260923", "21:183"), ("+2026923", "211833"),
        ]
    )
    func noCompactTimes(date: String, time: String) {
        let expected = DecodingNote(text: "date and time is not a valid time")
        #expect(tickerTime(date: date, time: time) == .failure(expected))
    }

    @Test(
        "a trade's time is parsed to the microsecond",
        arguments: [
            ("2026-09-23 21:18:33.240601", 1_790_165_913_240_601),
            ("2026-09-23 21:18:33", 1_790_165_913_000_000),
            ("2026-09-23 21:18:33.2", 1_790_165_913_200_000),
            ("2026-09-23 21:18:33.000001", 1_790_165_913_000_001),
            ("2026-09-23 21:18:33.240601999", 1_790_165_913_240_601),
            ("2018-04-10 9:05:01", 1_523_318_701_000_000),
            ("2018-04-10 9:05:01.5", 1_523_318_701_500_000),
            ("2018-04-10 09:05:01", 1_523_318_701_000_000),
        ]
    )
    func longTimes(text: String, microseconds: Int64) {
        #expect(tradeTime(text) == .success(microseconds))
    }

    @Test(
        "an invalid trade time is an error",
        arguments: [
            "2026-13-23 21:18:33.240601", "2026-09-23 25:00:00", "2026-09-23 21:18:33.",
            "2026-09-23 21:18:33.x", "2026-09-23 21:18:33.24060199911", "2026-09-23T21:18:33",
            "2026-09-23 21:18", "2026-9-23 21:18:33", "2026-09-23", "2026-09-23 :18:33",
            "2026-09-23 211:18:33", "2026-09-23 21:8:33", "2026-09-23 21:18:33Z", "now",
            "2026-02-30 21:18:33", "2026-09-23 -1:18:33", "2026-09-23 21:18:33.-1",
        ]
    )
    func noLongTimes(text: String) {
        let expected = DecodingNote(text: "contDtm is not a valid time")
        #expect(tradeTime(text) == .failure(expected))
    }

    @Test("each day is one day after the previous one, leap years included")
    func everyDay() throws {
        var batch = MessageBatch()
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for year in 1970..<2110 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for month in 1...12 {
                let length = lengths[month - 1] + (isLeap && month == 2 ? 1 : 0)
                for day in 1...length {
                    let date = year * 10_000 + month * 100 + day
                    batch.append(
                        BithumbFixtures.ticker(["date": "\(date)", "time": #""090000""#]).utf8
                    )
                }
            }
        }
        var decoder = StreamDecoder(.v1)
        var expected: Int64 = 0
        for message in decoder.decode(batch) {
            guard case .ticker(let ticker) = message else {
                Issue.record("a day was not read: \(message)")
                return
            }
            try #require(ticker.atMicroseconds == expected)
            expected += 86_400_000_000
        }
        #expect(expected == 51_134 * 86_400_000_000)
    }
}
