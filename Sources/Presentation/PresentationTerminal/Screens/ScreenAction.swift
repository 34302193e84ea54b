public import Domain
import ViewStates

/// Actions on the screens.
public enum ScreenAction: Sendable, Equatable {
    /// An action on the list or on a global overlay: menu, help, quit.
    case list(MarketListAction)
    /// Opens the detail of the selected market; ends a search.
    case openSelected
    /// Opens the detail of a market.
    case open(MarketID)
    /// From the open market by so many markets in the order of the list; stops at its ends.
    ///
    /// From a market that the list lacks, to the selected one.
    case stepMarket(Int)
    /// An action on the detail.
    case detail(MarketDetailAction)
    /// Opens a page; the open page scrolls to its first row. A market beside the list stays beside
    /// it, and a market that fills the screen is closed.
    case show(ScreenPage)
    /// Moves within the rows of the open page or the help over it.
    case rows(RowsAction)
    /// An action on the deposits and withdrawals.
    case assets(AssetsAction)
    /// An action on the holdings.
    case portfolio(PortfolioAction)
    /// An action on the page about the program.
    case more(MoreAction)
    /// An action on the alerts.
    case alerts(AlertsAction)
    /// Asks for another rule, about the open or selected market.
    case newAlert
    /// Opens the form for a rule with this text.
    case alertSuggested(String)
    /// An action on the open form.
    case form(FormAction)
    /// An action on the palette.
    case palette(PaletteAction)
    /// Adds the selected or open market to the favorites, or removes it.
    case toggleFavorite
    /// Moves the selected favorite by positions; positive is down.
    case moveFavorite(Int)
    /// Pins or unpins the favorites above the list.
    case togglePinned
    /// Focuses the open market beside or behind the list; without one, opens the selected market.
    case focusDetail
    /// The screen has another size.
    ///
    /// `besideList` holds the pane sizes of a detail beside the list; nil if both do not fit.
    case resize(
        visibleRows: Int,
        room: DetailRoom,
        besideList: DetailRoom? = nil,
        isListCompact: Bool = false
    )
    /// Before drawing the help: its lines and the visible rows.
    case helpShown(lines: Int, rows: Int)
    /// Copies to the terminal's clipboard.
    case copy(CopyTarget)
    /// The result of a copy.
    case copied(CopyResult)
    /// The coin to open has no market.
    case noMarket(Asset)
    /// The chart was written into a file, or not.
    case chartSaved(FileOutcome)
    /// The user's data was loaded, changed, or a change was refused.
    case personal(UserStateUpdate)
    /// Time has passed; and the oldest call that the store has not answered, by number.
    case passed(now: Timestamp, pendingCall: UInt64?)
}

/// The user's data as the screens use it.
public struct UserStateUpdate: Sendable, Equatable {
    /// The stored record.
    public var record: UserRecord
    /// The state of the store.
    public var status: StoreStatus
    /// The newest change that was not made.
    public var refusal: RejectedChange?
    /// Whether changes are allowed.
    public var allowsChanges: Bool

    /// Extracts the parts that screens use.
    public init(_ state: UserState) {
        record = state.record
        status = state.status
        refusal = state.refusal
        allowsChanges = state.allowsChanges
    }
}

/// Side effects requested by the reducer.
public enum ScreenEffect: Sendable, Equatable {
    /// Compute the order for the list's state and send it back as `list(.ordered)`.
    case reorder
    /// Reload everything over REST and reconnect immediately.
    case reload
    /// Replace the data that is followed.
    case hold(ScreenInterests)
    /// Submit this change of the user's data.
    case perform(UserChange)
    /// Draw the market of this coin beside the open one.
    case compare(with: Asset)
    /// Write the chart into a file of this name and send the result as `chartSaved`.
    case saveChart(name: String)
    /// Open the market of this coin, if it has one.
    case openMarket(of: Asset)
    /// Perform this action, as its key would.
    case act(ScreenAction)
    /// Copy this to the terminal's clipboard, and send back the result as `copied`.
    case copy(CopyTarget)
    /// Find a level for a rule about this market, and send the text back as `alertSuggested`.
    case suggestAlert(MarketID)
    /// Tell the user about new alerts, as the terminal can.
    case notify(AlertNotice)
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

/// Actions on the detail of a market.
public enum MarketDetailAction: Sendable, Equatable {
    /// Focuses a pane; the focused pane returns to its initial position, as with `dismiss`.
    case focus(DetailPane)
    /// Focuses the next or previous pane; wraps around.
    case focusNext, focusPrevious
    /// Gives the focused pane the whole screen, or takes it back.
    case toggleMaximized
    /// To the next layout; wraps around.
    case nextLayout
    /// Esc: removes the cross-hair, else returns to the pane's initial position, else to the list.
    case dismiss

    /// Moves what the book or the list of trades shows, in rows; positive is down.
    case scroll(Int)
    /// The same by screens.
    case scrollPage(Int)
    /// To the newest or oldest trade or day.
    case scrollToFirst, scrollToLast
    /// Changes the number of levels per side.
    case changeDepth(Int)
    /// To the next or previous price step of the book; wraps around.
    case nextGroup, previousGroup
    /// Centers the spread.
    case recenter
    /// Between trades and days.
    case toggleDays

    /// To a longer or shorter interval; does not wrap.
    case longerInterval, shorterInterval
    /// Fewer buckets, or more; the one under the cross-hair keeps its place, else the last.
    case zoomIn, zoomOut
    /// The same about a bucket that is so many before the last visible one.
    case zoomInAt(later: Int), zoomOutAt(later: Int)
    /// Takes hold of a bucket that is so many before the last visible one.
    case grab(later: Int)
    /// Moves the window until the held bucket is so many before the last visible one; positive or
    /// negative.
    case drag(later: Int)
    /// Lets go of the held bucket.
    case release
    /// Moves the cross-hair if shown, else the window, by buckets; positive is later.
    case moveInTime(Int)
    /// The same by screens.
    case pageInTime(Int)
    /// To the newest bucket.
    case moveToNewest
    /// Switches the cross-hair on or off.
    case toggleCrosshair
    /// Opens the chooser of averages and panes.
    case chooseIndicators
    /// Asks for a second market, or removes it.
    case toggleComparison
    /// Asks for the name of a file for the chart.
    case saveChart
    /// Draws a second market in percent.
    case compare(MarketID)
    /// Adds or removes an average or a pane.
    case toggleIndicator(IndicatorRow)
    /// Shows or hides the volume.
    case toggleVolume
    /// Changes the height of the volume by rows.
    case growVolume(Int)
    /// Between candles and the line of last prices.
    case toggleLine
    /// Between the interval and the line of the newest trades.
    case toggleTicks
    /// Between prices and percent.
    case togglePercent

    /// Before drawing: the document's bounds limit scrolling.
    case shown(DetailExtent)
}
