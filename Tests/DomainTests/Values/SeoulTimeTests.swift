import Domain
import TestSupport
import Testing

@Suite("Seoul time")
struct SeoulTimeTests {
    @Test("dates equal a calendar that counts day by day, 1582 to 2400")
    func dayLoop() {
        var day = SeoulTime.day(year: 1582, month: 1, day: 1)
        // 1582-01-01 of the Gregorian calendar is 141,714 days before 1970.
        #expect(day == -141_714)
        for year in 1582...2400 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (index, length) in lengths.enumerated() {
                for dayOfMonth in 1...length {
                    let civil = SeoulTime(SeoulTime.startOfDay(day)).civil
                    if civil != (year, index + 1, dayOfMonth)
                        || SeoulTime.day(year: year, month: index + 1, day: dayOfMonth) != day
                    {
                        Issue.record(
                            "day \(day) is \(civil), not \(year)-\(index + 1)-\(dayOfMonth)"
                        )
                        return
                    }
                    day += 1
                }
            }
        }
    }

    @Test(
        "known moments have the right local time",
        arguments: [
            (0, (1970, 1, 1), (9, 0, 0, 0)),
            (1_647_010_800_000, (2022, 3, 12), (0, 0, 0, 0)),
            (1_647_151_200_000, (2022, 3, 13), (15, 0, 0, 0)),
            (1_645_677_730_995, (2022, 2, 24), (13, 42, 10, 995_000)),
            (-32_400_001, (1969, 12, 31), (23, 59, 59, 999_000)),
            (-32_400_000, (1970, 1, 1), (0, 0, 0, 0)),
            (951_750_000_000, (2000, 2, 29), (0, 0, 0, 0)),
            (-2_208_988_800_000, (1900, 1, 1), (9, 0, 0, 0)),
        ] as [(Int64, (Int, Int, Int), (Int, Int, Int, Int))]
    )
    func known(
        milliseconds: Int64,
        civil: (Int, Int, Int),
        clock: (Int, Int, Int, Int)
    ) {
        let time = SeoulTime(Timestamp(milliseconds: milliseconds))
        #expect(time.civil == civil)
        #expect(time.clock == clock)
        let back = SeoulTime.timestamp(
            year: civil.0,
            month: civil.1,
            day: civil.2,
            hour: clock.0,
            minute: clock.1,
            second: clock.2,
            microsecond: clock.3
        )
        #expect(back == Timestamp(milliseconds: milliseconds))
    }

    @Test(
        "a day begins at midnight, to the microsecond",
        arguments: [-141_714, -1, 0, 20_777]
    )
    func midnight(day: Int) {
        let start = SeoulTime.startOfDay(day)
        let before = SeoulTime(start.advanced(by: .microseconds(-1)))
        #expect(SeoulTime(start).day == day)
        #expect(SeoulTime(start).microsecondOfDay == 0)
        #expect(before.day == day - 1)
        #expect(before.microsecondOfDay == 86_399_999_999)
    }

    @Test(
        "any moment is split into a day and a time of day",
        arguments: [1, 2, 3] as [UInt64]
    )
    func split(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let microseconds = Int64(bitPattern: generator.next())
            let time = SeoulTime(Timestamp(microseconds: microseconds))
            // Cannot overflow in 128 bits.
            let local = Int128(microseconds) + 32_400_000_000
            #expect(Int128(time.day) * 86_400_000_000 + Int128(time.microsecondOfDay) == local)
            #expect((0..<86_400_000_000).contains(time.microsecondOfDay))
        }
    }

    @Test("both ends of time are valid", arguments: [Int64.min, .min + 808, .max - 1, .max])
    func ends(microseconds: Int64) {
        let time = SeoulTime(Timestamp(microseconds: microseconds))
        let local = Int128(microseconds) + 32_400_000_000
        #expect(Int128(time.day) * 86_400_000_000 + Int128(time.microsecondOfDay) == local)
    }
}

@Suite("Timestamp")
struct TimestampTests {
    @Test("milliseconds saturate at the ends of the range")
    func milliseconds() {
        #expect(Timestamp(milliseconds: 1_647_010_800_000).microseconds == 1_647_010_800_000_000)
        #expect(Timestamp(milliseconds: -1).microseconds == -1_000)
        #expect(Timestamp(milliseconds: .max).microseconds == .max)
        #expect(Timestamp(milliseconds: .min).microseconds == .min)
    }

    @Test(
        "a moment belongs to the second that began before it",
        arguments: [
            (0, 0), (999_999, 0), (1_000_000, 1), (-1, -1), (-1_000_000, -1), (-1_000_001, -2),
        ] as [(Int64, Int64)]
    )
    func second(microseconds: Int64, second: Int64) {
        #expect(Timestamp(microseconds: microseconds).second == second)
    }

    @Test("arithmetic is in whole microseconds")
    func arithmetic() {
        let start = Timestamp(microseconds: 5)
        #expect(start.advanced(by: .nanoseconds(1_999)).microseconds == 6)
        #expect(start.advanced(by: .seconds(-1)).microseconds == -999_995)
        #expect(start.duration(since: Timestamp(microseconds: 7)) == .microseconds(-2))
        #expect(start < Timestamp(microseconds: 6))
        #expect(Duration.milliseconds(1_500).wholeMicroseconds == 1_500_000)
    }
}
