/// Parses durations: a whole number and a unit.
enum DurationText {
    private static let units: [String: Duration] = [
        "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "h": .seconds(3_600),
    ]
    /// The largest number before a unit.
    private static let numberMax = 1_000_000_000

    /// Reads `250ms`, `90s`, `15m` or `24h`; nil for any other text.
    static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number <= numberMax,
            let unit = units[String(text.dropFirst(digits.count))]
        else { return nil }
        return unit * number
    }
}
