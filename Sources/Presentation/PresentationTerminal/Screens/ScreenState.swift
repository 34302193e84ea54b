public import Domain
import ViewStates

/// The user's state of all screens, independent of market data.
public struct ScreenState: Sendable, Equatable {
    /// How all screens look.
    public internal(set) var look: ScreenAppearance
    /// The open page; a detail covers it.
    public internal(set) var page = ScreenPage.market
    /// The list; it keeps its state while hidden.
    ///
    /// Its overlay and its period apply to all screens.
    public internal(set) var list: MarketListScreenState
    /// Deposits and withdrawals.
    public internal(set) var assets = AssetsScreenState()
    /// Holdings.
    public internal(set) var portfolio = PortfolioScreenState()
    /// Alerts and their rules.
    public internal(set) var alerts = AlertsScreenState()
    /// Whether the source of the data has alerts.
    public var hasAlerts = true
    /// How far the page about the program is scrolled.
    public internal(set) var more = TextScroll()
    /// The open market, in front of the page or beside the list; nil without one.
    public internal(set) var detail: MarketDetailScreenState?
    /// Whether the list has focus although a market is open, beside it or behind it.
    public internal(set) var isListFocused = false
    /// The open form; nil without one.
    public internal(set) var form: ScreenForm?
    /// The user's data; nil until loaded.
    public internal(set) var personal: UserStateUpdate?
    /// A change that was not made; nil after the next key.
    public internal(set) var refusal: RejectedChange?
    /// Whether the terminal shows English only, so that there is no language to choose.
    public var isEnglishOnly = false
    /// Why the last key had no effect; cleared by the next key.
    public internal(set) var notice: ScreenNotice?
    /// The pane sizes of a detail that fills the screen.
    public internal(set) var room: DetailRoom
    /// The pane sizes beside the list; nil if both do not fit.
    public internal(set) var sizesBesideList: DetailRoom?
    /// The settings with which the last detail was left; the next one begins with them.
    var lastDetail: MarketDetailScreenState?
    /// The data that the start of a session still waits for; nil if no settings are adopted.
    var start: SessionStart?
    /// The settings as last submitted; nil while none are saved.
    var savedSettings: UserSettings?
    /// The settings that the store refused; nil once they may be submitted again.
    var rejectedSettings: UserSettings?
    /// Whether the layout of a market is a setting: services of 0.1.0 refuse it, and with it every
    /// change that has it.
    var storesLayout = true
    /// Submitted settings that the store has not confirmed; bounded by the change queue.
    var pendingSettings: [PendingSettingsChange] = []
    /// Whether the store has not answered for a noticeable time.
    public internal(set) var isStoreSlow = false
    /// The unanswered store call.
    var pendingStoreCall: PendingStoreCall?
    /// When the refusal was first shown.
    var refusalSeenAt: Timestamp?
    /// The favorites after all submitted changes.
    var intent: PendingFavorites?
    /// Which alerts were told.
    var toldAlerts = AlertWatermark()
    /// The deferred actions; nil if none.
    var deferred: DeferredActions?

    /// A screen that shows the list and adopts no stored settings.
    public init(
        list: MarketListScreenState = MarketListScreenState(),
        look: ScreenAppearance = ScreenAppearance()
    ) {
        self.list = list
        self.look = look
        room = DetailRoom()
    }

    /// A screen that adopts the stored settings once loaded, and saves their changes.
    ///
    /// - Parameters:
    ///   - given: settings for this session, which override stored ones.
    ///   - language: the language of a user without stored settings; nil if unknown.
    ///   - opening: where the session opens.
    public init(
        given: SettingsPatch,
        language: Language? = nil,
        opening: ScreenOpening = ScreenOpening()
    ) {
        self.init()
        var settings = UserSettings()
        settings.language = language ?? settings.language
        settings = settings.patched(by: given)
        start = SessionStart(
            given: given,
            language: language,
            look: ScreenAppearance(settings)
        )
        apply(settings)
        open(at: opening)
    }

