import Domain
import ViewStates

/// Texts of the chart.
enum ChartStrings {
    static let open = LocalizedText(ko: "시", en: "O")
    static let high = LocalizedText(ko: "고", en: "H")
    static let low = LocalizedText(ko: "저", en: "L")
    static let close = LocalizedText(ko: "종", en: "C")
    static let volume = LocalizedText(ko: "거래량", en: "Vol")
    static let corrected = LocalizedText(ko: "정정", en: "corrected")
    static let average = LocalizedText(ko: "이평", en: "MA")
    static let noTrade = LocalizedText(ko: "체결 없음", en: "no trades")
    static let maintenance = LocalizedText(ko: "거래소 점검", en: "exchange maintenance")
    static let missing = LocalizedText(ko: "데이터 공백", en: "no data")

    private static let loading = LocalizedText(
        ko: "차트를 불러오는 중입니다",
        en: "Loading the chart"
    )
    private static let failed = LocalizedText(
        ko: "차트를 가져오지 못했습니다",
        en: "Could not load the chart"
    )
    private static let empty = LocalizedText(
        ko: "이 기간에는 체결이 없습니다",
        en: "No trades in this period"
    )
    private static let emptyTrades = LocalizedText(
        ko: "아직 체결이 없습니다",
        en: "No trades yet"
    )

    /// Past candles that cannot be read.
    static let unservedPast = LocalizedText(
        ko: "과거 캔들을 불러올 수 없습니다",
        en: "Past candles are not available"
    )

    /// How many past candles were read.
    static func past(_ known: Int, of count: Int) -> LocalizedText {
        LocalizedText(
            ko: "과거 캔들 불러오는 중 \(known)/\(count)",
            en: "Loading past candles \(known)/\(count)"
        )
    }

    /// The text shown in place of candles or trades.
    static func empty(_ phase: HealthViewState.Phase, isTicks: Bool) -> LocalizedText {
        switch phase {
        case .loading: loading
        case .failed: failed
        case .ready, .stale, .ended: isTicks ? emptyTrades : empty
        }
    }

    /// The name of a candle interval.
    static func interval(_ interval: CandleInterval) -> LocalizedText {
        switch interval {
        case .minute1: LocalizedText(ko: "1분", en: "1m")
        case .minutes3: LocalizedText(ko: "3분", en: "3m")
        case .minutes5: LocalizedText(ko: "5분", en: "5m")
        case .minutes10: LocalizedText(ko: "10분", en: "10m")
        case .minutes30: LocalizedText(ko: "30분", en: "30m")
        case .hour1: LocalizedText(ko: "1시간", en: "1h")
        case .hours6: LocalizedText(ko: "6시간", en: "6h")
        case .hours12: LocalizedText(ko: "12시간", en: "12h")
        case .day1: LocalizedText(ko: "일", en: "day")
        case .week1: LocalizedText(ko: "주", en: "week")
        case .month1: LocalizedText(ko: "월", en: "month")
        }
    }

    /// The number of trades.
    static func trades(_ count: Int) -> LocalizedText {
        LocalizedText(ko: "체결 \(count)건", en: "\(count) trades")
    }
}
