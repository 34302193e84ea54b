/// The text of a progress line.
struct ProgressText: Sendable, Equatable {
    /// The phase of the work, such as `reading candles`.
    var phase: String
    /// The completed amount.
    var done = 0
    /// The total amount; nil if unknown.
    var total: Int?
    /// The unit of the amounts, such as `rows`.
    var unit = "rows"

    /// The line of a command after a phase's elapsed time, at most 79 columns.
    func line(_ subject: String, elapsed: Duration) -> String {
        let seconds = elapsed.components.seconds
        var parts = ["\(subject): \(phase)"]
        if let total, total > 0 {
            parts.append("\(Self.grouped(done))/\(Self.grouped(total)) \(unit)")
            parts.append("\(min(done, total) * 100 / total)%")
        } else if done > 0 {
            parts.append("\(Self.grouped(done)) \(unit)")
        }
        parts.append("\(seconds) s")
        let tenths = seconds * 10 + elapsed.components.attoseconds / 100_000_000_000_000_000
        // A rate of the first half second is meaningless.
        if done > 0, tenths >= 5 {
            parts.append("\(Self.grouped(done * 10 / Int(tenths))) \(unit)/s")
        }
        return String(parts.joined(separator: "  ").prefix(79))
    }

    /// `43,200`.
    private static func grouped(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
