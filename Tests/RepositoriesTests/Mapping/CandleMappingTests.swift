import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Candle rows are mapped to buckets, each once")
struct CandleMappingTests {
    private static let noon = Timestamp.noon().microseconds / 1_000

    private func row(
        _ secondsAfterNoon: Int64,
        close: WireDecimal = "3",
        _ change: (inout CandleDTO) -> Void = { _ in }
    ) -> CandleDTO {
        var row = CandleDTO(
            atMilliseconds: Self.noon + secondsAfterNoon * 1_000,
            open: "2",
            close: close,
            high: "4",
            low: "1",
            volume: ".9159"
        )
        change(&row)
        return row
    }

    private func page(
        _ rows: [CandleDTO],
        _ interval: CandleInterval = .minutes10,
        notAfter limit: Timestamp? = nil
    ) -> (page: CandlePage, skipped: Int) {
        CandleMapping.page(
            CandlesDTO(rows: rows, skippedCount: 1),
            of: "BTC_KRW",
            interval: interval,
            requestedAt: .noon(1),
            answeredAt: .noon(2),
            notAfter: limit
        )
    }

    @Test("the mapping maps each number from its own field")
    func fields() {
        let (page, skipped) = page([row(0)])
        let expected = Candle(
            openTime: .noon(),
            open: "2",
            high: "4",
            low: "1",
            close: "3",
            volume: "0.9159",
            origin: .rest
        )
        #expect(page.candles == [expected])
        #expect(page.market == "BTC_KRW")
        #expect(page.interval == .minutes10)
        #expect(page.requestedAt == .noon(1))
        #expect(page.answeredAt == .noon(2))
        #expect(skipped == 1, "what the source left out is told on")
    }

    @Test("the mapping maps the running row to its bucket")
    func runningRow() {
        // As observed: …02:30, 02:40, 02:52.
        let (page, _) = page([row(0), row(600), row(1_320, close: "4")])
        #expect(page.candles.map(\.openTime) == [.noon(0), .noon(600), .noon(1_200)])
        let (same, _) = self.page([row(0), row(600), row(720, close: "4")])
        #expect(same.candles.map(\.openTime) == [.noon(0), .noon(600)])
        #expect(same.candles.last?.close == "4", "the last row of a bucket is the newest")
    }

    @Test("the mapping maps a day's running row to the Seoul day")
    func runningDay() {
        let (page, _) = page([row(0)], .day1)
        #expect(page.candles.first?.openTime == SeoulTime.timestamp(year: 2026, month: 11, day: 20))
    }

    @Test("the mapping maps repeated rows once, and sorts them", arguments: 1...20)
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let minutes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            Int64.random(in: 0..<30, using: &random)
        }
        let isSorted = Bool.random(using: &random)
        let (page, _) = page((isSorted ? minutes.sorted() : minutes).map { row($0 * 60) }, .minute1)
        let expected = Set(minutes).sorted().map { Timestamp.noon(Int($0) * 60) }
        #expect(page.candles.map(\.openTime) == expected)
    }

    @Test("the mapping skips and counts implausible rows")
    func badRows() {
        let huge = WireDecimal(mantissa: 1, scale: -30)
        let bad: [(inout CandleDTO) -> Void] = [
            { $0.open = "0" }, { $0.high = "-1" }, { $0.low = "0" }, { $0.close = huge },
            { $0.volume = "-1" }, { $0.volume = huge }, { $0.atMilliseconds = 0 },
            { $0.high = "2.9" }, { $0.low = "3.1" }, { $0.close = "0.9" },
            { $0.atMilliseconds = .max }, { $0.atMilliseconds = .min },
        ]
        for change in bad {
            let (page, skipped) = page([row(0, change), row(600)])
            #expect(page.candles.map(\.openTime) == [.noon(600)])
            #expect(skipped == 2)
        }
        let (late, skipped) = page([row(0), row(600)], notAfter: .noon(599))
        #expect(late.candles.count == 1 && skipped == 2)
        let (none, _) = page([])
        #expect(none.candles.isEmpty)
    }

    @Test("the mapping keeps a first open outside of low and high")
    func newListing() {
        let (page, skipped) = page([row(0) { $0.open = "9" }])
        #expect(page.candles.first?.open == "9")
        #expect(skipped == 1)
    }

    @Test("hours are aggregated, without an oldest candle whose beginning is not among them")
    func aggregation() {
        let interval = CandleInterval.hours6
        let start = interval.bucketStart(of: .noon())
        // Hours 1 to 13 of three buckets, newest first.
        let rows = (1...13).reversed().map { hour in
            row(0, close: WireDecimal(stringLiteral: "\(hour)")) { row in
                row.atMilliseconds = start.microseconds / 1_000 + Int64(hour) * 3_600_000
                row.high = WireDecimal(stringLiteral: "\(hour)")
            }
        }
        func whole(isTruncated: Bool) -> (page: CandlePage, skipped: Int) {
            CandleMapping.page(
                CandlesDTO(rows: rows, interval: "1h", isTruncated: isTruncated),
                of: "BTC_KRW",
                interval: interval,
                requestedAt: .noon(1),
                answeredAt: .noon(2),
                notAfter: nil
            )
        }
        let (page, skipped) = whole(isTruncated: true)
        let second = interval.nextBucket(after: start)
        #expect(page.interval == interval)
        #expect(page.candles.map(\.openTime) == [second, interval.nextBucket(after: second)])
        #expect(page.candles.map(\.close) == ["11", "13"])
        #expect(page.candles.map(\.volume) == ["5.4954", "1.8318"])
        #expect(skipped == 0)
        let history = whole(isTruncated: false).page
        #expect(history.candles.map(\.openTime) == [start] + page.candles.map(\.openTime))
    }
}
