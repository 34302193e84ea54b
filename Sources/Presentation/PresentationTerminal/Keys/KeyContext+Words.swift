extension KeyContext {
    /// What the place is called.
    public var summary: LocalizedText {
        switch self {
        case .list: LocalizedText(korean: "거래소", english: "the list")
        case .search: LocalizedText(korean: "검색란", english: "the search field")
        case .periods: LocalizedText(korean: "기간 메뉴", english: "the menu of periods")
        case .panel: LocalizedText(korean: "인기 순위 기준", english: "the rule of popularity")
        case .help: LocalizedText(korean: "도움말", english: "the help")
        case .book: LocalizedText(korean: "호가", english: "the order book")
        case .chart: LocalizedText(korean: "차트", english: "the chart")
        case .trades: LocalizedText(korean: "시세", english: "the trades")
        case .assets: LocalizedText(korean: "입출금", english: "the coins")
        case .assetSearch:
            LocalizedText(korean: "입출금 검색란", english: "the search field of the coins")
        case .portfolio: LocalizedText(korean: "보유자산", english: "the holdings")
        case .more: LocalizedText(korean: "더보기", english: "the page about hoga")
        case .form: LocalizedText(korean: "입력", english: "a form")
        case .question: LocalizedText(korean: "질문", english: "a question")
        case .saving: LocalizedText(korean: "저장 중", english: "a form being kept")
        }
    }
}
