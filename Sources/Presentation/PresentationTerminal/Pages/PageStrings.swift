import Domain
import ViewStates

/// Texts of the pages beside the list.
enum PageStrings {
    static let asset = LocalizedText(ko: "자산명", en: "Coin")
    static let deposit = LocalizedText(ko: "입금", en: "Deposit")
    static let withdrawal = LocalizedText(ko: "출금", en: "Withdrawal")
    static let noAssets = LocalizedText(ko: "표시할 자산이 없습니다", en: "Nothing to show")

    static let anotherState = LocalizedText(ko: "다른 상태", en: "another state")

    static let quantity = LocalizedText(ko: "수량", en: "Quantity")
    static let averagePrice = LocalizedText(ko: "매수평균가", en: "Avg. price")
    static let price = LocalizedText(ko: "현재가", en: "Price")
    static let value = LocalizedText(ko: "평가금액", en: "Value")
    static let profit = LocalizedText(ko: "평가손익", en: "Profit")
    static let rate = LocalizedText(ko: "수익률", en: "Return")
    static let share = LocalizedText(ko: "비중", en: "Share")
    static let transfers = LocalizedText(ko: "입출", en: "D/W")
    static let cash = LocalizedText(ko: "현금", en: "Cash")
    static let total = LocalizedText(ko: "총", en: "Total")
    static let unvalued = LocalizedText(ko: "평가 불가", en: "without a price")
    static let noHoldings = LocalizedText(ko: "보유자산이 없습니다", en: "No holdings yet")

    static let version = LocalizedText(ko: "버전", en: "Version")
    static let commit = LocalizedText(ko: "빌드", en: "Build")
    static let notice = LocalizedText(ko: "데이터 안내", en: "Data notice")
    static let authors = LocalizedText(ko: "만든 사람", en: "Authors")
    static let licenses = LocalizedText(ko: "라이선스", en: "Licenses")

    /// The time of the data.
    static func asOf(_ time: String) -> LocalizedText {
        LocalizedText(ko: "\(time) 기준", en: "as of \(time)")
    }

    static func page(_ page: ScreenPage) -> LocalizedText {
        switch page {
        case .market: MarketListStrings.market
        case .assets: LocalizedText(ko: "입출금", en: "deposits, withdrawals")
        case .portfolio: LocalizedText(ko: "보유자산", en: "holdings")
        case .more: LocalizedText(ko: "더보기", en: "more")
        case .alerts: LocalizedText(ko: "알림", en: "alerts")
        }
    }

    /// The shortest unambiguous name, for narrow titles.
    static func shortPage(_ page: ScreenPage) -> LocalizedText {
        switch page {
        case .market, .portfolio, .more, .alerts: Self.page(page)
        case .assets: LocalizedText(ko: "입출금", en: "transfers")
        }
    }

    static func filter(_ filter: AssetFilter) -> LocalizedText {
        switch filter {
        case .all: LocalizedText(ko: "전체", en: "All")
        case .normal: LocalizedText(ko: "정상", en: "Normal")
        case .suspended: LocalizedText(ko: "중단", en: "Suspended")
        }
    }

    static func sortKey(_ key: AssetSortKey) -> LocalizedText {
        switch key {
        case .name: LocalizedText(ko: "이름", en: "name")
        case .deposit: LocalizedText(ko: "입금", en: "deposits")
        case .withdrawal: LocalizedText(ko: "출금", en: "withdrawals")
        }
    }

    static let settings = LocalizedText(ko: "설정", en: "Settings")

    static func choice(_ choice: AppearanceSetting) -> LocalizedText {
        switch choice {
        case .theme: LocalizedText(ko: "테마", en: "theme")
        case .colors: LocalizedText(ko: "색상", en: "colors")
        case .language: LocalizedText(ko: "언어", en: "language")
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
        case .auto: LocalizedText(ko: "자동", en: "auto")
        case .light: LocalizedText(ko: "밝게", en: "light")
        case .dark: LocalizedText(ko: "어둡게", en: "dark")
        case .highContrast: LocalizedText(ko: "고대비", en: "high contrast")
        }
    }

    private static func colors(_ colors: UserSettings.Colors) -> LocalizedText {
        switch colors {
        case .korean: LocalizedText(ko: "상승 빨강·하락 파랑", en: "red up, blue down")
        case .western: LocalizedText(ko: "상승 초록·하락 빨강", en: "green up, red down")
        }
    }

    private static func language(_ language: Language) -> LocalizedText {
        switch language {
        case .korean: LocalizedText(ko: "한국어", en: "Korean")
        case .english: LocalizedText(ko: "영어 English", en: "English")
        }
    }
}
