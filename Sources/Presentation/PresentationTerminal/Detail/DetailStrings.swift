import Domain
import ViewStates

/// The fixed words of a detail.
enum DetailStrings {
    static let ask = LocalizedText(korean: "매도", english: "Ask")
    static let bid = LocalizedText(korean: "매수", english: "Bid")
    static let bestAsk = LocalizedText(korean: "매도 최저가", english: "Best ask")
    static let bestBid = LocalizedText(korean: "매수 최고가", english: "Best bid")
    static let spread = LocalizedText(korean: "호가차", english: "spread")
    static let middle = LocalizedText(korean: "중간", english: "mid")
    static let total = LocalizedText(korean: "잔량", english: "total")
    /// Of one level of the book.
    static let levelQuantity = LocalizedText(korean: "잔량", english: "quantity")
    static let group = LocalizedText(korean: "모아보기", english: "step")
    static let crossed = LocalizedText(korean: "!교차", english: "!crossed")
    static let heals = LocalizedText(korean: "보정", english: "mended")
    static let strength = LocalizedText(korean: "체결강도", english: "Strength")

    static let today = LocalizedText(korean: "당일", english: "today")
    static let rolling = LocalizedText(korean: "24시간", english: "24h")
    static let open = LocalizedText(korean: "시가", english: "open")
    static let high = LocalizedText(korean: "고가", english: "high")
    static let low = LocalizedText(korean: "저가", english: "low")
    static let previousClose = LocalizedText(korean: "전일종가", english: "prev. close")
    static let previousCloseShort = LocalizedText(korean: "전일", english: "prev.")
    static let volume = LocalizedText(korean: "거래량", english: "volume")
    static let tradeValue = LocalizedText(korean: "거래금", english: "value")
    static let changeAmount = LocalizedText(korean: "변동금", english: "change")
    static let changeRate = LocalizedText(korean: "변동률", english: "rate")

    static let time = LocalizedText(korean: "시간", english: "Time")
    static let side = LocalizedText(korean: "구분", english: "Side")
    static let price = LocalizedText(korean: "가격", english: "Price")
    static let quantity = LocalizedText(korean: "체결량", english: "Quantity")
    static let amount = LocalizedText(korean: "체결금액", english: "Amount")
    static let buy = LocalizedText(korean: "매수", english: "buy")
    static let sell = LocalizedText(korean: "매도", english: "sell")

    static let date = LocalizedText(korean: "날짜", english: "Date")
    static let close = LocalizedText(korean: "종가", english: "Close")
    static let change = LocalizedText(korean: "변동", english: "Change")
    static let rate = LocalizedText(korean: "변동률", english: "Rate")
    static let dayVolume = LocalizedText(korean: "거래량", english: "Volume")

    static let trades = LocalizedText(korean: "체결", english: "trades")
    static let days = LocalizedText(korean: "일별", english: "days")
    static let ticks = LocalizedText(korean: "틱", english: "ticks")
    static let lost = LocalizedText(korean: "!누락", english: "!lost")

    static let loading = LocalizedText(korean: "불러오는 중입니다", english: "Loading")
    static let failed = LocalizedText(korean: "가져오지 못했습니다", english: "Could not be read")
    static let noBook = LocalizedText(korean: "호가가 없습니다", english: "No orders")
    static let noTrades = LocalizedText(korean: "체결이 없습니다", english: "No trades")
    static let noDays = LocalizedText(korean: "일별 시세가 없습니다", english: "No days")

    static func pane(_ pane: DetailPane) -> LocalizedText {
        switch pane {
        case .book: LocalizedText(korean: "호가", english: "Book")
        case .chart: LocalizedText(korean: "차트", english: "Chart")
        case .trades: LocalizedText(korean: "시세", english: "Trades")
        }
    }

    /// How many trades came while the user looked at older ones.
    static func newTrades(_ count: Int, isCounted: Bool, _ language: Language) -> String {
        let number = "\(count)" + (isCounted ? "" : "+")
        switch language {
        case .korean: return "새 체결 \(number)"
        case .english: return "\(number) new"
        }
    }

    /// How many levels each side has; one number if they have as many, else asks before bids.
    static func depth(asks: Int, bids: Int, _ language: Language) -> String {
        let count = asks == bids ? "\(asks)" : "\(asks)/\(bids)"
        switch language {
        case .korean: return count + "호가"
        case .english: return count + (asks == 1 && bids == 1 ? " level" : " levels")
        }
    }

    /// Whether the coin can be deposited and withdrawn, with a mark that needs no colour; nil if
    /// that is not known.
    static func transfers(_ header: DetailHeaderViewState, _ language: Language) -> String? {
        let isKorean = language == .korean
        switch (header.deposit, header.withdrawal) {
        case (.normal, .normal): return isKorean ? "● 입출금 가능" : "● transfers open"
        case (.suspended, .suspended): return isKorean ? "○ 입출금 중단" : "○ no transfers"
        case (.suspended, .normal), (.suspended, nil):
            return isKorean ? "○ 입금 중단" : "○ no deposits"
        case (.normal, .suspended), (nil, .suspended):
            return isKorean ? "○ 출금 중단" : "○ no withdrawals"
        case (.normal, nil), (nil, .normal), (nil, nil): return nil
        }
    }
}
