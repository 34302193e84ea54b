/// How long a candle's bucket of time is.
///
/// Buckets lie on the calendar of Asia/Seoul: days start at 00:00, weeks on Monday, months on the
/// 1st. Six and twelve hours are counted from the start of the day.
public enum CandleInterval: String, Sendable, Hashable, CaseIterable {
    /// One minute.
    case minute1 = "1m"
    /// Three minutes.
    case minutes3 = "3m"
    /// Five minutes.
    case minutes5 = "5m"
    /// Ten minutes.
    case minutes10 = "10m"
    /// Half an hour.
    case minutes30 = "30m"
    /// One hour.
    case hour1 = "1h"
    /// Six hours.
    case hours6 = "6h"
    /// Twelve hours.
    case hours12 = "12h"
    /// A day of the Seoul calendar.
    case day1 = "24h"
    /// A week from Monday on; the exchange serves none, so it is built from days.
    case week1 = "1w"
    /// A month; the exchange serves none, so it is built from days.
    case month1 = "1mo"

    /// The interval that the exchange serves and this one is built from.
    public var served: CandleInterval {
        switch self {
        case .week1, .month1: .day1
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12,
            .day1:
            self
        }
    }
}
