import Domain
import ViewStates

/// The fixed words of the chart.
enum ChartStrings {
    static let open = LocalizedText(korean: "시", english: "O")
    static let high = LocalizedText(korean: "고", english: "H")
    static let low = LocalizedText(korean: "저", english: "L")
    static let close = LocalizedText(korean: "종", english: "C")
    static let volume = LocalizedText(korean: "거래량", english: "Vol")
    static let corrected = LocalizedText(korean: "정정", english: "corrected")
    static let average = LocalizedText(korean: "이평", english: "MA")
    static let noTrade = LocalizedText(korean: "체결 없음", english: "no trades")
    static let missing = LocalizedText(korean: "자료 유실", english: "data lost")

    private static let loading = LocalizedText(
        korean: "차트를 불러오는 중입니다",
        english: "Loading the chart"
    )
    private static let failed = LocalizedText(
        korean: "차트를 가져오지 못했습니다",
        english: "The chart could not be read"
    )
    private static let empty = LocalizedText(
        korean: "이 기간에는 체결이 없습니다",
        english: "No trades in this span"
    )
    private static let emptyTrades = LocalizedText(
        korean: "아직 체결이 없습니다",
        english: "No trades yet"
    )

    /// What stands in place of candles or trades.
    static func empty(_ phase: HealthViewState.Phase, isTicks: Bool) -> LocalizedText {
        switch phase {
        case .loading: loading
        case .failed: failed
        case .ready, .stale, .ended: isTicks ? emptyTrades : empty
        }
    }

    /// What the chart's columns are.
    static func interval(_ interval: CandleInterval) -> LocalizedText {
        switch interval {
        case .minute1: LocalizedText(korean: "1분", english: "1m")
        case .minutes3: LocalizedText(korean: "3분", english: "3m")
        case .minutes5: LocalizedText(korean: "5분", english: "5m")
        case .minutes10: LocalizedText(korean: "10분", english: "10m")
        case .minutes30: LocalizedText(korean: "30분", english: "30m")
        case .hour1: LocalizedText(korean: "1시간", english: "1h")
        case .hours6: LocalizedText(korean: "6시간", english: "6h")
        case .hours12: LocalizedText(korean: "12시간", english: "12h")
        case .day1: LocalizedText(korean: "일", english: "day")
        case .week1: LocalizedText(korean: "주", english: "week")
        case .month1: LocalizedText(korean: "월", english: "month")
        }
    }

    /// So many trades.
    static func trades(_ count: Int) -> LocalizedText {
        LocalizedText(korean: "체결 \(count)건", english: "\(count) trades")
    }
}
