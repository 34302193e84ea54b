import Domain
import ViewStates

/// The fixed words of the list screen.
enum MarketListStrings {
    static let program = "hoga"
    static let market = LocalizedText(korean: "거래소", english: "market")

    static let name = LocalizedText(korean: "자산명", english: "Name")
    static let pair = LocalizedText(korean: "마켓", english: "Market")
    static let price = LocalizedText(korean: "현재가", english: "Price")
    static let wonPrice = LocalizedText(korean: "원화가", english: "In won")
    static let rate = LocalizedText(korean: "변동률", english: "Change")
    static let amount = LocalizedText(korean: "변동금액", english: "Amount")
    static let tradeValue = LocalizedText(korean: "거래금액", english: "Value")
    static let millions = LocalizedText(korean: "(백만)", english: "(M)")
    static let rank = LocalizedText(korean: "순위", english: "#")
    static let otherName = LocalizedText(korean: "영문명", english: "Korean")

    static let change = LocalizedText(korean: "변동", english: "change")
    static let sort = LocalizedText(korean: "정렬", english: "sort")

    /// Why a key did nothing; longest first.
    static func notice(_ notice: ScreenNotice, _ language: Language) -> [String] {
        let isKorean = language == .korean
        switch notice {
        case .searchHidesFavorites:
            return [isKorean ? "검색 중에는 순서를 바꾸지 않습니다" : "not moved while a search is in force"]
        case .favoritesUnseen:
            return [
                isKorean ? "관심 순서가 보일 때만 바꿉니다" : "not moved: the order is not seen here"
            ]
        case .unlisted:
            return [
                isKorean
                    ? "목록을 아직 읽지 못해 고른 자산이 없습니다" : "the list is not there yet: no market is marked",
                isKorean ? "목록을 아직 읽지 못함" : "the list is not there yet",
            ]
        case .notOfCash:
            return [
                isKorean
                    ? "현금은 열거나 지울 수 없습니다" : "cash has no market, and is not deleted"
            ]
        case .noMarket(let asset):
            return [
                isKorean
                    ? "\(asset.symbol): 열 수 있는 마켓이 없습니다" : "\(asset.symbol) has no market to open"
            ]
        case .unread:
            return [isKorean ? "아직 읽지 못해 바꿀 수 없습니다" : "not read yet: nothing can be changed"]
        case .noToken:
            return [StoreStrings.withoutToken[language], StoreStrings.tokenSettings[language]]
        case .closed:
            return [
                StoreStrings.closed[language],
                isKorean ? "새 토큰을 받으세요: hoga user token new" : "a new token: hoga user token new",
            ]
        case .readingOnly:
            return [
                StoreStrings.readingOnly[language],
                isKorean ? "읽기 전용 토큰" : "the token may only read",
            ]
        }
    }

    /// That keys wait for the data that they are about.
    static let ahead = LocalizedText(
        korean: "데이터가 오면 실행합니다",
        english: "done as soon as the data are there"
    )
    /// The same in the fewest words.
    static let aheadShort = LocalizedText(korean: "데이터 대기", english: "waits for data")
    static let takeBack = LocalizedText(korean: "취소", english: "take back")

    static let suspended = LocalizedText(korean: "거래중단", english: "halted")
    static let warning = LocalizedText(korean: "유의", english: "!caution")
    static let alert = LocalizedText(korean: "경보", english: "!alert")
    static let warningMark = LocalizedText(korean: "유", english: "!caution")
    static let alertMark = LocalizedText(korean: "경", english: "!alert")
    static let ownOrder = LocalizedText(korean: "내 순서", english: "own order")
    /// What is shown was kept and is not live; the same word in both languages.
    static let offline = "OFFLINE"
    static let star = "★"
    static let noStar = "☆"
    static let retry = LocalizedText(korean: "재시도", english: "retry")

    static let delete = LocalizedText(korean: "지우기", english: "delete")
    static let clearSearch = LocalizedText(korean: "검색 지우기", english: "clear the search")
    static let starHint = LocalizedText(
        korean: "다른 탭에서 관심에 담기",
        english: "stars a market of another tab"
    )
    static let anotherTab = LocalizedText(korean: "다른 탭", english: "another tab")

    static let quit = LocalizedText(korean: "종료", english: "quit")
    static let live = LocalizedText(korean: "실시간", english: "live")
    static let loading = LocalizedText(korean: "불러오는 중", english: "loading")
    /// Not the word for data that were kept, which is `offline`.
    static let disconnected = LocalizedText(korean: "끊김", english: "cut off")
    static let failed = LocalizedText(korean: "오류", english: "error")
    static let ended = LocalizedText(korean: "재생 끝", english: "replay ended")

