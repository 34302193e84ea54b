extension CandleInterval {
    /// How long candles are kept in a store; nil for ever.
    ///
    /// Minutes are many, and of old days nobody asks for them: a minute's candles of all markets
    /// are 700,000 rows a day.
    public var retentionPeriod: Duration? {
        let day: Duration = .seconds(86_400)
        return switch self {
        case .minute1: day * 30
        case .minutes3, .minutes5, .minutes10, .minutes30: day * 180
        case .hour1, .hours6, .hours12, .day1, .week1, .month1: nil
        }
    }
}
