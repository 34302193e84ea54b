import Domain
import TestSupport
import Testing

@Suite("Candle intervals lie on the calendar of Seoul")
struct CandleIntervalTests {
    /// Year, month, day, hour, minute, second in Seoul time.
    typealias Wall = (Int, Int, Int, Int, Int, Int)

    static func moment(_ wall: Wall) -> Timestamp {
        SeoulTime.timestamp(
            year: wall.0,
            month: wall.1,
            day: wall.2,
            hour: wall.3,
            minute: wall.4,
            second: wall.5
        )
    }

    @Test(
        "a moment belongs to its bucket",
        arguments: [
            (.minute1, (2026, 11, 20, 12, 34, 56), (2026, 11, 20, 12, 34, 0)),
            (.minutes3, (2026, 11, 20, 12, 34, 56), (2026, 11, 20, 12, 33, 0)),
            (.minutes5, (2026, 11, 20, 12, 34, 56), (2026, 11, 20, 12, 30, 0)),
            (.minutes10, (2026, 11, 20, 12, 34, 56), (2026, 11, 20, 12, 30, 0)),
            (.minutes30, (2026, 11, 20, 12, 34, 56), (2026, 11, 20, 12, 30, 0)),
            (.hour1, (2026, 11, 20, 12, 34, 56), (2026, 11, 20, 12, 0, 0)),
            (.hours6, (2026, 11, 20, 11, 59, 59), (2026, 11, 20, 6, 0, 0)),
            (.hours6, (2026, 11, 20, 23, 59, 59), (2026, 11, 20, 18, 0, 0)),
            (.hours12, (2026, 11, 20, 11, 59, 59), (2026, 11, 20, 0, 0, 0)),
            (.hours12, (2026, 11, 20, 12, 0, 0), (2026, 11, 20, 12, 0, 0)),
            (.day1, (2026, 11, 20, 8, 59, 59), (2026, 11, 20, 0, 0, 0)),
            (.day1, (2024, 2, 29, 23, 59, 59), (2024, 2, 29, 0, 0, 0)),
            (.week1, (2026, 11, 22, 23, 59, 59), (2026, 11, 16, 0, 0, 0)),
            (.week1, (2026, 11, 23, 0, 0, 0), (2026, 11, 23, 0, 0, 0)),
            (.week1, (2027, 1, 3, 12, 0, 0), (2026, 12, 28, 0, 0, 0)),
            (.week1, (1970, 1, 1, 0, 0, 0), (1969, 12, 29, 0, 0, 0)),
            (.week1, (1969, 12, 28, 23, 0, 0), (1969, 12, 22, 0, 0, 0)),
            (.month1, (2024, 2, 29, 23, 59, 59), (2024, 2, 1, 0, 0, 0)),
            (.month1, (2024, 3, 1, 0, 0, 0), (2024, 3, 1, 0, 0, 0)),
            (.month1, (2026, 12, 31, 23, 59, 59), (2026, 12, 1, 0, 0, 0)),
            (.month1, (1969, 12, 31, 0, 0, 0), (1969, 12, 1, 0, 0, 0)),
            (.month1, (1900, 2, 28, 23, 59, 59), (1900, 2, 1, 0, 0, 0)),
        ] as [(CandleInterval, Wall, Wall)]
    )
    func bucket(interval: CandleInterval, moment: Wall, start: Wall) {
        #expect(interval.bucketStart(of: Self.moment(moment)) == Self.moment(start))
    }

    @Test("the exchange's time stamps of a closed and of a running day fit the buckets")
    func stamps() {
        // 2022-03-12 00:00 and 2022-03-13 15:00 in Seoul.
        let closed = Timestamp(milliseconds: 1_647_010_800_000)
        let running = Timestamp(milliseconds: 1_647_151_200_000)
        #expect(CandleInterval.day1.bucketStart(of: closed) == closed)
        let today = CandleInterval.day1.bucketStart(of: running)
        #expect(today == Timestamp(milliseconds: 1_647_097_200_000))
        #expect(CandleInterval.day1.nextBucket(after: closed) == today)
        #expect(CandleInterval.hour1.bucketStart(of: running) == running)
    }

    @Test(
        "stepping crosses weeks, months and years",
        arguments: [
            (.day1, (2024, 2, 28, 0, 0, 0), 2, (2024, 3, 1, 0, 0, 0)),
            (.day1, (2023, 2, 28, 0, 0, 0), 1, (2023, 3, 1, 0, 0, 0)),
            (.week1, (2024, 2, 26, 0, 0, 0), 1, (2024, 3, 4, 0, 0, 0)),
            (.month1, (2024, 1, 1, 0, 0, 0), 1, (2024, 2, 1, 0, 0, 0)),
            (.month1, (2024, 12, 1, 0, 0, 0), 1, (2025, 1, 1, 0, 0, 0)),
            (.month1, (1970, 1, 1, 0, 0, 0), -1, (1969, 12, 1, 0, 0, 0)),
            (.month1, (2024, 2, 29, 12, 0, 0), -14, (2022, 12, 1, 0, 0, 0)),
            (.hours12, (2026, 12, 31, 12, 0, 0), 1, (2027, 1, 1, 0, 0, 0)),
            (.minute1, (2026, 12, 31, 23, 59, 30), 1, (2027, 1, 1, 0, 0, 0)),
        ] as [(CandleInterval, Wall, Int, Wall)]
    )
    func steps(interval: CandleInterval, from: Wall, count: Int, to: Wall) {
        let start = interval.bucketStart(of: Self.moment(from))
        #expect(interval.advanced(Self.moment(from), by: count) == Self.moment(to))
        #expect(interval.advanced(Self.moment(to), by: -count) == start)
        #expect(interval.bucketCount(from: Self.moment(from), to: Self.moment(to)) == count)
    }

    @Test("buckets agree with the wall clock at random moments", arguments: CandleInterval.allCases)
    func wallClock(interval: CandleInterval) {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            // 1770 to 2170.
            let moment = Timestamp(
                microseconds: .random(
                    in: -6_311_000_000_000_000...6_311_000_000_000_000,
                    using: &generator
                )
            )
            let start = interval.bucketStart(of: moment)
            #expect(start == NaiveCandles.bucketStart(of: moment, interval))
            let next = interval.nextBucket(after: start)
            #expect(start <= moment && moment < next)
            #expect(interval.bucketStart(of: start) == start)
            #expect(interval.bucketStart(of: next) == next)
            #expect(interval.previousBucket(before: next) == start)
            let count = Int.random(in: -3_000...3_000, using: &generator)
            let far = interval.advanced(start, by: count)
            #expect(interval.bucketCount(from: start, to: far) == count)
            #expect(interval.advanced(far, by: -count) == start)
        }
    }

    @Test(
        "both ends of time are valid",
        arguments: CandleInterval.allCases,
        [Int64.min, .min + 1, .max - 1, .max]
    )
    func ends(interval: CandleInterval, microseconds: Int64) {
        let moment = Timestamp(microseconds: microseconds)
        let start = interval.bucketStart(of: moment)
        #expect(start <= moment)
        #expect(interval.advanced(moment, by: .max) == Timestamp(microseconds: .max))
        #expect(interval.advanced(moment, by: .min) == Timestamp(microseconds: .min))
        #expect(interval.bucketCount(from: moment, to: moment) == 0)
    }

    @Test("weeks and months are built from days, all others are served")
    func served() {
        for interval in CandleInterval.allCases {
            let isBuilt = interval == .week1 || interval == .month1
            #expect(interval.served == (isBuilt ? .day1 : interval))
        }
    }
}
