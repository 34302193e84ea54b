public import Domain
import ViewStates

/// Everything of the screens that is the user's and not the market's: the pages, and what lies
/// over them.
public struct ScreenState: Sendable, Equatable {
    /// How all screens look.
    public internal(set) var look: ScreenAppearance
    /// The screen that is open; a detail lies over it.
    public internal(set) var page = ScreenPage.market
    /// The list; it stays where it was while something else is seen.
    ///
    /// Its overlay (help, menu of periods) and its period are those of the whole screen.
    public internal(set) var list: MarketListScreenState
    /// Deposits and withdrawals.
    public internal(set) var assets = AssetsScreenState()
    /// Holdings.
    public internal(set) var portfolio = PortfolioScreenState()
    /// How far the page about the program is scrolled.
    public internal(set) var more = TextScroll()
    /// The market that is open, in front of the page or beside the list; nil without one.
    public internal(set) var detail: MarketDetailScreenState?
    /// Whether the list has the keys although a market is open: beside it where there is room for
    /// both, else behind it.
    public internal(set) var isListFocused = false
    /// What is filled in at the bottom of the screen; nil without a form.
    public internal(set) var form: ScreenForm?
    /// What is kept for the user; nil until it was told.
    public internal(set) var personal: UserStateUpdate?
    /// A change that was not made; nil after the next key.
    public internal(set) var refusal: RejectedChange?
    /// Whether the terminal can show English alone: then there is no language to choose.
    public var isEnglishOnly = false
    /// Why the last key did nothing; nil after the next one.
    public internal(set) var notice: ScreenNotice?
    /// How much room the panes of a detail have that has the screen for itself.
    public internal(set) var room: PaneSizes
    /// How much they have beside the list; nil where the screen has no room for both.
    public internal(set) var sizesBesideList: PaneSizes?
    /// The settings with which the last detail was left; the next one begins with them.
    var lastDetail: MarketDetailScreenState?
    /// What the first start of a session still waits for; nil where nothing is taken over.
    var start: SessionStart?
    /// The settings as they were last handed over; nil while none are kept.
    var savedSettings: UserSettings?
    /// The settings that the store has not taken; nil once they may be handed over again.
    var rejectedSettings: UserSettings?
    /// The changes of settings that were handed over and not seen yet; as many as may wait.
    var pendingSettings: [PendingSettingsChange] = []
    /// Whether the store owes an answer for longer than one waits without a word.
    public internal(set) var isStoreSlow = false
    /// The call that the store owes an answer.
    var pendingStoreCall: PendingStoreCall?
    /// Since when it is seen that a change was not made.
    var refusalSeenAt: Timestamp?
    /// The favourites as they will be once everything that was asked for is done.
    var intent: PendingFavorites?
    /// What waits for its data; nil if nothing does.
    var ahead: DeferredActions?

    /// A screen that shows the list, and takes over nothing that is kept.
    public init(
        list: MarketListScreenState = MarketListScreenState(),
        look: ScreenAppearance = ScreenAppearance()
    ) {
        self.list = list
        self.look = look
        room = PaneSizes()
    }

    /// A screen that takes over the settings that are kept as soon as they are told, hands over
    /// their changes, and asks for name and cash if nothing was kept yet.
    ///
    /// - Parameters:
    ///   - given: settings that were given for this session and win over those that are kept.
    ///   - suggestedName: the name that a user has who gives none, until ``offer(name:)`` says it.
    ///   - language: of whoever has kept no settings yet; nil where nothing tells it.
    public init(given: SettingsPatch, suggestedName: String = "", language: Language? = nil) {
        self.init()
        var settings = UserSettings()
        settings.language = language ?? settings.language
        settings = settings.patched(by: given)
        start = SessionStart(
            given: given,
            suggestedName: suggestedName,
            language: language,
            look: ScreenAppearance(settings)
        )
        apply(settings)
    }

    /// What has to be followed or read for what is seen.
    public var interests: ScreenInterests {
        ScreenInterests(
            details: visibleDetail?.interests ?? [],
            assetStates: visibleDetail != nil || page == .assets || page == .portfolio
        )
    }

    /// The name that a user has who gives none.
    public var suggestedName: String { start?.suggestedName ?? "" }

    /// Offers a name in the language that is drawn, to a user who gives none.
    public mutating func offer(name: String) { start?.suggestedName = name }

    /// The name that an empty field of the first start stands for; nil when something was kept
    /// meanwhile, which an empty field leaves as it is.
    public var defaultDisplayName: String? {
        personal?.record.isUntouched ?? true ? suggestedName : nil
    }

    /// What may be said of what is kept.
    public var visibility: Visibility { personal?.status.visibility ?? .shown }

    /// Why nothing that is kept can be changed; nil where it can.
    var obstacle: ScreenNotice? {
        switch visibility {
        case .unread: .unread
        case .closed(let failure): failure.code == .noToken ? .noToken : .closed
        case .shown: personal?.allowsChanges ?? true ? nil : .readingOnly
        }
    }

