import Domain

/// When the listings are read: every ten seconds, and at 00:00:01 in Seoul.
enum ListingSchedule {
    /// The time between two readings.
    static let interval: Duration = .seconds(10)
    /// The delay of the first reading after midnight.
    static let afterMidnight: Duration = .seconds(1)

    /// The wait after a reading that ended at `now`.
    static func wait(at now: Timestamp) -> Duration {
        min(interval, untilMidnight(at: now, plus: afterMidnight))
    }

    /// The time until the next 00:00 in Seoul plus `delay`; always positive.
    static func untilMidnight(at now: Timestamp, plus delay: Duration = .zero) -> Duration {
        let shifted = now.advanced(by: .zero - delay)
        let next = SeoulTime.startOfDay(SeoulTime(shifted).day + 1).advanced(by: delay)
        return next.duration(since: now)
    }
}