    static let helpTitle = LocalizedText(korean: "도움말", english: "Keys")
    static let periodTitle = LocalizedText(korean: "변동률 기간", english: "Period of change")
    static let periodNote = LocalizedText(
        korean: "거래금액은 늘 24시간 기준",
        english: "Trade value stays that of 24 hours"
    )
    static let ruleTitle = LocalizedText(korean: "인기 순위 기준", english: "Rule of popularity")
    static let rule = LocalizedText(
        korean: "최근 24시간 거래금액이 큰 순서입니다. BTC 마켓의 거래금액은 비트코인의 원화 시세로 환산해 함께 비교합니다.",
        english: """
            By the trade value of the last 24 hours, largest first. Values of BTC markets count in \
            won at the present price of bitcoin.
            """
    )

    /// What the list says in place of rows, and the key that helps.
    static func empty(_ reason: MarketListViewState.EmptyReason?) -> LocalizedText {
        switch reason {
        case .loading:
            LocalizedText(korean: "시세를 불러오는 중입니다", english: "Loading the markets")
        case .noMatch:
            LocalizedText(korean: "일치하는 자산이 없습니다", english: "Nothing matches the search")
        case .error:
            LocalizedText(korean: "시세를 가져오지 못했습니다", english: "The markets could not be read")
        case .noFavorites:
            LocalizedText(korean: "관심 자산이 없습니다", english: "Nothing is starred yet")
        case nil:
            LocalizedText(korean: "표시할 자산이 없습니다", english: "There is nothing to show")
        }
    }

    static func tab(_ tab: MarketListTab) -> LocalizedText {
        switch tab {
        case .krw: LocalizedText(korean: "원화", english: "KRW")
        case .btc: LocalizedText(korean: "BTC", english: "BTC")
        case .popular: LocalizedText(korean: "인기", english: "Popular")
        case .favorites: LocalizedText(korean: "관심", english: "Starred")
        }
    }

    static func period(_ period: ChangePeriod) -> LocalizedText {
        switch period {
        case .hours24: LocalizedText(korean: "24시간", english: "24h")
        case .midnight: LocalizedText(korean: "어제대비", english: "day")
        case .hours12: LocalizedText(korean: "12시간", english: "12h")
        case .hour1: LocalizedText(korean: "1시간", english: "1h")
        case .minutes30: LocalizedText(korean: "30분", english: "30m")
        }
    }

    static func sortKey(_ key: MarketSortKey) -> LocalizedText {
        switch key {
        case .popularity: LocalizedText(korean: "인기", english: "popularity")
        case .name: LocalizedText(korean: "이름", english: "name")
        case .price: LocalizedText(korean: "현재가", english: "price")
        case .changeRate: LocalizedText(korean: "변동률", english: "change")
        case .tradeValue: LocalizedText(korean: "거래금액", english: "value")
        }
    }

    static func arrow(_ direction: SortDirection) -> String {
        direction == .ascending ? "▲" : "▼"
    }

    /// What stands behind the data, longest first.
    ///
    /// What is not the exchange itself is in brackets.
    static func feed(_ feed: FeedLabel, _ language: Language) -> [String] {
        switch (feed, language) {
        case (.live, .korean): ["빗썸 실시간", "빗썸"]
        case (.live, .english): ["Bithumb live", "Bithumb"]
        case (.simulated, .korean): ["[모의 SIMULATED]", "[모의]"]
        case (.simulated, .english): ["[SIMULATED]"]
        case (.replay, .korean): ["[재생 REPLAY]", "[재생]"]
        case (.replay, .english): ["[REPLAY]"]
        }
    }

    /// How long something has been waited for, in the largest unit that says enough.
    static func behind(_ age: Duration, _ language: Language) -> String {
        let seconds = max(age.components.seconds, 0)
        let (count, korean, english): (Int64, String, String) =
            switch seconds {
            case ..<600: (seconds, "초", "s")
            case ..<7_200: (seconds / 60, "분", "min")
            case ..<172_800: (seconds / 3_600, "시간", "h")
            default: (seconds / 86_400, "일", "d")
            }
        switch language {
        case .korean: return "지연 \(count)\(korean)"
        case .english: return "\(count)\(english) behind"
        }
    }

    /// In how many seconds the next attempt is made.
    static func countdown(to moment: Timestamp, now: Timestamp, _ language: Language) -> String {
        let microseconds = max(moment.duration(since: now).wholeMicroseconds, 0)
        let seconds = (microseconds + 999_999) / 1_000_000
        switch language {
        case .korean: return "\(seconds)초 후"
        case .english: return "in \(seconds)s"
        }
    }
}
