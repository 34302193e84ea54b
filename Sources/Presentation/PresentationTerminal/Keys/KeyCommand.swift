/// Commands that can be bound to keys, by their configuration names.
///
/// The names are stable: a name never gets another meaning.
public enum KeyCommand: String, Sendable, Hashable, CaseIterable {
    // MARK: Lists and texts
    /// Up one row.
    case rowsUp = "rows.up"
    /// Down one row.
    case rowsDown = "rows.down"
    /// Up one page.
    case rowsPageUp = "rows.pageUp"
    /// Down one page.
    case rowsPageDown = "rows.pageDown"
    /// To the first row.
    case rowsFirst = "rows.first"
    /// To the last row.
    case rowsLast = "rows.last"

    // MARK: Everywhere
    /// Open the market list.
    case pageMarket = "page.market"
    /// Open deposits and withdrawals.
    case pageAssets = "page.assets"
    /// Open the holdings.
    case pagePortfolio = "page.portfolio"
    /// Open settings and information.
    case pageMore = "page.more"
    /// Open the alerts.
    case pageAlerts = "page.alerts"
    /// Close, clear, undo.
    case back
    /// Open or close the help.
    case help
    /// Open the palette of markets, screens and commands.
    case paletteOpen = "palette.open"
    /// Quit.
    case quit
    /// Reload, retry.
    case reload
    /// Copy the marked value or row.
    case copyValue = "copy.value"
    /// Copy the screen as text.
    case copyScreen = "copy.screen"
    /// Open the change period menu.
    case periodMenu = "period.menu"
    /// Confirm the selected item.
    case menuConfirm = "menu.confirm"
    /// Close the panel.
    case panelClose = "panel.close"

    // MARK: The list of markets
    /// Open the selected market.
    case listOpen = "list.open"
    /// Focus the market beside the list.
    case listDetail = "list.detail"
    /// Next sort key.
    case listSort = "list.sort"
    /// Reverse the sort direction.
    case listDirection = "list.direction"
    /// Next tab.
    case tabsNext = "tabs.next"
    /// Previous tab.
    case tabsPrevious = "tabs.previous"
    /// Explain the popularity ranking.
    case popularityRule = "popularity.rule"
    /// Add or remove a favorite.
    case favoriteToggle = "favorite.toggle"
    /// Pin favorites above the list.
    case favoritePin = "favorite.pin"
    /// Move a favorite up.
    case favoriteUp = "favorite.up"
    /// Move a favorite down.
    case favoriteDown = "favorite.down"

    // MARK: Search fields
    // Start a search.
    case searchBegin = "search.begin"
    /// Open the selected result.
    case searchOpen = "search.open"
    /// Up in the results.
    case searchUp = "search.up"
    /// Down in the results.
    case searchDown = "search.down"
    /// Delete a character.
    case searchDelete = "search.delete"
    /// Delete a word.
    case searchDeleteWord = "search.deleteWord"
    /// Clear the search field.
    case searchClear = "search.clear"
    /// Leave the search field.
    case searchLeave = "search.leave"
    /// Open the palette from a search field.
    case searchPalette = "search.palette"

    // MARK: Deposits and withdrawals
    /// Open the coin's market.
    case assetsOpen = "assets.open"
    /// Next state filter.
    case filterNext = "filter.next"
    /// Previous state filter.
    case filterPrevious = "filter.previous"

    // MARK: Holdings and forms
    /// Add a coin.
    case holdingAdd = "holding.add"
    /// Edit the selected row.
    case holdingEdit = "holding.edit"
    /// Remove a coin.
    case holdingRemove = "holding.remove"
    /// Open the coin's market.
    case holdingOpen = "holding.open"
    /// Edit the cash.
    case cashEdit = "cash.edit"
    /// Edit the display name.
    case nameEdit = "name.edit"
    /// Open the alert's market, edit the rule.
    case alertOpen = "alert.open"
    /// Add an alert.
    case alertAdd = "alert.add"
    /// Remove a rule.
    case alertRemove = "alert.remove"
    /// Switch between alerts and rules.
    case alertsSection = "alerts.section"
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
    /// Clear the field.
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
    /// Switch up and down colors.
    case lookColors = "look.colors"
    /// Switch the language.
    case lookLanguage = "look.language"

