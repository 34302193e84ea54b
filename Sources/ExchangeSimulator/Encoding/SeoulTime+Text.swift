import Domain

extension SeoulTime {
    /// `2026-11-20`.
    var date: String { date(separator: "-") }

    /// `20261120`.
    var compactDate: String { date(separator: "") }

    /// `09:03:07`.
    var clockTime: String { clock(separator: ":") }

    /// `090307`.
    var compactClock: String { clock(separator: "") }

    private func date(separator: String) -> String {
        let civil = civil
        return [
            Self.padded(civil.year, 4), Self.padded(civil.month, 2), Self.padded(civil.day, 2),
        ].joined(separator: separator)
    }

    private func clock(separator: String) -> String {
        let clock = clock
        return [clock.hour, clock.minute, clock.second].map { Self.padded($0, 2) }
            .joined(separator: separator)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
