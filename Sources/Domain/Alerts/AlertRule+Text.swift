extension AlertRule {
    /// The rule as ``parse(_:feed:markets:)`` reads it: `BTC_KRW > 150000000 again 10m`.
    ///
    /// The feed is not part of it.
    public var text: String {
        var words = [scope.text]
        words += signal.words(of: test)
        if case .again(let pause, let ticks) = repetition {
            words += ["again", AlertDuration.text(of: pause)]
            if ticks > 0 { words += ["ticks", String(ticks)] }
        }
        if let expiresAt { words += ["until", AlertTime.text(of: expiresAt)] }
        if let note { words += ["note", note] }
        return words.joined(separator: " ")
    }
}

extension AlertScope {
    /// The word of the text form.
    public var text: String {
        switch self {
        case .market(let market): market.name
        case .favorites: "favorites"
        case .all: "all"
        case .portfolio: "portfolio"
        }
    }
}

extension AlertSignal {
    /// The unit of levels in the text form.
    var unit: String {
        switch self {
        case .change, .strength, .profitRate: "%"
        case .turnover: "x"
        case .spread: "bp"
        case .price, .value, .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading:
            ""
        }
    }

    /// The words of a state that begins and of one that ends; nil for other signals.
    var stateWords: (begins: [String], ends: [String])? {
        switch self {
        case .deposit: (["deposit", "opens"], ["deposit", "closes"])
        case .withdrawal: (["withdrawal", "opens"], ["withdrawal", "closes"])
        case .caution: (["caution", "set"], ["caution", "lifted"])
        case .exchangeAlert: (["alert", "set"], ["alert", "lifted"])
        case .listed: (["listed"], ["delisted"])
        case .trading: (["resumed"], ["suspended"])
        case .price, .change, .turnover, .spread, .strength, .value, .profitRate: nil
        }
    }

    /// The words before a test of a level.
    private var words: [String] {
        switch self {
        case .price, .value: []
        case .change(let period): [period.rawValue]
        case .turnover(let minutes): ["turnover", "\(minutes)m"]
        case .spread: ["spread"]
        case .strength: ["strength"]
        case .profitRate: ["return"]
        case .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading:
            stateWords?.begins ?? []
        }
    }

    fileprivate func words(of test: AlertTest) -> [String] {
        func level(_ value: FixedDecimal) -> String { value.canonicalText + unit }
        return switch test {
        case .above(let value): words + [">", level(value)]
        case .below(let value): words + ["<", level(value)]
        case .crosses(let value): words + ["<>", level(value)]
        case .leaves(let low, let high): words + [low.canonicalText + ".." + level(high)]
        case .becomes(let begins): (begins ? stateWords?.begins : stateWords?.ends) ?? words
        }
    }
}

/// Durations of the text form: a number and one of `s`, `m`, `h`, `d`.
enum AlertDuration {
    private static let units: [(letter: Character, seconds: Int64)] = [
        ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
    ]

    /// Whole seconds in the largest unit without a remainder.
    static func text(of duration: Duration) -> String {
        let seconds = duration.components.seconds
        let unit = units.first { seconds != 0 && seconds.isMultiple(of: $0.seconds) }
        return unit.map { "\(seconds / $0.seconds)\($0.letter)" } ?? "\(seconds)s"
    }

    /// Nil for another text and for more than a hundred years.
    static func parse(_ text: Substring) -> Duration? {
        guard let letter = text.last, let unit = units.first(where: { $0.letter == letter }),
            let count = digits(text.dropLast()), count <= 3_155_760_000 / unit.seconds
        else { return nil }
        return .seconds(count * unit.seconds)
    }

    /// A whole number of decimal digits alone.
    static func digits(_ text: Substring) -> Int64? {
        let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? Int64(text) : nil
    }
}

/// Times of the text form, on the wall clock of Seoul.
enum AlertTime {
    /// `2026-12-31T09:00`, with seconds and microseconds where they are not zero.
    static func text(of timestamp: Timestamp) -> String {
        let time = SeoulTime(timestamp)
        let (civil, clock) = (time.civil, time.clock)
        func two(_ number: Int) -> String { padded(number, to: 2) }
        var text = "\(padded(civil.year, to: 4))-\(two(civil.month))-\(two(civil.day))"
        text += "T\(two(clock.hour)):\(two(clock.minute))"
        if clock.second != 0 || clock.microsecond != 0 { text += ":\(two(clock.second))" }
        if clock.microsecond != 0 { text += "." + padded(clock.microsecond, to: 6) }
        return text
    }

    /// Parses the same; a day alone means until its end.
    ///
    /// Nil for any other text, and for days that the calendar does not have.
    static func parse(_ text: Substring) -> Timestamp? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let day = day(parts[0]) else { return nil }
        guard parts.count == 2 else { return SeoulTime.startOfDay(day + 1) }
        let clock = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        let fields = clock[0].split(separator: ":", omittingEmptySubsequences: false)
            .map { number($0, digits: 2) }
        guard (2...3).contains(fields.count), let hour = fields[0], hour < 24,
            let minute = fields[1], minute < 60,
            let second = fields.count == 3 ? fields[2] : 0, second < 60,
            clock.count == 1 || clock.count == 2 && fields.count == 3,
            let fraction = clock.count == 2 ? number(clock[1], digits: 6) : 0
        else { return nil }
        let seconds = Int64(hour * 3_600 + minute * 60 + second)
        return SeoulTime.startOfDay(day)
            .advanced(by: .microseconds(seconds * 1_000_000 + Int64(fraction)))
    }

    private static func day(_ text: Substring) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], digits: 4), year >= 1970,
            let month = number(parts[1], digits: 2), (1...12).contains(month),
            let dayOfMonth = number(parts[2], digits: 2)
        else { return nil }
        let day = SeoulTime.day(year: year, month: month, day: dayOfMonth)
        let civil = SeoulTime(SeoulTime.startOfDay(day)).civil
        return civil == (year, month, dayOfMonth) ? day : nil
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        text.utf8.count == digits ? AlertDuration.digits(text).map(Int.init) : nil
    }

    private static func padded(_ number: Int, to digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
    }
}
