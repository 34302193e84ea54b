import Domain
import ViewStates

/// The fixed words of the pages beside the list.
enum PageStrings {
    static let asset = LocalizedText(korean: "자산명", english: "Coin")
    static let deposit = LocalizedText(korean: "입금", english: "Deposit")
    static let withdrawal = LocalizedText(korean: "출금", english: "Withdraw")
    static let readAt = LocalizedText(korean: "확인", english: "read")
    static let noAssets = LocalizedText(korean: "표시할 자산이 없습니다", english: "There is nothing to show")

    static let anotherState = LocalizedText(korean: "다른 상태", english: "another state")

    static let quantity = LocalizedText(korean: "수량", english: "Quantity")
    static let averagePrice = LocalizedText(korean: "매수평균가", english: "Avg. price")
    static let price = LocalizedText(korean: "현재가", english: "Price")
    static let value = LocalizedText(korean: "평가금액", english: "Value")
    static let profit = LocalizedText(korean: "평가손익", english: "Profit")
    static let rate = LocalizedText(korean: "수익률", english: "Return")
    static let share = LocalizedText(korean: "비중", english: "Share")
    static let transfers = LocalizedText(korean: "입출", english: "D/W")
    static let cash = LocalizedText(korean: "현금", english: "Cash")
    static let total = LocalizedText(korean: "총", english: "Total")
    static let unvalued = LocalizedText(korean: "평가 불가", english: "without a price")
    static let noHoldings = LocalizedText(korean: "보유자산이 없습니다", english: "Nothing is held yet")

    static let version = LocalizedText(korean: "버전", english: "Version")
    static let commit = LocalizedText(korean: "빌드", english: "Build")
    static let notice = LocalizedText(korean: "데이터 안내", english: "Data notice")
    static let authors = LocalizedText(korean: "만든 사람", english: "Authors")
    static let licenses = LocalizedText(korean: "라이선스", english: "Licences")

    static func page(_ page: ScreenPage) -> LocalizedText {
        switch page {
        case .market: MarketListStrings.market
        case .assets: LocalizedText(korean: "입출금", english: "deposits, withdrawals")
        case .portfolio: LocalizedText(korean: "보유자산", english: "holdings")
        case .more: LocalizedText(korean: "더보기", english: "more")
        }
    }

    /// The same in as few columns as tell it apart, for a title that has no room.
    static func shortPage(_ page: ScreenPage) -> LocalizedText {
        switch page {
        case .market, .portfolio, .more: Self.page(page)
        case .assets: LocalizedText(korean: "입출금", english: "transfers")
        }
    }

    static func filter(_ filter: AssetFilter) -> LocalizedText {
        switch filter {
        case .all: LocalizedText(korean: "전체", english: "All")
        case .normal: LocalizedText(korean: "정상", english: "Normal")
        case .suspended: LocalizedText(korean: "중단", english: "Suspended")
        }
    }

    static func sortKey(_ key: AssetSortKey) -> LocalizedText {
        switch key {
        case .name: LocalizedText(korean: "이름", english: "name")
        case .deposit: LocalizedText(korean: "입금", english: "deposits")
        case .withdrawal: LocalizedText(korean: "출금", english: "withdrawals")
        }
    }

    static let settings = LocalizedText(korean: "설정", english: "Settings")

    static func choice(_ choice: AppearanceSetting) -> LocalizedText {
        switch choice {
        case .theme: LocalizedText(korean: "테마", english: "theme")
        case .colors: LocalizedText(korean: "색상", english: "colours")
        case .language: LocalizedText(korean: "언어", english: "language")
        }
    }

    /// All values of a choice, each with whether a look has it.
    static func values(
        _ choice: AppearanceSetting,
        of look: ScreenAppearance
    ) -> [(name: LocalizedText, isChosen: Bool)] {
        switch choice {
        case .theme: UserSettings.Theme.allCases.map { (theme($0), $0 == look.theme) }
        case .colors: UserSettings.Colors.allCases.map { (colors($0), $0 == look.colors) }
        case .language: Language.allCases.map { (Self.language($0), $0 == look.language) }
        }
    }

    private static func theme(_ theme: UserSettings.Theme) -> LocalizedText {
        switch theme {
        case .auto: LocalizedText(korean: "자동", english: "auto")
        case .light: LocalizedText(korean: "밝게", english: "light")
        case .dark: LocalizedText(korean: "어둡게", english: "dark")
        case .highContrast: LocalizedText(korean: "고대비", english: "high contrast")
        }
    }

    private static func colors(_ colors: UserSettings.Colors) -> LocalizedText {
        switch colors {
        case .korean: LocalizedText(korean: "상승 빨강·하락 파랑", english: "red up, blue down")
        case .western: LocalizedText(korean: "상승 초록·하락 빨강", english: "green up, red down")
        }
    }

    private static func language(_ language: Language) -> LocalizedText {
        switch language {
        case .korean: LocalizedText(korean: "한국어", english: "Korean")
        case .english: LocalizedText(korean: "영어 English", english: "English")
        }
    }
}
