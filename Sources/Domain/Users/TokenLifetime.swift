/// The lifetime of a token, written `90d`, `12h` or `never`.
public enum TokenLifetime: Sendable, Hashable {
    /// Valid until it is revoked.
    case endless
    /// Valid for a duration.
    case limited(Duration)

    /// The default lifetime: a year.
    public static let standard = TokenLifetime.limited(.seconds(365 * secondsPerDay))
    /// The shortest lifetime.
    public static let shortest = Duration.seconds(1)
    /// The longest limited lifetime: ten years.
    public static let longest = Duration.seconds(3_650 * secondsPerDay)

    private static let secondsPerDay = 86_400
    /// The seconds of each unit.
    private static let units: [String: Int] = [
        "s": 1, "m": 60, "h": 3_600, "d": secondsPerDay,
    ]

    /// Parses `never`, or a whole number with the unit `s`, `m`, `h` or `d`.
    ///
    /// - Returns: nil for any other text, and for a lifetime out of range.
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

    /// The expiry of a token that is made at `start`; nil for never.
    public func end(from start: Timestamp) -> Timestamp? {
        switch self {
        case .endless: nil
        case .limited(let duration): start.advanced(by: duration)
        }
    }
}
