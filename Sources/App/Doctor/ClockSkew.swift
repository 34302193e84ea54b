import DataSourceContracts
import Domain

/// The difference between this machine's clock and the exchange's, by the `Date` of an answer.
enum ClockSkew {
    /// The tolerated difference; `Date` has a resolution of one second.
    static let unnoticed: Duration = .seconds(2)
    /// The difference from which nothing but the exchange's own dates keeps hoga's times right.
    static let harmful: Duration = .seconds(60)

    /// Compares the clocks by one answer.
    ///
    /// - Parameters:
    ///   - date: the `Date` header; nil without one.
    ///   - sent: the time of the request on this machine's clock.
    ///   - received: the time of the answer.
    /// - Returns: a line of the report.
    static func finding(
        date: String?,
        sent: Timestamp,
        received: Timestamp
    ) -> DoctorFinding {
        guard let seconds = date.flatMap({ HTTPDate.seconds($0) }) else {
            return .warn(
                "the answer has no readable date",
                "check this machine's clock: timedatectl status"
            )
        }
        let told = Timestamp(microseconds: seconds * 1_000_000)
        // A date of whole seconds is half a second too early on average.
        let middle = sent.advanced(by: received.duration(since: sent) / 2)
        let skew = middle.duration(since: told.advanced(by: .milliseconds(500)))
        let words = "\(skew < .zero ? "-" : "+")\(abs(skew.wholeMilliseconds)) ms"
        let remedy = "synchronize the clock: timedatectl set-ntp true"
        let size = skew < .zero ? .zero - skew : skew
        if size <= unnoticed { return .ok("clock within \(unnoticed.wholeMilliseconds) ms") }
        if size < harmful { return .warn("clock off by \(words)", remedy) }
        return .fail("clock off by \(words)", remedy)
    }
}