    /// The market that a key for favourites is about: the open one, else the marked one.
    public var favoriteTarget: MarketID? {
        focusedDetail?.market ?? (page == .market ? list.selected : nil)
    }
}

/// Why a key did nothing.
public enum ScreenNotice: Sendable, Hashable {
    /// Favourites are not moved while a search leaves some of them out.
    case searchHidesFavorites
    /// Favourites are not moved where their order is not seen.
    case favoritesUnseen
    /// The list was not read yet: no row of it is marked.
    case unlisted
    /// The cash is no coin: it has no market, and is not removed.
    case notOfCash
    /// The coin has no market that could be opened.
    case noMarket(Asset)
    /// What is kept was not read yet: there is nothing to change.
    case unread
    /// No token was given, and nothing that is kept is seen without one.
    case noToken
    /// The token opens nothing.
    case closed
    /// The token opens reading alone.
    case readingOnly
}

/// What a session waits for before it can begin as the last one ended.
struct SessionStart: Sendable, Equatable {
    /// Settings that were given for this session.
    var given: SettingsPatch
    /// The name that a user has who gives none.
    var suggestedName: String
    /// The language of a user who has kept no settings yet.
    var language: Language?
    /// How the screens looked at first.
    var look: ScreenAppearance
    /// Whether the user has done something already, which then is not taken back.
    var isTouched = false
    /// Whether the settings that are kept were taken over.
    var isOver = false
    /// Whether somebody new has still to be asked for name and cash.
    var needsFirstStartForm = false
}

/// A change of settings that was handed over.
struct PendingSettingsChange: Sendable, Equatable {
    /// What is to change.
    var patch: SettingsPatch
    /// The revision that the change follows, if nobody else changes anything.
    var revision: Int64
}

/// A call that the store has not answered.
struct PendingStoreCall: Sendable, Equatable {
    /// Its number.
    var number: UInt64
    /// When it was first seen.
    var since: Timestamp
}

/// The favourites as they will be once everything that was asked for is done.
struct PendingFavorites: Sendable, Equatable {
    /// The favourites in order.
    var order: [MarketID]
    /// How many changes were asked for and are not seen yet.
    var awaited: Int64
}

/// The panes of a detail.
///
/// One of them has the keys. Where the screen is too narrow for all, only that one is seen.
public enum DetailPane: Sendable, Hashable, CaseIterable {
    /// 호가: the order book.
    case book
    /// 차트: the chart.
    case chart
    /// 시세: the trades, or the list of days.
    case trades
}

/// How much room the panes of a detail have on the screen.
public struct PaneSizes: Sendable, Hashable {
    /// Rows for levels of the book, and for the rule between its sides.
    public var bookRows: Int
    /// Rows for trades or days.
    public var tradeRows: Int
    /// Columns for candles.
    public var chartColumns: Int
    /// How many rows the volume may have; nil if there is no room for it.
    public var volumeRows: ClosedRange<Int>?
    /// How many rows the volume has unless the user says otherwise.
    public var volumeRowsUsual: Int

    /// Room for next to nothing; a screen says how much there is before it draws.
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
    /// The detail that has the keys; nil while a page has them.
    public var focusedDetail: MarketDetailScreenState? { isListFocused ? nil : detail }

    /// Whether the list and an open market stand beside one another.
    ///
    /// Only the list has a market beside it: over the other pages a market lies alone.
    public var isSplit: Bool { detail != nil && page == .market && sizesBesideList != nil }

    /// The detail that is seen, whether it has the keys or not.
    public var visibleDetail: MarketDetailScreenState? { isSplit ? detail : focusedDetail }

    /// Whether the list is seen, whether it has the keys or not.
    var isListVisible: Bool { page == .market && (focusedDetail == nil || isSplit) }

    /// Gives the panes of the open market the room that they have where they stand.
    mutating func fitDetail() {
        let present = isSplit ? sizesBesideList ?? room : room
        if let detail, detail.room != present { self.detail?.room = present }
    }
}

extension ScreenState {
    /// What of the screens is kept over restarts.
    ///
    /// - Parameter base: the settings that the screens do not change.
    /// - Returns: the same with what the screens change.
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
        settings.averages = detail.chart.averages.sorted()
        settings.depth = detail.book.depth ?? UserSettings().depth
        return settings
    }

    /// Takes over what was kept.
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
        // Details begin like the last one: with these settings that one never was seen.
        guard let anyMarket = MarketID(symbol: "BTC", quote: .krw) else { return }
        var detail = MarketDetailScreenState(market: anyMarket, room: room)
        detail.chart.interval = settings.interval
        detail.adopt(settings)
        lastDetail = detail
    }

    /// Takes over the preferences, and nothing of where the user looks.
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
    /// Takes over the preferences of charts and books.
    fileprivate mutating func adopt(_ settings: UserSettings) {
        chart.style =
            switch settings.chartStyle {
            case .candles: .candles
            case .line: .line
            }
        chart.averages = Set(settings.averages)
        // The usual depth is as many levels as the screen has room for.
        book.depth = settings.depth == UserSettings().depth ? nil : settings.depth
    }
}
