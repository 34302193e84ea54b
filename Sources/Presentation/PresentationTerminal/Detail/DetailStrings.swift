import Domain
import ViewStates

/// Texts of the market detail.
enum DetailStrings {
    static let ask = LocalizedText(ko: "매도", en: "Ask")
    static let bid = LocalizedText(ko: "매수", en: "Bid")
    static let bestAsk = LocalizedText(ko: "최우선 매도", en: "Best ask")
    static let bestBid = LocalizedText(ko: "최우선 매수", en: "Best bid")
    static let spread = LocalizedText(ko: "호가차", en: "spread")
    static let middle = LocalizedText(ko: "중간", en: "mid")
    /// The mean of the spread over so many known minutes.
    static func spreadMean(minutes: Int) -> LocalizedText {
        minutes < SpreadHistory.minutesKept
            ? LocalizedText(ko: "\(minutes)분 평균", en: "\(minutes)m mean")
            : LocalizedText(ko: "1시간 평균", en: "1h mean")
    }
    /// The unit of the spread.
    static let basisPointsLegend = LocalizedText(ko: "호가차, 중간가의 0.01%", en: "0.01% of the mid")
    /// The name of the depth curve.
    static let cumulative = LocalizedText(ko: "누적잔량", en: "depth")
    /// Follows the name of a side: `매수잔량`, `Bid total`.
    static let totalSuffix = LocalizedText(ko: "잔량", en: " total")
    /// The quantity at one price of the book.
    static let levelQuantity = LocalizedText(ko: "잔량", en: "quantity")
    static let group = LocalizedText(ko: "모아보기", en: "group")
    static let crossed = LocalizedText(ko: "!호가 역전", en: "!crossed")
    static let corrections = LocalizedText(ko: "보정", en: "corrected")
    static let strength = LocalizedText(ko: "체결강도", en: "Strength")

    static let today = LocalizedText(ko: "당일", en: "today")
    static let rolling = LocalizedText(ko: "24시간", en: "24h")
    static let open = LocalizedText(ko: "시가", en: "open")
    static let high = LocalizedText(ko: "고가", en: "high")
    static let low = LocalizedText(ko: "저가", en: "low")
    static let previousClose = LocalizedText(ko: "전일종가", en: "prev. close")
    static let previousCloseShort = LocalizedText(ko: "전일", en: "prev.")
    /// The base of the percentages beside a book's prices, longest first.
    static let levelBase = [
        LocalizedText(ko: "% 전일대비", en: "% vs prev. close"),
        LocalizedText(ko: "% 전일", en: "% vs prev."),
    ]
    static let volume = LocalizedText(ko: "거래량", en: "volume")
    static let tradeValue = LocalizedText(ko: "거래금액", en: "value")
    static let changeAmount = LocalizedText(ko: "변동금액", en: "change")
    static let changeRate = LocalizedText(ko: "변동률", en: "rate")

    static let time = LocalizedText(ko: "시간", en: "Time")
    static let side = LocalizedText(ko: "구분", en: "Side")
    static let price = LocalizedText(ko: "가격", en: "Price")
    static let quantity = LocalizedText(ko: "체결량", en: "Quantity")
    static let amount = LocalizedText(ko: "체결금액", en: "Amount")
    static let buy = LocalizedText(ko: "매수", en: "buy")
    static let sell = LocalizedText(ko: "매도", en: "sell")

    static let date = LocalizedText(ko: "날짜", en: "Date")
    static let close = LocalizedText(ko: "종가", en: "Close")
    static let change = LocalizedText(ko: "변동", en: "Change")
    static let rate = LocalizedText(ko: "변동률", en: "Rate")
    static let dayVolume = LocalizedText(ko: "거래량", en: "Volume")

    static let trades = LocalizedText(ko: "체결", en: "trades")
    static let days = LocalizedText(ko: "일별", en: "daily")
    static let ticks = LocalizedText(ko: "틱", en: "ticks")
    static let lost = LocalizedText(ko: "!누락", en: "!lost")
    static let repaired = LocalizedText(ko: "복구", en: "repaired")
    static let notRepaired = LocalizedText(ko: "!복구 불가", en: "!not repaired")
    static func repairFailure(_ failure: RepairViewState.Failure) -> LocalizedText {
        switch failure {
        case .onePage: LocalizedText(ko: "최근 체결만 제공됨", en: "only newest trades served")
        case .tooLong: LocalizedText(ko: "공백이 너무 김", en: "gap too long")
        case .notServed: LocalizedText(ko: "거래소가 제공하지 않음", en: "not served by the exchange")
        case .unreadable: LocalizedText(ko: "읽을 수 없는 데이터", en: "unreadable data")
        }
    }

    static let loading = LocalizedText(ko: "불러오는 중입니다", en: "Loading")
    static let failed = LocalizedText(ko: "가져오지 못했습니다", en: "Could not load")
    static let noBook = LocalizedText(ko: "호가가 없습니다", en: "No orders")
    static let noTrades = LocalizedText(ko: "체결이 없습니다", en: "No trades")
    static let noDays = LocalizedText(ko: "일별 시세가 없습니다", en: "No daily prices")

    static func pane(_ pane: DetailPane) -> LocalizedText {
        switch pane {
        case .book: LocalizedText(ko: "호가", en: "Book")
        case .chart: LocalizedText(ko: "차트", en: "Chart")
        case .trades: LocalizedText(ko: "시세", en: "Trades")
        }
    }

    /// The number of trades since the user scrolled away; `+` marks a lower bound.
    static func newTrades(_ count: Int, isCounted: Bool) -> LocalizedText {
        let number = "\(count)" + (isCounted ? "" : "+")
        return LocalizedText(ko: "새 체결 \(number)", en: "\(number) new")
    }

    /// The number of levels: one number if both sides are equal, else asks before bids.
    static func depth(asks: Int, bids: Int) -> LocalizedText {
        let count = asks == bids ? "\(asks)" : "\(asks)/\(bids)"
        let unit = asks == 1 && bids == 1 ? "level" : "levels"
        return LocalizedText(ko: "\(count)호가", en: "\(count) \(unit)")
    }

    /// When levels beyond those that are streamed were read.
    static func deepLevels(at time: String) -> LocalizedText {
        LocalizedText(
            ko: "\(OrderBookSnapshot.bestLevelsMax + 1)호가부터 \(time)",
            en: "from level \(OrderBookSnapshot.bestLevelsMax + 1) as of \(time)"
        )
    }

    /// Whether the coin can be deposited and withdrawn, with a mark that needs no color; nil if
    /// unknown.
    static func transfers(_ header: DetailHeaderViewState) -> LocalizedText? {
        switch (header.deposit, header.withdrawal) {
        case (.normal, .normal): LocalizedText(ko: "● 입출금 가능", en: "● transfers open")
        case (.suspended, .suspended): LocalizedText(ko: "○ 입출금 중단", en: "○ no transfers")
        case (.suspended, .normal), (.suspended, nil):
            LocalizedText(ko: "○ 입금 중단", en: "○ no deposits")
        case (.normal, .suspended), (nil, .suspended):
            LocalizedText(ko: "○ 출금 중단", en: "○ no withdrawals")
        case (.normal, nil), (nil, .normal), (nil, nil): nil
        }
    }
}
