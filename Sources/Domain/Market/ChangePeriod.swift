/// The period of a price change.
///
/// Turnover is always that of 24 hours.
public enum ChangePeriod: String, Sendable, Hashable, CaseIterable {
    /// 24시간: the rolling 24 hours.
    case hours24 = "24H"
    /// 어제대비: since the close of the previous Seoul day.
    case midnight = "MID"
    /// 12시간: the rolling 12 hours.
    case hours12 = "12H"
    /// 1시간: the rolling hour.
    case hour1 = "1H"
    /// 30분: the rolling half hour.
    case minutes30 = "30M"

    /// The length of a rolling window; nil for the calendar day.
    public var window: Duration? {
        switch self {
        case .hours24: .seconds(24 * 3_600)
        case .midnight: nil
        case .hours12: .seconds(12 * 3_600)
        case .hour1: .seconds(3_600)
        case .minutes30: .seconds(1_800)
        }
    }

    /// Whether the base is read to the minute while own minutes do not reach back far enough; the
    /// bases of longer windows then move in steps of ten minutes.
    public var isReadToTheMinute: Bool { window.map { $0 <= .seconds(3_600) } ?? false }
}
