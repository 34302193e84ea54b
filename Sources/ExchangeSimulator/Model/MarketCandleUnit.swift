import Domain

/// The lengths of candles in API 2.x.
enum MarketCandleUnit: Sendable, Equatable {
    case minutes(Int)
    case days
    case weeks
    case months

    private static let minuteCounts = [1, 3, 5, 10, 15, 30, 60, 240]
    private static let minutesPerHour = 60
    private static let daysPerWeek = 7
    /// 1970-01-01 was a Thursday, three days after a Monday.
    private static let daysSinceMonday = 3

    /// Parses the end of a path: `minutes/15`, `days`, `weeks` or `months`.
    init?(path: some Collection<String>) {
        let parts = Array(path)
        switch (parts.first, parts.count) {
        case ("minutes", 2):
            guard let count = Int(parts[1]), Self.minuteCounts.contains(count) else { return nil }
            self = .minutes(count)
        case ("days", 1): self = .days
        case ("weeks", 1): self = .weeks
        case ("months", 1): self = .months
        default: return nil
        }
    }

    /// Whether its rows are built from minutes; longer ones are built from hours or days.
    var isBuiltFromMinutes: Bool {
        if case .minutes(let count) = self { return count < Self.minutesPerHour }
        return false
    }

    /// The interval whose finished rows since the start of the simulation make up this one; nil if
    /// these are the minutes themselves.
    var storedInterval: ChartInterval? {
        switch self {
        case .minutes(1), .minutes(3): nil
        case .minutes(10): .minutes10
        case .minutes(30): .minutes30
        case .minutes(let count): count < Self.minutesPerHour ? .minutes5 : .hour1
        case .days, .weeks, .months: .hours24
        }
    }

    /// The first minute of the bucket around a minute.
    ///
    /// Buckets lie on the calendar of Seoul; weeks begin on Monday.
    func start(of minute: Int) -> Int {
        let startOfDay = minute - SeoulMinute.sinceMidnight(minute)
        switch self {
        case .minutes(let count): return minute - SeoulMinute.sinceMidnight(minute) % count
        case .days: return startOfDay
        case .weeks:
            let day = SeoulMinute.time(of: minute).day
            return startOfDay - (day + Self.daysSinceMonday) % Self.daysPerWeek
                * SeoulMinute.perDay
        case .months:
            return startOfDay - (SeoulMinute.time(of: minute).civil.day - 1) * SeoulMinute.perDay
        }
    }
}
