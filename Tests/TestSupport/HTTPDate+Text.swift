public import DataSourceContracts
import Foundation

extension HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT` of Unix seconds.
    public static func text(_ second: Int64) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.weekday, .day, .month, .year, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: Double(second))
        )
        func two(_ number: Int?) -> String { String((100 + (number ?? 0)).description.dropFirst()) }
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][(parts.weekday ?? 1) - 1]
        let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
        let month = months[(parts.month ?? 1) - 1]
        let time = [parts.hour, parts.minute, parts.second].map(two).joined(separator: ":")
        return "\(day), \(two(parts.day)) \(month) \(parts.year ?? 0) \(time) GMT"
    }
}
