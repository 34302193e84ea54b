import Domain
import ViewStates

/// Texts of the market list.
enum MarketListStrings {
    static let program = "hoga"
    static let market = LocalizedText(ko: "거래소", en: "market")

    static let name = LocalizedText(ko: "자산명", en: "Name")
    static let pair = LocalizedText(ko: "마켓", en: "Market")
    static let price = LocalizedText(ko: "현재가", en: "Price")
    static let wonPrice = LocalizedText(ko: "원화 환산", en: "KRW price")
    static let rate = LocalizedText(ko: "변동률", en: "Change")
    static let amount = LocalizedText(ko: "변동금액", en: "Amount")
    static let tradeValue = LocalizedText(ko: "거래금액", en: "Value")
    static let millions = LocalizedText(ko: "(백만)", en: "(M)")
    static let rank = LocalizedText(ko: "순위", en: "#")
    /// The place in the current order; the same sign in both languages.
    static let place = "#"
    static let highToday = LocalizedText(ko: "당일 고가", en: "High today")
    static let lowToday = LocalizedText(ko: "당일 저가", en: "Low today")
    static let dayLine = LocalizedText(ko: "24시간 추이", en: "24h trend")
    static let otherName = LocalizedText(ko: "영문명", en: "Korean")

    static let change = LocalizedText(ko: "변동", en: "change")
    static let sort = LocalizedText(ko: "정렬", en: "sort")

    /// The reason why a key had no effect, longest first.
    static func notice(_ notice: ScreenNotice) -> [LocalizedText] {
        switch notice {
        case .searchHidesFavorites:
            [LocalizedText(ko: "검색 중에는 순서를 바꿀 수 없습니다", en: "clear the search to move favorites")]
        case .favoritesUnseen:
            [
                LocalizedText(
                    ko: "관심 탭이나 고정된 관심에서만 바꿀 수 있습니다",
                    en: "open the favorites tab or pin favorites to move them"
                ),
                LocalizedText(
                    ko: "관심 순서가 보일 때만 바꿀 수 있습니다",
                    en: "open the favorites tab to move favorites"
                ),
            ]
        case .unlisted:
            [
                LocalizedText(
                    ko: "목록을 불러오는 중이라 선택한 마켓이 없습니다",
                    en: "the list is still loading: no market is selected"
                ),
                LocalizedText(ko: "목록을 불러오는 중", en: "the list is still loading"),
            ]
        case .listEmpty: listEmpty
        case .notOfCash: [notOfCash]
        case .noMarket(let asset):
            [
                LocalizedText(
                    ko: "\(asset.symbol): 열 수 있는 마켓이 없습니다",
                    en: "\(asset.symbol) has no market to open"
                )
            ]
        case .file(let outcome): file(outcome)
        case .comparedWithItself:
            [
                LocalizedText(
                    ko: "지금 보는 마켓입니다. 다른 마켓을 고르세요",
                    en: "this is the open market: choose another one"
                )
            ]
        case .unread:
            [
                LocalizedText(
                    ko: "불러오는 중에는 바꿀 수 없습니다",
                    en: "still loading: no changes are possible yet"
                )
            ]
        case .noToken: [StoreStrings.withoutToken, StoreStrings.tokenSettings]
        case .closed:
            [
                StoreStrings.closed,
                LocalizedText(
                    ko: "새 토큰을 받으세요: hoga user token new",
                    en: "create a token: hoga user token new"
                ),
            ]
        case .readingOnly:
            [
                StoreStrings.readingOnly,
                LocalizedText(ko: "읽기 전용 토큰", en: "the token is read-only"),
            ]
        case .copy(let result): copy(result)
        case .alertKey(let notice): AlertStrings.notice(notice)
        case .alerts(let notice): notice.texts
        }
    }

    private static let listEmpty = [
        LocalizedText(
            ko: "목록이 비어 있어 이전·다음 마켓이 없습니다",
            en: "the list is empty: no previous or next market"
        ),
        LocalizedText(ko: "목록이 비어 있음", en: "the list is empty"),
    ]

    private static let notOfCash = LocalizedText(
        ko: "현금은 열거나 삭제할 수 없습니다",
        en: "cash has no market and cannot be removed"
    )

