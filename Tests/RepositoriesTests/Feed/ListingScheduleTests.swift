import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Listings are read every ten seconds and just after midnight in Seoul")
struct ListingScheduleTests {
    private static let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)

    @Test(
        "the schedule waits ten seconds, or until one second past midnight",
        arguments: [
            (-3_600_000_000, 10_000_000), (-9_000_000, 10_000_000), (-8_999_999, 9_999_999),
            (-1, 1_000_001), (0, 1_000_000), (999_999, 1), (1_000_000, 10_000_000),
            (1_000_001, 10_000_000), (43_200_000_000, 10_000_000),
        ] as [(Int64, Int64)]
    )
    func waits(microseconds: Int64, expected: Int64) {
        let now = Self.midnight.advanced(by: .microseconds(microseconds))
        #expect(ListingSchedule.wait(at: now) == .microseconds(expected))
    }

    @Test(
        "the schedule has the time until midnight",
        arguments: [(-1, 1), (0, 86_400_000_000), (1, 86_399_999_999)] as [(Int64, Int64)]
    )
    func midnights(microseconds: Int64, expected: Int64) {
        let now = Self.midnight.advanced(by: .microseconds(microseconds))
        #expect(ListingSchedule.untilMidnight(at: now) == .microseconds(expected))
    }

    @Test(
        "a wait is above zero, at most ten seconds, and does not skip midnight",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func always(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let now = Timestamp(
                microseconds: Int64.random(in: -1 << 52...1 << 52, using: &generator)
            )
            let wait = ListingSchedule.wait(at: now)
            #expect(wait > .zero && wait <= .seconds(10))
            let next = now.advanced(by: wait)
            let isSameDay = SeoulTime(next).day == SeoulTime(now).day
            #expect(isSameDay || SeoulTime(next).microsecondOfDay <= 1_000_000)
        }
    }
}
