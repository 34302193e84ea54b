/// Korean wall time as API 2.x takes it: nine hours ahead of UTC, without daylight saving.
enum KoreanTimeText {
    /// `2026-09-23T21:18:33` from Unix seconds of the years 1 to 9999.
    static func text(_ seconds: Int64) -> String {
        let korean = seconds + 9 * 3_600
        let second = ((korean % 86_400) + 86_400) % 86_400
        let (year, month, day) = date((korean - second) / 86_400)
        let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)]
        return date.joined(separator: "-") + "T" + time.joined(separator: ":")
    }

    /// The Gregorian date of a number of days since 1970-01-01, counted in years that begin in
    /// March: the leap day is then the last of its year.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let daysFromMarchOfYear0: Int64 = 719_468
        let daysOf400Years: Int64 = 146_097
        let all = days + daysFromMarchOfYear0
        let (centuries, rest) = all.quotientAndRemainder(dividingBy: daysOf400Years)
        // Leap days of 4 and 400 years are the last of theirs, and 100 years lack one.
        let year = (rest - rest / 1_460 + rest / 36_524 - rest / 146_096) / 365
        let dayOfYear = rest - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        // January and February.
        let isNextYear = month >= 10
        let calendarYear = centuries * 400 + year + (isNextYear ? 1 : 0)
        return (calendarYear, isNextYear ? month - 9 : month + 3, day)
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