    private static func copy(_ result: CopyResult) -> [LocalizedText] {
        switch result {
        case .copied: [LocalizedText(ko: "복사: 터미널로 보냈습니다", en: "copied: sent to the terminal")]
        case .nothingMarked: [LocalizedText(ko: "복사할 줄이 없습니다", en: "nothing is marked")]
        case .tooLong:
            [LocalizedText(ko: "너무 길어 복사할 수 없습니다", en: "too long to copy")]
        case .unknownTerminal:
            [
                LocalizedText(
                    ko: "복사 지원을 알 수 없는 터미널입니다 – --clipboard osc52로 켜기",
                    en: "unknown whether this terminal copies; --clipboard osc52 turns it on"
                ),
                LocalizedText(ko: "복사: --clipboard osc52", en: "to copy: --clipboard osc52"),
            ]
        case .off:
            [
                LocalizedText(
                    ko: "복사가 꺼져 있습니다 – --clipboard osc52로 켜기",
                    en: "copying is off; --clipboard osc52 turns it on"
                ),
                LocalizedText(ko: "복사: --clipboard osc52", en: "to copy: --clipboard osc52"),
            ]
        }
    }

    /// Deferred keys wait for their data.
    static let deferred = LocalizedText(
        ko: "데이터를 받으면 실행합니다",
        en: "runs when the data arrives"
    )
    /// The shortest form.
    static let deferredShort = LocalizedText(ko: "데이터 대기", en: "waiting for data")
    static let cancel = LocalizedText(ko: "취소", en: "cancel")

    static let suspended = LocalizedText(ko: "거래중단", en: "suspended")
    static let warning = LocalizedText(ko: "유의", en: "!inv. warning")
    static let alert = LocalizedText(ko: "경보", en: "!alert")
    static let warningMark = LocalizedText(ko: "유", en: "!warning")
    static let alertMark = LocalizedText(ko: "경", en: "!alert")
    /// The meaning of both marks; only the Korean help shows it, because English marks are words.
    static let marksLegend = LocalizedText(ko: "투자유의·경보 종목", en: "exchange's warnings")
    static let ownOrder = LocalizedText(ko: "내 순서", en: "own order")
    /// Stored data instead of live data; the same word in both languages.
    static let offline = "OFFLINE"
    static let star = "★"
    static let noStar = "☆"
    static let retry = LocalizedText(ko: "재시도", en: "retry")

    static let delete = LocalizedText(ko: "지우기", en: "delete")
    static let clearSearch = LocalizedText(ko: "검색 지우기", en: "clear the search")
    static let starHint = LocalizedText(
        ko: "다른 탭에서 관심 추가",
        en: "add a favorite in another tab"
    )
    static let anotherTab = LocalizedText(ko: "다른 탭", en: "another tab")

    static let quit = LocalizedText(ko: "종료", en: "quit")
    static let live = LocalizedText(ko: "실시간", en: "live")
    static let replay = LocalizedText(ko: "재생", en: "replay")
    static let loading = LocalizedText(ko: "불러오는 중", en: "loading")
    /// Not the word for data that were kept, which is `offline`.
    static let disconnected = LocalizedText(ko: "끊김", en: "cut off")
    static let failed = LocalizedText(ko: "오류", en: "error")
    static let ended = LocalizedText(ko: "재생 끝", en: "replay ended")

    static let helpTitle = LocalizedText(ko: "도움말", en: "Keys")
    static let periodTitle = LocalizedText(ko: "변동률 기간", en: "Change period")
    static let periodNote = LocalizedText(
        ko: "거래금액은 늘 24시간 기준",
        en: "Trade value is always 24h"
    )
    static let ruleTitle = LocalizedText(ko: "인기 순위 기준", en: "Popularity ranking")
    static let rule = LocalizedText(
        ko: "최근 24시간 거래금액이 큰 순서입니다. BTC 마켓의 거래금액은 비트코인의 원화 시세로 환산해 함께 비교합니다.",
        en: """
            By the trade value of the last 24 hours, largest first. BTC markets are converted to \
            won at the current bitcoin price.
            """
    )

    /// The text in place of rows.
    static func empty(_ reason: MarketListViewState.EmptyReason?) -> LocalizedText {
        switch reason {
        case .loading:
            LocalizedText(ko: "시세를 불러오는 중입니다", en: "Loading markets")
        case .noMatch:
            LocalizedText(ko: "일치하는 자산이 없습니다", en: "Nothing matches the search")
        case .error:
            LocalizedText(ko: "시세를 가져오지 못했습니다", en: "Could not load the markets")
        case .noFavorites:
            LocalizedText(ko: "관심 자산이 없습니다", en: "No favorites yet")
        case nil:
            LocalizedText(ko: "표시할 자산이 없습니다", en: "Nothing to show")
        }
    }

    static func tab(_ tab: MarketListTab) -> LocalizedText {
        switch tab {
        case .krw: LocalizedText(ko: "원화", en: "KRW")
        case .btc: LocalizedText(ko: "BTC", en: "BTC")
        case .popular: LocalizedText(ko: "인기", en: "Popular")
        case .favorites: LocalizedText(ko: "관심", en: "Favorites")
        }
    }

