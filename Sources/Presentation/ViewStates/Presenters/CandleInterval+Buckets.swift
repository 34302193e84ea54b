import Domain

extension CandleInterval {
    func bucketStart(of time: Timestamp) -> Timestamp {
        let seoul = SeoulTime(time)
        let start = SeoulTime.startOfDay(seoul.day)
        let micros: Int64
        switch self {
        case .minute1: micros = 60_000_000
        case .minutes3: micros = 180_000_000
        case .minutes5: micros = 300_000_000
        case .minutes10: micros = 600_000_000
        case .minutes30: micros = 1_800_000_000
        case .hour1: micros = 3_600_000_000
        case .hours6: micros = 21_600_000_000
        case .hours12: micros = 43_200_000_000
        case .day1: return start
        case .week1: return SeoulTime.startOfDay(seoul.day - (seoul.day + 3) % 7)
        case .month1: return SeoulTime.startOfDay(seoul.day - seoul.civil.day + 1)
        }
        return Timestamp(
            microseconds: start.microseconds + seoul.microsecondOfDay / micros * micros
        )
    }

    func bucketEnd(from start: Timestamp) -> Timestamp {
        switch self {
        case .minute1: start.advanced(by: .seconds(60))
        case .minutes3: start.advanced(by: .seconds(180))
        case .minutes5: start.advanced(by: .seconds(300))
        case .minutes10: start.advanced(by: .seconds(600))
        case .minutes30: start.advanced(by: .seconds(1_800))
        case .hour1: start.advanced(by: .seconds(3_600))
        case .hours6: start.advanced(by: .seconds(21_600))
        case .hours12: start.advanced(by: .seconds(43_200))
        case .day1: start.advanced(by: .seconds(86_400))
        case .week1: start.advanced(by: .seconds(604_800))
        case .month1: bucketStart(of: start.advanced(by: .seconds(86_400 * 31)))
        }
    }
}
