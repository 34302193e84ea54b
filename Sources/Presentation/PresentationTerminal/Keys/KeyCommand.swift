/// Commands that can be bound to keys, by their configuration names.
///
/// The names are stable: a name never gets another meaning.
public enum KeyCommand: String, Sendable, Hashable, CaseIterable {
    // MARK: Lists and texts
    /// A row up.
    case rowsUp = "rows.up"
    /// A row down.
    case rowsDown = "rows.down"
    /// A page up.
    case rowsPageUp = "rows.pageUp"
    /// A page down.
    case rowsPageDown = "rows.pageDown"
    /// To the first row.
    case rowsFirst = "rows.first"
    /// To the last row.
    case rowsLast = "rows.last"

    // MARK: Everywhere
    /// The screen of markets.
    case pageMarket = "page.market"
    /// The screen of deposits.
    case pageAssets = "page.assets"
    /// The screen of holdings.
    case pagePortfolio = "page.portfolio"
    /// The screen about hoga.
    case pageMore = "page.more"
    /// Close, clear, back.
    case back
    /// Open or close the help.
    case help
    /// Quit.
    case quit
    /// Reload, retry.
    case reload
    /// Menu of the periods of change.
    case periodMenu = "period.menu"
    /// Confirm the selected menu item.
    case menuConfirm = "menu.confirm"
    /// Close the panel.
    case panelClose = "panel.close"

    // MARK: The list of markets
    /// Open the detail.
    case listOpen = "list.open"
    /// Focus the detail beside the list.
    case listDetail = "list.detail"
    /// Open the selected search result.
    case listSort = "list.sort"
    /// Turn the direction of the sort.
    case listDirection = "list.direction"
    /// Next tab.
    case tabsNext = "tabs.next"
    /// Previous tab.
    case tabsPrevious = "tabs.previous"
    /// Rule of popularity.
    case popularityRule = "popularity.rule"
    /// Star, unstar.
    case favoriteToggle = "favorite.toggle"
    /// Pin the starred above.
    case favoritePin = "favorite.pin"
    /// Move the starred one up.
    case favoriteUp = "favorite.up"
    /// Move the starred one down.
    case favoriteDown = "favorite.down"

    // MARK: Search fields
    // Start a search.
    case searchBegin = "search.begin"
    /// Open what was found.
    case searchOpen = "search.open"
    /// Up while searching.
    case searchUp = "search.up"
    /// Down while searching.
    case searchDown = "search.down"
    /// Delete a character.
    case searchDelete = "search.delete"
    /// Delete a word.
    case searchDeleteWord = "search.deleteWord"
    /// Empty the search field.
    case searchClear = "search.clear"
    /// Leave the search field.
    case searchLeave = "search.leave"

    // MARK: Deposits and withdrawals
    /// Open the market of the coin.
    case assetsOpen = "assets.open"
    /// Next state of coins.
    case filterNext = "filter.next"
    /// Previous state of coins.
    case filterPrevious = "filter.previous"

    // MARK: Holdings and forms
    /// Add a coin.
    case holdingAdd = "holding.add"
    /// Edit the selected row.
    case holdingEdit = "holding.edit"
    /// Remove a coin.
    case holdingRemove = "holding.remove"
    /// Open the market of the coin.
    case holdingOpen = "holding.open"
    /// Enter the cash.
    case cashEdit = "cash.edit"
    /// Next field, save.
    case formSubmit = "form.submit"
    /// Next field.
    case formNext = "form.next"
    /// Previous field.
    case formPrevious = "form.previous"
    /// Delete a character.
    case formDelete = "form.delete"
    /// Delete a word.
    case formDeleteWord = "form.deleteWord"
    /// Empty the field.
    case formClear = "form.clear"
    /// Cancel, close.
    case formCancel = "form.cancel"
    /// Yes.
    case questionYes = "question.yes"
    /// No.
    case questionNo = "question.no"

    // MARK: Appearance
    // Next theme.
    case lookTheme = "look.theme"
    /// The other colours.
    case lookColors = "look.colors"
    /// The other language.
    case lookLanguage = "look.language"

    // MARK: The detail of a market
    /// The order book.
    case paneBook = "pane.book"
    /// The chart.
    case paneChart = "pane.chart"
    /// The trades.
    case paneTrades = "pane.trades"
    /// Next pane.
    case paneNext = "pane.next"
    /// Previous pane.
    case panePrevious = "pane.previous"
    /// A row up.
    case scrollUp = "scroll.up"
    /// A row down.
    case scrollDown = "scroll.down"
    /// A page up.
    case scrollPageUp = "scroll.pageUp"
    /// A page down.
    case scrollPageDown = "scroll.pageDown"
    /// To the first row.
    case scrollFirst = "scroll.first"
    /// To the last row.
    case scrollLast = "scroll.last"
    /// Spread in the middle.
    case bookCenter = "book.center"
    /// More levels.
    case bookMore = "book.more"
    /// Fewer levels.
    case bookFewer = "book.fewer"
    /// Next price step.
    case bookStepNext = "book.step.next"
    /// Previous price step.
    case bookStepPrevious = "book.step.previous"
    /// Trades, days.
    case tradesDays = "trades.days"

    // MARK: Its chart
    /// Earlier.
    case chartEarlier = "chart.earlier"
    /// Later.
    case chartLater = "chart.later"
    /// A page earlier.
    case chartPageEarlier = "chart.pageEarlier"
    /// A page later.
    case chartPageLater = "chart.pageLater"
    /// To the newest.
    case chartNewest = "chart.newest"
    /// Shorter interval.
    case chartShorter = "chart.shorter"
    /// Longer interval.
    case chartLonger = "chart.longer"
    /// Zoom in.
    case chartZoomIn = "chart.zoomIn"
    /// Zoom out.
    case chartZoomOut = "chart.zoomOut"
    /// Cross-hair.
    case chartCrosshair = "chart.crosshair"
    /// Averages.
    case chartAverages = "chart.averages"
    /// Volume.
    case chartVolume = "chart.volume"
    /// Taller volume.
    case chartVolumeTaller = "chart.volumeTaller"
    /// Lower volume.
    case chartVolumeLower = "chart.volumeLower"
    /// Candles, line.
    case chartLine = "chart.line"
    /// Line of trades.
    case chartTicks = "chart.ticks"
    /// Axis in per cent.
    case chartPercent = "chart.percent"

    /// Whether the command must keep at least one key.
    public var isNeeded: Bool {
        Self.needed.contains(self)
    }

    /// Whether it leads back to where one came from.
    var isExit: Bool {
        self == .back || self == .searchLeave || self == .formCancel || self == .questionNo
    }

    /// The priority in the bottom line, 0 first; nil for commands listed after all others.
    var hintPriority: Int? {
        if isExit { return 0 }
        return Self.hintOrder.firstIndex { $0.contains(self) }.map { $0 + 1 }
    }

    /// More than any ``hintPriority``.
    static let hintPriorityCount = hintOrder.count + 1
    /// The last ``hintPriority`` that is essential: open, search, sort.
    static let essentialHintPriorityMax = 3

    /// The order of hints in the bottom line; exit commands precede all.
    private static let hintOrder: [Set<KeyCommand>] = [
        [
            .listOpen, .searchOpen, .assetsOpen, .menuConfirm, .formSubmit, .questionYes,
            .rowsDown,
        ],
        [.searchBegin], [.listSort], [.favoriteToggle], [.tabsNext, .filterNext],
    ]

    private static let needed: Set<KeyCommand> = [
        .back, .help, .quit, .searchLeave, .formSubmit, .formCancel, .questionYes, .questionNo,
    ]
}
