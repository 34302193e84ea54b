/// A moment on the wall clock of Asia/Seoul: UTC+09:00, no daylight saving since 1988.
///
/// All calendar rules of the exchange (days, candle grids, `date` and `time` on the wire) use this
/// zone, wherever the program runs. Gregorian calendar, days counted from 1970-01-01.
public struct SeoulTime: Sendable, Hashable {
    /// The zone's offset from UTC.
    public static let offset: Duration = .seconds(9 * 3_600)
    static let microsecondsPerDay: Int64 = 86_400_000_000
    private static let offsetMicroseconds: Int64 = 32_400_000_000

    /// Days since 1970-01-01 on the Seoul calendar.
    public let day: Int
    /// Microseconds since 00:00 of that day, 0 ..< 86,400,000,000.
    public let microsecondOfDay: Int64

    /// The Seoul wall clock at a moment.
    public init(_ timestamp: Timestamp) {
        let day = timestamp.microseconds.floorDivided(by: Self.microsecondsPerDay)
        // The first day of the range begins before it; the wrapped difference is still right.
        let rest = timestamp.microseconds &- day &* Self.microsecondsPerDay
        let local = rest + Self.offsetMicroseconds
        let isNextDay = local >= Self.microsecondsPerDay
        self.day = Int(day) + (isNextDay ? 1 : 0)
        microsecondOfDay = isNextDay ? local - Self.microsecondsPerDay : local
    }

    /// 00:00 of a day in Seoul.
    public static func startOfDay(_ day: Int) -> Timestamp {
        Timestamp(microseconds: Int64(day) * microsecondsPerDay - offsetMicroseconds)
    }

    /// Year, month 1...12 and day of month 1...31 of this moment.
    public var civil: (year: Int, month: Int, day: Int) {
        // Howard Hinnant's days-to-civil: eras of 400 years that begin on 1 March.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Hour, minute, second and microsecond of this moment.
    public var clock: (hour: Int, minute: Int, second: Int, microsecond: Int) {
        let seconds = Int(microsecondOfDay / 1_000_000)
        return (
            seconds / 3_600, seconds / 60 % 60, seconds % 60, Int(microsecondOfDay % 1_000_000)
        )
    }

    /// Days since 1970-01-01 of a civil date; months 1...12, days of the month 1...31.
    public static func day(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The moment at which the Seoul wall clock shows this date and time.
    public static func timestamp(
        year: Int,
        month: Int,
        day: Int,
        hour: Int = 0,
        minute: Int = 0,
        second: Int = 0,
        microsecond: Int = 0
    ) -> Timestamp {
        let seconds = Int64(hour * 3_600 + minute * 60 + second)
        let start = startOfDay(Self.day(year: year, month: month, day: day)).microseconds
        return Timestamp(microseconds: start + seconds * 1_000_000 + Int64(microsecond))
    }
}
