/// How long a token opens something, as people write it: `90d`, `12h`, `never`.
public enum TokenLifetime: Sendable, Hashable {
    /// Until it is revoked.
    case endless
    /// So long.
    case limited(Duration)

    /// How long a token lives that was made without saying so.
    public static let standard = TokenLifetime.limited(.seconds(365 * secondsPerDay))
    /// The shortest life.
    public static let shortest = Duration.seconds(1)
    /// The longest life that has an end.
    public static let longest = Duration.seconds(3_650 * secondsPerDay)

    private static let secondsPerDay = 86_400
    /// The units and how many seconds they have.
    private static let units: [String: Int] = [
        "s": 1, "m": 60, "h": 3_600, "d": secondsPerDay,
    ]

    /// Reads a lifetime: `never`, or a whole number and a unit of `s`, `m`, `h` and `d`.
    ///
    /// - Returns: nil for any other text, and for a life that is too short or too long.
    public init?(_ text: String) {
        if text == "never" {
            self = .endless
            return
        }
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = Int(String(Substring(digits))),
            let unit = Self.units[String(text.dropFirst(digits.count))]
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        let duration = Duration.seconds(seconds)
        guard !overflow, duration >= Self.shortest, duration <= Self.longest else { return nil }
        self = .limited(duration)
    }

    /// When a token ends that is made at a moment; nil for never.
    public func end(from start: Timestamp) -> Timestamp? {
        switch self {
        case .endless: nil
        case .limited(let duration): start.advanced(by: duration)
        }
    }
}
