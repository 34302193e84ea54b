public import Domain

/// Everything of the screens that is the user's and not the market's: the pages, and what lies
/// over them.
public struct ScreenState: Sendable, Equatable {
    /// How all screens look.
    public internal(set) var look: ScreenLook
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
    public internal(set) var isListInFront = false
    /// What is filled in at the bottom of the screen; nil without a form.
    public internal(set) var form: ScreenForm?
    /// What is kept for the user; nil until it was told.
    public internal(set) var personal: PersonalFacts?
    /// A change that was not made; nil after the next key.
    public internal(set) var refusal: RejectedChange?
    /// Whether the terminal can show English alone: then there is no language to choose.
    public var isEnglishAlone = false
    /// Why the last key did nothing; nil after the next one.
    public internal(set) var notice: ScreenNotice?
    /// How much room the panes of a detail have that has the screen for itself.
    public internal(set) var room: DetailRoom
    /// How much they have beside the list; nil where the screen has no room for both.
    public internal(set) var roomBesideList: DetailRoom?
    /// The settings with which the last detail was left; the next one begins with them.
    var lastDetail: MarketDetailScreenState?
    /// What the first start of a session still waits for; nil where nothing is taken over.
    var start: SessionStart?
    /// The settings as they were last handed over; nil while none are kept.
    var keptSettings: UserSettings?
    /// The settings that the store has not taken; nil once they may be handed over again.
    var refusedSettings: UserSettings?
    /// The changes of settings that were handed over and not seen yet; as many as may wait.
    var askedSettings: [AskedSettings] = []
    /// Whether the store owes an answer for longer than one waits without a word.
    public internal(set) var isStoreSlow = false
    /// The call that the store owes an answer.
    var owedCall: OwedCall?
    /// Since when it is seen that a change was not made.
    var refusalSeenAt: Timestamp?
    /// The favourites as they will be once everything that was asked for is done.
    var intent: FavoritesIntent?
    /// What waits for its data; nil if nothing does.
    var ahead: DeferredActions?

    /// A screen that shows the list, and takes over nothing that is kept.
    public init(
        list: MarketListScreenState = MarketListScreenState(),
        look: ScreenLook = ScreenLook()
    ) {
        self.list = list
        self.look = look
        room = DetailRoom()
    }

    /// A screen that takes over the settings that are kept as soon as they are told, hands over
    /// their changes, and asks for name and cash if nothing was kept yet.
    ///
    /// - Parameters:
    ///   - given: settings that were given for this session and win over those that are kept.
    ///   - offeredName: the name that a user has who gives none, until ``offer(name:)`` says it.
    ///   - language: of whoever has kept no settings yet; nil where nothing tells it.
    public init(given: SettingsPatch, offeredName: String = "", language: Language? = nil) {
        self.init()
        var settings = UserSettings()
        settings.language = language ?? settings.language
        settings = settings.patched(by: given)
        start = SessionStart(
            given: given,
            offeredName: offeredName,
            language: language,
            look: ScreenLook(settings)
        )
        take(settings)
    }

    /// What has to be followed or read for what is seen.
    public var interests: ScreenInterests {
        ScreenInterests(
            details: seenDetail?.interests ?? [],
            assetStates: seenDetail != nil || page == .assets || page == .portfolio
        )
    }

    /// The name that a user has who gives none.
    public var offeredName: String { start?.offeredName ?? "" }

    /// Offers a name in the language that is drawn, to a user who gives none.
    public mutating func offer(name: String) { start?.offeredName = name }

    /// The name that an empty field of the first start stands for; nil when something was kept
    /// meanwhile, which an empty field leaves as it is.
    public var nameForEmptyField: String? {
        personal?.record.isUntouched ?? true ? offeredName : nil
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
    public var favoriteCandidate: MarketID? {
        frontDetail?.market ?? (page == .market ? list.selected : nil)
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
    var offeredName: String
    /// The language of a user who has kept no settings yet.
    var language: Language?
    /// How the screens looked at first.
    var look: ScreenLook
    /// Whether the user has done something already, which then is not taken back.
    var isTouched = false
    /// Whether the settings that are kept were taken over.
    var isOver = false
    /// Whether somebody new has still to be asked for name and cash.
    var owesQuestion = false
}

/// A change of settings that was handed over.
struct AskedSettings: Sendable, Equatable {
    /// What is to change.
    var patch: SettingsPatch
    /// The revision that the change follows, if nobody else changes anything.
    var revision: Int64
}

/// A call that the store has not answered.
struct OwedCall: Sendable, Equatable {
    /// Its number.
    var number: UInt64
    /// When it was first seen.
    var since: Timestamp
}

/// The favourites as they will be once everything that was asked for is done.
struct FavoritesIntent: Sendable, Equatable {
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
public struct DetailRoom: Sendable, Hashable {
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
