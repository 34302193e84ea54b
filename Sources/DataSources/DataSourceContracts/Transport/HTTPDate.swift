/// Parses the `Date` header of HTTP (IMF-fixdate; RFC 9110, section 5.6.7).
public enum HTTPDate: Sendable {
    /// Seconds since 1970-01-01 UTC of `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other text.
    public static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT",
            let day = Int(parts[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(parts[2])),
            let year = Int(parts[3]), (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        let days = days(year, month + 1, day)
        return Int64(days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2])
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Days since 1970-01-01, with years that start in March.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}