    /// The data that the visible screen needs.
    public var interests: ScreenInterests {
        ScreenInterests(
            details: visibleDetail?.interests ?? [],
            assetStates: visibleDetail != nil || page == .assets || page == .portfolio
        )
    }

    /// Which of the user's data may be shown.
    public var visibility: Visibility { personal?.status.visibility ?? .shown }

    /// Why the user's data cannot be changed; nil if it can.
    var changeRestriction: ScreenNotice? {
        switch visibility {
        case .unread: .unread
        case .closed(let failure): failure.code == .noToken ? .noToken : .closed
        case .shown: personal?.allowsChanges ?? true ? nil : .readingOnly
        }
    }

    /// The market that the favorites key applies to: the open one, else the selected one.
    public var favoriteTarget: MarketID? {
        focusedDetail?.market ?? (page == .market ? list.selected : nil)
    }
}

/// Why a key had no effect.
public enum ScreenNotice: Sendable, Hashable {
    /// Favorites are not moved while a search leaves some of them out.
    case searchHidesFavorites
    /// Favorites move only where their order is visible.
    case favoritesUnseen
    /// The list is still loading: no row is selected.
    case unlisted
    /// The list has no market to step to.
    case listEmpty
    /// The cash is no coin: it has no market, and is not removed.
    case notOfCash
    /// The coin has no market that could be opened.
    case noMarket(Asset)
    /// The second market of the chart would be its first one.
    case comparedWithItself
    /// What became of the file of a chart.
    case file(FileOutcome)
    /// The user's data is still loading.
    case unread
    /// No token was given, and the user's data needs one.
    case noToken
    /// The token is not valid.
    case closed
    /// The token opens reading alone.
    case readingOnly
    /// The result of a copy.
    case copy(CopyResult)
    /// What a key about alerts did, or why it had no effect.
    case alertKey(AlertKeyNotice)
    /// Alerts that fired since the last key.
    case alerts(AlertNotice)
}

/// The data a session needs before it can continue where the last one ended.
struct SessionStart: Sendable, Equatable {
    /// Settings that were given for this session.
    var given: SettingsPatch
    /// The language of a user without stored settings.
    var language: Language?
    /// The initial appearance.
    var look: ScreenAppearance
    /// Whether the user has already acted, which is not undone.
    var isTouched = false
    /// Whether the stored settings were adopted.
    var isOver = false
}

/// A submitted change of settings.
struct PendingSettingsChange: Sendable, Equatable {
    /// The change.
    var patch: SettingsPatch
    /// The revision that the change follows if no other session saves.
    var revision: Int64
}

/// A call that the store has not answered.
struct PendingStoreCall: Sendable, Equatable {
    /// Its number.
    var number: UInt64
    /// When it was first noticed.
    var since: Timestamp
}

/// The favorites after all submitted changes.
struct PendingFavorites: Sendable, Equatable {
    /// The favorites in order.
    var order: [MarketID]
    /// The number of unconfirmed changes.
    var awaited: Int64
}

/// The panes of a detail.
///
/// One pane has focus. Narrow screens show only that one.
public enum DetailPane: Sendable, Hashable, CaseIterable {
    /// 호가: the order book.
    case book
    /// 차트: the chart.
    case chart
    /// 시세: the trades, or the list of days.
    case trades
}

/// The sizes of a detail's panes.
public struct PaneSizes: Sendable, Hashable {
    /// Rows for levels of the book, and for the rule between its sides.
    public var bookRows: Int
    /// Rows for trades or days.
    public var tradeRows: Int
    /// Columns for candles.
    public var chartColumns: Int
    /// The possible heights of the volume; nil if it does not fit.
    public var volumeRows: ClosedRange<Int>?
    /// The default height of the volume.
    public var volumeRowsUsual: Int

    /// Minimum sizes; a screen sets the real ones before it draws.
    public init(
        bookRows: Int = 1,
        tradeRows: Int = 1,
        chartColumns: Int = 1,
        volumeRows: ClosedRange<Int>? = nil,
        volumeRowsUsual: Int = 0
    ) {
        self.bookRows = max(bookRows, 1)
        self.tradeRows = max(tradeRows, 1)
        self.chartColumns = max(chartColumns, 1)
        self.volumeRows = volumeRows
        self.volumeRowsUsual = volumeRowsUsual
    }
}

