import Domain

/// The difference between this machine's clock and the exchange's, by the `Date` of an answer.
enum ClockSkew {
    /// The tolerated difference; `Date` has a resolution of one second.
    static let unnoticed: Duration = .seconds(2)
    /// The difference from which hoga rejects the exchange's timestamps.
    static let harmful: Duration = .seconds(60)

    /// Compares the clocks by one answer.
    ///
    /// - Parameters:
    ///   - date: the `Date` header; nil without one.
    ///   - sent: the time of the request on this machine's clock.
    ///   - received: the time of the answer.
    static func finding(
        date: String?,
        sent: Timestamp,
        received: Timestamp
    ) -> DoctorFinding {
        guard let date, let told = time(date) else {
            return .warn(
                "the answer has no readable date",
                "check this machine's clock: timedatectl status"
            )
        }
        // A date of whole seconds is half a second too early on average.
        let middle = sent.advanced(by: received.duration(since: sent) / 2)
        let skew = middle.duration(since: told.advanced(by: .milliseconds(500)))
        let words = "\(skew < .zero ? "-" : "+")\(abs(skew.wholeMilliseconds)) ms"
        let remedy = "synchronise the clock: timedatectl set-ntp true"
        let size = skew < .zero ? .zero - skew : skew
        if size <= unnoticed { return .ok("clock within \(unnoticed.wholeMilliseconds) ms") }
        if size < harmful { return .warn("clock off by \(words)", remedy) }
        return .fail("clock off by \(words)", remedy)
    }

    /// Reads `Sat, 21 Nov 2026 02:21:56 GMT`; nil for anything else.
    ///
    /// Source: RFC 9110, section 5.6.7.
    static func time(_ text: String) -> Timestamp? {
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
        let seconds = days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
        return Timestamp(microseconds: Int64(seconds) * 1_000_000)
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
