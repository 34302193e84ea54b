public import Domain
import ViewStates

/// What a user or the clock asks of the screens.
public enum ScreenAction: Sendable, Equatable {
    /// To the list, or to what lies over the whole screen: menu, help, the end.
    case list(MarketListAction)
    /// Opens the detail of the marked market; ends typing in the search field.
    case openSelected
    /// Opens the detail of a market.
    case open(MarketID)
    /// To the detail.
    case detail(MarketDetailAction)
    /// Opens a screen; the one that is open goes to its first row.
    case show(ScreenPage)
    /// To the rows of the open screen, or to the help that lies over it.
    case rows(RowsAction)
    /// To the screen of deposits and withdrawals.
    case assets(AssetsAction)
    /// To the screen of holdings.
    case portfolio(PortfolioAction)
    /// To the screen about the program.
    case more(MoreAction)
    /// To the open form.
    case form(FormAction)
    /// Makes the marked or open market a favourite, or no longer.
    case toggleFavorite
    /// Moves the marked favourite among the others, in places; positive is down.
    case moveFavorite(Int)
    /// Puts the favourites above the list, or takes them away from there.
    case togglePinned
    /// Gives the keys of the list to the market that is open beside or behind it; without one,
    /// opens the marked market.
    case focusDetail
    /// The screen has another size.
    ///
    /// `besideList` is the room of a detail that stands beside the list; nil where the screen has
    /// no room for both.
    case resize(visibleRows: Int, room: PaneSizes, besideList: PaneSizes? = nil)
    /// The help is about to be drawn: so many lines, of which so many are seen at once.
    case helpShown(lines: Int, rows: Int)
    /// A coin was to be opened that has no market.
    case noMarket(Asset)
    /// What is kept for the user has been read, or changed, or was not changed.
    case personal(UserStateUpdate)
    /// Time has passed; and the oldest call that the store has not answered, by number.
    case passed(now: Timestamp, pendingCall: UInt64?)
}

/// What is kept for the user, as far as screens remember it.
public struct UserStateUpdate: Sendable, Equatable {
    /// What is kept.
    public var record: UserRecord
    /// How it is kept.
    public var status: StoreStatus
    /// The newest change that was not made.
    public var refusal: RejectedChange?
    /// Whether changes may be asked for.
    public var allowsChanges: Bool

    /// Takes what matters out of a cut.
    public init(_ cut: UserState) {
        record = cut.record
        status = cut.status
        refusal = cut.refusal
        allowsChanges = cut.allowsChanges
    }
}

/// What the reducer wants done outside of it.
public enum ScreenEffect: Sendable, Equatable {
    /// Compute the order for the list's state and send it back as `list(.ordered)`.
    case reorder
    /// Read everything anew over REST; retry the connection at once.
    case reload
    /// From now on follow this and nothing else.
    case hold(ScreenInterests)
    /// Ask for this change of what is kept.
    case perform(UserChange)
    /// Open the market of this coin, if it has one.
    case openMarket(of: Asset)
    /// End the program.
    case quit

    init(_ effect: MarketListEffect) {
        self =
            switch effect {
            case .reorder: .reorder
            case .reload: .reload
            case .quit: .quit
            }
    }
}

/// What a user asks of the detail of a market.
public enum MarketDetailAction: Sendable, Equatable {
    /// Gives a pane the keys; one that has them goes back to where it began, as with `dismiss`.
    case focus(DetailPane)
    /// Gives the next pane the keys, or the one before; around the ends.
    case focusNext, focusPrevious
    /// Esc: ends the cross-hair, else goes back to where the pane began, else to the list.
    case dismiss

    /// Moves what the book or the list of trades shows, in rows; positive is down.
    case scroll(Int)
    /// The same by screens.
    case scrollPage(Int)
    /// To the newest trade or day, and to the oldest.
    case scrollToFirst, scrollToLast
    /// So many levels a side more or less.
    case changeDepth(Int)
    /// To the next or previous price step of the book; around the ends.
    case nextGroup, previousGroup
    /// Puts the spread into the middle again.
    case recenter
    /// Between trades and days.
    case toggleDays

    /// To a longer interval, or a shorter one; not around the ends.
    case longerInterval, shorterInterval
    /// Fewer buckets, or more.
    case zoomIn, zoomOut
    /// Moves the cross-hair if there is one, else the window, in buckets; positive is later.
    case moveInTime(Int)
    /// The same by screens.
    case pageInTime(Int)
    /// Back to the newest bucket.
    case moveToNewest
    /// Switches the cross-hair on or off.
    case toggleCrosshair
    /// To the next choice of averages: all, none, each one by itself.
    case nextAverages
    /// Shows or hides the volume.
    case toggleVolume
    /// Gives the volume so many rows more.
    case growVolume(Int)
    /// Between candles and the line of last prices.
    case toggleLine
    /// Between the interval and the line of the newest trades.
    case toggleTicks
    /// Between prices and per cent.
    case togglePercent

    /// A document is about to be drawn: what it holds bounds what can be scrolled to.
    case shown(DetailExtent)
}