extension ScreenState {
    /// The focused detail; nil while a page has focus.
    public var focusedDetail: MarketDetailScreenState? { isListFocused ? nil : detail }

    /// Whether the list and an open market are side by side.
    ///
    /// Only the list has a market beside it; on other pages a market covers the page.
    public var isSplit: Bool { detail != nil && page == .market && sizesBesideList != nil }

    /// The visible detail, with or without focus.
    public var visibleDetail: MarketDetailScreenState? { isSplit ? detail : focusedDetail }

    /// Whether the list is visible, with or without focus.
    var isListVisible: Bool { page == .market && (focusedDetail == nil || isSplit) }

    /// Updates the pane sizes of the open market.
    mutating func fitDetail() {
        guard let detail else { return }
        let room = isSplit ? sizesBesideList ?? room : room
        let present = room[detail.view]
        if detail.room != present { self.detail?.room = present }
    }
}

extension ScreenState {
    /// The settings that are saved across restarts.
    ///
    /// - Parameter base: settings that the screens do not change.
    /// - Returns: `base` with the screens' settings.
    public func settings(over base: UserSettings) -> UserSettings {
        var settings = base
        settings.sort = list.sort
        settings.sortDirection = list.direction
        switch list.tab {
        case .krw:
            settings.tab = .markets
            settings.quote = .krw
        case .btc:
            settings.tab = .markets
            settings.quote = .btc
        case .popular: settings.tab = .popular
        case .favorites: settings.tab = .favorites
        }
        settings.pinFavorites = list.pinsFavorites
        settings.changePeriod = list.period
        settings.theme = look.theme
        settings.colors = look.colors
        settings.language = look.language
        guard let detail = detail ?? lastDetail else { return settings }
        settings.interval = detail.chart.interval
        settings.chartStyle =
            switch detail.chart.style {
            case .candles: .candles
            case .line: .line
            }
        settings.averages = detail.chart.averages.filter(\.isUsual).map(\.window).sorted()
        settings.depth = detail.book.depth ?? UserSettings().depth
        if storesLayout { settings.marketLayout = detail.layout }
        return settings
    }

    /// Adopts stored settings.
    mutating func apply(_ settings: UserSettings) {
        look = ScreenAppearance(settings)
        list.sort = settings.sort
        list.direction = settings.sortDirection
        list.tab =
            switch (settings.tab, settings.quote) {
            case (.markets, .krw): .krw
            case (.markets, .btc): .btc
            case (.popular, _): .popular
            case (.favorites, _): .favorites
            }
        list.pinsFavorites = settings.pinFavorites
        list.period = settings.changePeriod
        // Details start with the last detail's settings; this one stands in for it.
        guard let anyMarket = MarketID(symbol: "BTC", quote: .krw) else { return }
        var detail = MarketDetailScreenState(market: anyMarket)
        detail.chart.interval = settings.interval
        detail.show(settings.marketLayout)
        detail.adopt(settings)
        lastDetail = detail
    }

    /// Adopts the preferences, but not what the user is looking at.
    mutating func adopt(_ settings: UserSettings) {
        look = ScreenAppearance(settings)
        list.period = settings.changePeriod
        if list.pinsFavorites != settings.pinFavorites {
            list.pinsFavorites = settings.pinFavorites
            MarketListReducer.fit(&list)
        }
        detail?.adopt(settings)
        lastDetail?.adopt(settings)
    }
}

extension MarketDetailScreenState {
    /// Adopts the preferences of charts and books.
    fileprivate mutating func adopt(_ settings: UserSettings) {
        chart.style =
            switch settings.chartStyle {
            case .candles: .candles
            case .line: .line
            }
        // Only the usual ones are stored; others last as long as the session.
        let stored = settings.averages.map { MovingAverage(.simple, window: $0) }
        chart.averages = chart.averages.filter { !$0.isUsual }.union(stored)
        // The default depth is as many levels as fit.
        book.depth = settings.depth == UserSettings().depth ? nil : settings.depth
    }
}
