import Domain
import FoundationEssentials
import ViewStates
import Synchronization

/// How the clock of a service stands against the local one, from the `Date` of its answers.
///
/// Times in documents are the service's: without this a terminal whose clock is wrong would take
/// fresh data for old. A difference of few seconds is none: `Date` has no fractions, and answers
/// take time.
final class RemoteClockOffset: Sendable {
    /// A smaller difference is left alone.
    static let toleranceSeconds: Int64 = 3

    private let offset = Mutex(Duration.zero)

    /// The service's time.
    func time(at local: Timestamp) -> Timestamp { local.advanced(by: offset.withLock { $0 }) }

    /// Takes a `Date` that was just received; one that cannot be read changes nothing.
    func take(_ text: String, at local: Timestamp) {
        guard let date = Self.timestamp(text) else { return }
        let difference = date.second - local.second
        let isSmall = abs(difference) <= Self.toleranceSeconds
        offset.withLock { $0 = isSmall ? .zero : .seconds(difference) }
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    static func timestamp(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let iso = "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])+00:00"
        return TimeText.timestamp(iso8601: iso)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