    // MARK: The detail of a market
    /// Focus the order book.
    case paneBook = "pane.book"
    /// Focus the chart.
    case paneChart = "pane.chart"
    /// Focus the trades.
    case paneTrades = "pane.trades"
    /// The next market of the list.
    case marketNext = "market.next"
    /// The previous market of the list.
    case marketPrevious = "market.previous"
    /// Next pane.
    case paneNext = "pane.next"
    /// Previous pane.
    case panePrevious = "pane.previous"
    /// Maximize the pane, and back.
    case paneMaximize = "pane.maximize"
    /// Next layout.
    case paneLayout = "pane.layout"
    /// Up one row.
    case scrollUp = "scroll.up"
    /// Down one row.
    case scrollDown = "scroll.down"
    /// Up one page.
    case scrollPageUp = "scroll.pageUp"
    /// Down one page.
    case scrollPageDown = "scroll.pageDown"
    /// To the first row.
    case scrollFirst = "scroll.first"
    /// To the last row.
    case scrollLast = "scroll.last"
    /// Center the spread.
    case bookCenter = "book.center"
    /// More levels.
    case bookMore = "book.more"
    /// Fewer levels.
    case bookFewer = "book.fewer"
    /// Next price step.
    case bookStepNext = "book.step.next"
    /// Previous price step.
    case bookStepPrevious = "book.step.previous"
    /// Switch between trades and days.
    case tradesDays = "trades.days"

    // MARK: Its chart
    /// Earlier.
    case chartEarlier = "chart.earlier"
    /// Later.
    case chartLater = "chart.later"
    /// One page earlier.
    case chartPageEarlier = "chart.pageEarlier"
    /// One page later.
    case chartPageLater = "chart.pageLater"
    /// To the newest candle.
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
    /// Choose averages and panes.
    case chartAverages = "chart.averages"
    /// Show or hide the volume.
    case chartVolume = "chart.volume"
    /// Taller volume.
    case chartVolumeTaller = "chart.volumeTaller"
    /// Lower volume.
    case chartVolumeLower = "chart.volumeLower"
    /// Switch between candles and line.
    case chartLine = "chart.line"
    /// Tick chart.
    case chartTicks = "chart.ticks"
    /// Percent axis.
    case chartPercent = "chart.percent"
    /// Compare with a second market.
    case chartComparison = "chart.comparison"
    /// Save as SVG or text.
    case chartSave = "chart.save"

    /// Whether the command must keep at least one key.
    public var isNeeded: Bool {
        Self.needed.contains(self)
    }

    /// Whether it only moves within what is shown, or closes it.
    var isMovement: Bool { isExit || Self.movements.contains(self) }

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
            .listOpen, .searchOpen, .assetsOpen, .alertOpen, .menuConfirm, .formSubmit,
            .questionYes, .rowsDown,
        ],
        [.searchBegin], [.listSort], [.favoriteToggle], [.tabsNext, .filterNext, .alertsSection],
    ]

    private static let movements: Set<KeyCommand> = [
        .rowsUp, .rowsDown, .rowsPageUp, .rowsPageDown, .rowsFirst, .rowsLast,
        .scrollUp, .scrollDown, .scrollPageUp, .scrollPageDown, .scrollFirst, .scrollLast,
        .chartEarlier, .chartLater, .chartPageEarlier, .chartPageLater,
    ]

    private static let needed: Set<KeyCommand> = [
        .back, .help, .quit, .searchLeave, .formSubmit, .formCancel, .questionYes, .questionNo,
    ]
}
