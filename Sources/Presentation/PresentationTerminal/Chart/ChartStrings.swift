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
    static let bands = LocalizedText(ko: "볼린저", en: "BB")
    /// Beside candles whose page of the exchange has not arrived.
    static let partial = LocalizedText(ko: "일부 – 불러오는 중", en: "partial, loading")
    /// From which time on percentages count.
    static func since(_ time: String) -> LocalizedText {
        LocalizedText(ko: "\(time)부터", en: "since \(time)")
    }

    static let signal = LocalizedText(ko: "시그널", en: "signal")
    static let histogram = LocalizedText(ko: "차이", en: "histogram")
    static let indicators = LocalizedText(ko: "이동평균·지표", en: "Averages and indicators")
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

    /// The name of a row of the chooser.
    static func indicator(_ row: IndicatorRow) -> LocalizedText {
        switch row {
        case .average(let average):
            let window = average.window
            return average.kind == .simple
                ? LocalizedText(ko: "이동평균 \(window)", en: "SMA \(window)")
                : LocalizedText(ko: "지수이동평균 \(window)", en: "EMA \(window)")
        case .study(.bands):
            return LocalizedText(ko: "볼린저밴드 20, 2", en: "Bollinger bands 20, 2")
        case .study(.strength): return LocalizedText(ko: "RSI 14", en: "RSI 14")
        case .study(.convergence): return LocalizedText(ko: "MACD 12, 26, 9", en: "MACD 12, 26, 9")
        case .volume: return volume
        case .add: return LocalizedText(ko: "이동평균 추가…", en: "Add an average…")
        }
    }

    /// The panes that have no room.
    static func hidden(_ panes: [IndicatorRow], _ language: Language) -> String {
        let names = panes.map { pane in
            switch pane {
            case .study(.strength): "RSI"
            case .study(.convergence): "MACD"
            case .average, .study(.bands), .add, .volume: volume[language]
            }
        }
        return LocalizedText(ko: "자리 없음: ", en: "no room: ")[language]
            + names.joined(separator: ", ")
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
