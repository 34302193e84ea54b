public import ViewStates

/// The part of the screen that receives keys.
public enum KeyContext: Sendable, Hashable, CaseIterable {
    /// The list itself.
    case list
    /// The search field.
    case search
    /// The menu of change periods.
    case periods
    /// The chooser of the chart's averages and panes.
    case indicators
    /// A panel that is only read: the rule of popularity.
    case panel
    /// The overview of the keys.
    case help
    /// The palette.
    case palette
    /// The order book of a detail.
    case book
    /// Its chart.
    case chart
    /// Its trades.
    case trades
    /// The list of deposits and withdrawals.
    case assets
    /// Its search field.
    case assetSearch
    /// The holdings.
    case portfolio
    /// The page about the program.
    case more
    /// The alerts and their rules.
    case alerts
    /// A field that is filled in.
    case form
    /// A question that is answered by yes or no.
    case question
    /// A submitted form that is being saved: input is deferred.
    case saving

    /// The context of a screen.
    public init(_ state: ScreenState) {
        if let form = state.form {
            self = form.isSaving ? .saving : (form.isQuestion ? .question : .form)
            return
        }
        switch state.list.overlay {
        case .periods: self = .periods
        case .indicators: self = .indicators
        case .help: self = .help
        case .popularityRule: self = .panel
        case .palette: self = .palette
        case nil: self = KeyContext(below: state)
        }
    }

    /// The context of a screen without its overlays.
    init(below state: ScreenState) {
        switch state.focusedDetail?.focus {
        case .book: self = .book
        case .chart: self = .chart
        case .trades: self = .trades
        case nil:
            self =
                switch state.page {
                case .market: state.list.isSearching ? .search : .list
                case .assets: state.assets.isSearching ? .assetSearch : .assets
                case .portfolio: .portfolio
                case .more: .more
                case .alerts: .alerts
                }
        }
    }
}

/// A row of the key table: keys, contexts, action and texts.
public struct KeyBinding: Sendable, Equatable {
    /// The command's configuration name; nil for fixed keys.
    public let command: KeyCommand?
    /// The keys; any of them does it.
    public internal(set) var keys: [Key]
    /// The contexts in which the keys work.
    public let contexts: Set<KeyContext>
    /// The action.
    public let action: ScreenAction
    /// The line in the help; nil if not listed.
    public let help: LocalizedText?
    /// A word for the bottom line; nil for keys that are not named there.
    public let hint: LocalizedText?

    init(
        _ command: KeyCommand,
        _ keys: [Key],
        _ action: ScreenAction,
        in contexts: Set<KeyContext>,
        help: LocalizedText? = nil,
        hint: LocalizedText? = nil
    ) {
        self.command = command
        self.keys = keys
        self.contexts = contexts
        self.action = action
        self.help = help
        self.hint = hint
    }

    /// Makes a row that no configuration changes.
    init(
        fixed keys: [Key],
        _ action: ScreenAction,
        in contexts: Set<KeyContext>,
        help: LocalizedText
    ) {
        command = nil
        self.keys = keys
        self.contexts = contexts
        self.action = action
        self.help = help
        hint = nil
    }
}

extension KeyContext {
    /// The name of the context.
    public var summary: LocalizedText {
        switch self {
        case .list: LocalizedText(ko: "거래소", en: "the list")
        case .search: LocalizedText(ko: "검색란", en: "the search field")
        case .periods: LocalizedText(ko: "기간 메뉴", en: "the period menu")
        case .indicators: LocalizedText(ko: "지표 메뉴", en: "the indicator menu")
        case .panel: LocalizedText(ko: "인기 순위 기준", en: "the popularity ranking")
        case .help: LocalizedText(ko: "도움말", en: "the help")
        case .palette: LocalizedText(ko: "바로가기", en: "the palette")
        case .book: LocalizedText(ko: "호가", en: "the order book")
        case .chart: LocalizedText(ko: "차트", en: "the chart")
        case .trades: LocalizedText(ko: "시세", en: "the trades")
        case .assets: LocalizedText(ko: "입출금", en: "deposits and withdrawals")
        case .assetSearch:
            LocalizedText(ko: "입출금 검색란", en: "the transfers search field")
        case .portfolio: LocalizedText(ko: "보유자산", en: "the portfolio")
        case .more: LocalizedText(ko: "더보기", en: "More")
        case .alerts: LocalizedText(ko: "알림", en: "the alerts")
        case .form: LocalizedText(ko: "입력", en: "a form")
        case .question: LocalizedText(ko: "확인 창", en: "a confirmation")
        case .saving: LocalizedText(ko: "저장 중", en: "a form being saved")
        }
    }
}