    static func period(_ period: ChangePeriod) -> LocalizedText {
        switch period {
        case .hours24: LocalizedText(ko: "24시간", en: "24h")
        case .midnight: LocalizedText(ko: "어제대비", en: "today")
        case .hours12: LocalizedText(ko: "12시간", en: "12h")
        case .hour1: LocalizedText(ko: "1시간", en: "1h")
        case .minutes30: LocalizedText(ko: "30분", en: "30m")
        }
    }

    /// The heading of changes over a period.
    static func percent(of period: ChangePeriod) -> LocalizedText {
        let name = self.period(period)
        return LocalizedText(ko: name[.korean] + " %", en: name[.english] + " %")
    }

    static func sortKey(_ key: MarketSortKey) -> LocalizedText {
        switch key {
        case .popularity: LocalizedText(ko: "인기", en: "popularity")
        case .name: LocalizedText(ko: "이름", en: "name")
        case .price: LocalizedText(ko: "현재가", en: "price")
        case .changeRate: LocalizedText(ko: "변동률", en: "change")
        case .tradeValue: LocalizedText(ko: "거래금액", en: "value")
        }
    }

    /// The number of markets without a search.
    static func outOf(_ total: Int) -> LocalizedText {
        LocalizedText(ko: "(전체 \(total))", en: "(of \(total))")
    }

    static func arrow(_ direction: SortDirection) -> String {
        direction == .ascending ? "▲" : "▼"
    }

    /// The name of the data source; sources other than the exchange are in brackets.
    static func feed(_ feed: FeedLabel) -> LocalizedText {
        switch feed {
        case .live: LocalizedText(ko: "빗썸 실시간", en: "Bithumb live")
        case .simulated: LocalizedText(ko: "[모의 SIMULATED]", en: "[SIMULATED]")
        case .replay: LocalizedText(ko: "[재생 REPLAY]", en: "[REPLAY]")
        }
    }

    /// The name of the data source for narrow screens.
    static func shortFeed(_ feed: FeedLabel) -> LocalizedText {
        switch feed {
        case .live: LocalizedText(ko: "빗썸", en: "Bithumb")
        case .simulated: LocalizedText(ko: "[모의]", en: "[SIMULATED]")
        case .replay: LocalizedText(ko: "[재생]", en: "[REPLAY]")
        }
    }

    /// How old the data is, in the largest unit that is precise enough.
    static func behind(_ age: Duration) -> LocalizedText {
        let seconds = max(age.components.seconds, 0)
        return switch seconds {
        case ..<600: LocalizedText(ko: "지연 \(seconds)초", en: "\(seconds)s behind")
        case ..<7_200: LocalizedText(ko: "지연 \(seconds / 60)분", en: "\(seconds / 60)min behind")
        case ..<172_800:
            LocalizedText(ko: "지연 \(seconds / 3_600)시간", en: "\(seconds / 3_600)h behind")
        default: LocalizedText(ko: "지연 \(seconds / 86_400)일", en: "\(seconds / 86_400)d behind")
        }
    }

    /// The seconds until the next attempt.
    static func countdown(to moment: Timestamp, now: Timestamp) -> LocalizedText {
        let microseconds = max(moment.duration(since: now).wholeMicroseconds, 0)
        let seconds = (microseconds + 999_999) / 1_000_000
        return LocalizedText(ko: "\(seconds)초 후", en: "in \(seconds)s")
    }
}

extension MarketListStrings {
    /// The names of a data source, longest first.
    static func feedNames(_ feed: FeedLabel, _ language: Language) -> [String] {
        let names = [Self.feed(feed)[language], shortFeed(feed)[language]]
        return names[0] == names[1] ? [names[0]] : names
    }
}

extension MarketListStrings {
    /// How many changes of a list are known, or how exact they are; nil if all are known to the
    /// minute.
    static func coverage(_ health: HealthViewState) -> LocalizedText? {
        guard let known = health.known, let of = health.of else { return nil }
        if known < of {
            return LocalizedText(
                ko: "변동률: 전체 \(of)개 중 \(known)개 확인",
                en: "change known for \(known) of \(of) markets"
            )
        }
        return health.baseResolution.map { resolution in
            let interval = CandleInterval(rawValue: resolution).map { ChartStrings.interval($0) }
            return LocalizedText(
                ko: "변동률 기준가: \(interval?[.korean] ?? resolution) 단위",
                en: "change base accurate to \(interval?[.english] ?? resolution)"
            )
        }
    }

    /// How many changes of a list are known; nil if all are.
    static func shortCoverage(_ health: HealthViewState) -> LocalizedText? {
        guard let known = health.known, let of = health.of, known < of else { return nil }
        return LocalizedText(ko: "변동률 \(known)/\(of)", en: "known \(known)/\(of)")
    }
}
