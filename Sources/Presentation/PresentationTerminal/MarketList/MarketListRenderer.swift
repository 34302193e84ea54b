public import Domain
public import ViewStates

/// Draws the list screen: a pure function of the document, the screen's state, the time and a size.
public enum MarketListRenderer: Sendable {
    /// Draws the market list.
    ///
    /// - Parameters:
    ///   - document: the visible rows.
    ///   - pinned: the favorites above the list.
    ///   - wide: the facts of these rows that only wide lists show; nil if there are none.
    ///   - state: the user's screen state.
    ///   - now: for the clock, ages and countdowns.
    ///   - flashing: markets whose price just changed.
    ///   - size: any size; below 40 × 12 the list is compact.
    ///   - keys: the key bindings.
    ///   - language: the language of labels.
    /// - Returns: a frame of exactly that size.
    public static func render(
        document: MarketListDocument,
        pinned: [MarketRowViewState],
        wide: WideRows? = nil,
        state: ScreenState,
        now: Timestamp,
        flashing: Set<String>,
        size: TerminalSize,
        keys: KeyTable = .screens,
        language: Language
    ) -> Frame {
        var canvas = MarketListCanvas(
            document: document,
            pinned: pinned,
            screen: state,
            now: now,
            flashing: flashing,
            size: size,
            keys: keys,
            language: language
        )
        // Without headings nothing would tell the periods.
        if canvas.layout.header != nil { canvas.wide = wide }
        if canvas.layout.isCompact {
            canvas.drawStatus()
        } else {
            canvas.drawTitle()
            canvas.drawTabs()
        }
        canvas.drawList()
        canvas.drawBottom()
        canvas.drawOverlay()
        canvas.drawForm()
        return canvas.frame
    }

    /// Whether a screen of this size shows the compact list.
    public static func isCompact(in size: TerminalSize, wantsCompact: Bool) -> Bool {
        MarketListLayout(listIn: size, wantsCompact: wantsCompact).isCompact
    }

    /// The facts beside their rows that a list of this size shows; nil if there are none.
    static func wideRows(of state: MarketListScreenState, in size: TerminalSize) -> WideRowQuery? {
        let layout = MarketListLayout(listIn: size, wantsCompact: state.wantsCompact)
        guard layout.header != nil, size.columns >= MarketListColumns.wideWidth else { return nil }
        return WideRowQuery(
            beside: state.period,
            hasDay: size.columns >= MarketListColumns.dayWidth
        )
    }

    /// How many markets a screen of this size shows at once.
    ///
    /// - Parameters:
    ///   - size: the whole screen.
    ///   - wantsCompact: whether the user wants a compact list at any size.
    /// - Returns: the number of rows, without those of the block of favorites.
    public static func visibleRows(in size: TerminalSize, wantsCompact: Bool = false) -> Int {
        let layout = MarketListLayout(listIn: size, wantsCompact: wantsCompact)
        return layout.rows.count / layout.rowHeight
    }
}

/// A frame of the list in progress.
struct MarketListCanvas {
    let document: MarketListDocument
    let pinned: [MarketRowViewState]
    let screen: ScreenState
    let now: Timestamp
    let flashing: Set<String>
    let keys: KeyTable
    let language: Language
    let layout: MarketListLayout
    /// The names of the user's favorites.
    let favorites: Set<String>
    /// The facts of the rows that only wide lists show.
    var wide: WideRows?
    /// Whether an open market is drawn on its right.
    var isBesideDetail = false
    var frame: Frame

    init(
        document: MarketListDocument,
        pinned: [MarketRowViewState],
        screen: ScreenState,
        now: Timestamp,
        flashing: Set<String>,
        size: TerminalSize,
        keys: KeyTable,
        language: Language
    ) {
        self.document = document
        self.pinned = pinned
        self.screen = screen
        self.now = now
        self.flashing = flashing
        favorites = Set(screen.list.favorites.map(\.name))
        self.keys = keys
        self.language = language
        layout = MarketListLayout(listIn: size, wantsCompact: screen.list.wantsCompact)
        frame = Frame(size: size)
    }

    var state: MarketListScreenState { screen.list }
    var health: HealthViewState { document.state.health }
    var width: Int { frame.size.columns }
    /// Whether the list has focus.
    var hasKeys: Bool { !isBesideDetail || screen.focusedDetail == nil }
}

extension MarketListCanvas {
    /// Which program and feed this is, what changes refer to, how fresh the data are, and the time.
    mutating func drawTitle() {
        let program = MarketListStrings.program
        let period = periodText
        let clock = TimeText.clock(now)
        let words = HealthLabel(
            health: health,
            feed: document.source.feed,
            now: now,
            language: language
        )
        let left = [
            LineSegment(
                [mark + program + " " + MarketListStrings.market[language], mark + program],
                style: titleStyle,
                rank: isBesideDetail ? 0 : 3
            ),
            LineSegment(
                MarketListStrings.feedNames(document.source.feed, language),
                style: feedStyle,
                rank: 0
            ),
            LineSegment([MarketListStrings.change[language] + " " + period, period], rank: 2),
        ]
        var right = [LineSegment(words.texts, style: words.style, rank: 1)]
        // Beside a market, the clock is in the market's title.
        if !isBesideDetail {
            right.append(LineSegment([clock + " KST", clock], style: .dim, rank: 4))
        }
        _ = FittedLine(left: left, right: right, width: width).draw(
            in: &frame,
            row: layout.title
        )
    }

    /// The tabs with the open one in brackets, the search, the sort, and how many rows match.
    mutating func drawTabs() {
        guard let row = layout.tabs else { return }
        let isFiltered = state.isSearching || !state.searchText.isEmpty
        let all = tabs(MarketListTab.allCases)
        // Only a search or a very narrow screen shortens the tabs.
        let isShort = isFiltered || all.columns > width
        var left = [LineSegment(isShort ? [all, tabs([state.tab])] : [all], rank: 0)]
        if isFiltered { left.append(searchField) }
        let sort = sortText
        let right = [
            LineSegment(
                [MarketListStrings.sort[language] + " " + sort, sort],
                style: .dim,
                rank: 3
            ),
            LineSegment(positionTexts, rank: 2),
        ]
        let cursor = FittedLine(left: left, right: right, width: width).draw(
            in: &frame,
            row: row
        )
        placeCursor(cursor, row: row)
    }

    /// The line above a compact list: the tab or the search, where the list is, how fresh it is; a
    /// notice takes its place.
    mutating func drawStatus() {
        let isNoticed =
            screen.refusal != nil || screen.notice != nil || screen.hasDeferredActions
        if isNoticed {
            let line = BottomLine.line(
                of: screen,
                error: nil,
                now: now,
                width: width,
                keys: keys,
                language: language
            )
            _ = line.draw(in: &frame, row: layout.title)
            return
        }
        let words = HealthLabel(
            health: health,
            feed: document.source.feed,
            now: now,
            language: language
        )
        let isFiltered = state.isSearching || !state.searchText.isEmpty
        var left = [
            isFiltered ? searchField : LineSegment([tabs([state.tab])], rank: 4)
        ]
        if document.source.feed != .live {
            let name = MarketListStrings.shortFeed(document.source.feed)[language]
            left.append(LineSegment([name], style: feedStyle, rank: 0))
        }
        left.append(LineSegment([periodText], rank: 5))
        left.append(LineSegment([sortText], style: .dim, rank: 6))
        let sign = words.texts[0].prefix(1)
        let right = [
            LineSegment(words.texts + [String(sign)], style: words.style, rank: 0),
            LineSegment(positionTexts, rank: 3),
            LineSegment([TimeText.clock(now)], style: .dim, rank: 7),
        ]
        let line = FittedLine(left: left, right: right, width: width, gap: width < 40 ? 1 : 2)
        placeCursor(line.draw(in: &frame, row: layout.title), row: layout.title)
    }

    private mutating func placeCursor(_ cursor: Int?, row: Int) {
        guard state.isSearching, state.overlay == nil, screen.form == nil, let cursor,
            cursor < width
        else { return }
        frame.cursor = Frame.Position(row: row, column: cursor)
    }

    private var sortText: String {
        state.sortInForce.map {
            MarketListStrings.sortKey($0)[language]
                + MarketListStrings.arrow(state.directionInForce)
        } ?? MarketListStrings.ownOrder[language]
    }

    /// The place of the selected market among those of the list, and if a search leaves some out,
    /// the number of all.
    private var positionTexts: [String] {
        let place = state.selected.flatMap { state.order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        let (filtered, total) = (document.state.filtered, document.state.total)
        let position = "\(place)/\(filtered)"
        // An empty list has no place in all markets.
        guard filtered > 0 else { return ["0/\(total)"] }
        return filtered == total
            ? [position] : [position + " " + MarketListStrings.outOf(total)[language], position]
    }

    /// Beside a market, a focus marker that needs no color.
    private var mark: String { isBesideDetail && hasKeys ? "▸ " : "" }

    private var titleStyle: CellStyle {
        guard isBesideDetail else { return CellStyle(.accent, emphasis: .bold) }
        return hasKeys ? CellStyle(.accent, emphasis: [.bold, .underline]) : .plain
    }

    /// The period that the document's changes refer to.
    private var periodText: String {
        let raw = document.state.query.changePeriod
        return ChangePeriod(rawValue: raw).map { MarketListStrings.period($0)[language] } ?? raw
    }

    private var feedStyle: CellStyle {
        switch document.source.feed {
        case .live: .plain
        // Reversed, so that it is noticed without colors.
        case .simulated, .replay: CellStyle(emphasis: [.bold, .reverse])
        }
    }

    private func tabs(_ tabs: [MarketListTab]) -> [Span] {
        tabs.map { tab in
            let name = MarketListStrings.tab(tab)[language]
            return .tab(name, isOpen: tab == state.tab, target: .tab(tab))
        }
    }

    private var searchField: LineSegment {
        .searchField(state.searchText, isTyping: state.isSearching, width: width)
    }
}

extension MarketListCanvas {
    /// Draws the current error and its remedy, else the key hints.
    mutating func drawBottom() {
        guard let row = layout.bottom else { return }
        let line = BottomLine.line(
            of: screen,
            error: isUnread ? nil : health.error,
            now: now,
            width: width,
            keys: keys,
            language: language
        )
        _ = line.draw(in: &frame, row: row)
    }

    /// In the middle of the list: why it is empty, and the key that helps.
    mutating func drawEmpty() {
        let area = listRows
        guard !area.isEmpty else { return }
        if isUnread {
            drawCentered(
                StoreStrings.unloaded(.favorites, screen.visibility).enumerated().map {
                    [Span($1[language], $0 == 0 ? .bold : .plain)]
                },
                in: area
            )
            return
        }
        var reason = document.state.emptyReason
        if state.tab == .favorites, state.favorites.isEmpty, reason != .loading {
            reason = .noFavorites
        }
        // An empty tab without a search has nothing to clear.
        if reason == .noMatch, state.searchText.isEmpty, !state.isSearching { reason = nil }
        var lines = [[Span(MarketListStrings.empty(reason)[language], .bold)]]
        switch reason {
        case .loading:
            lines[0].insert(Span(Spinner.text(at: now) + " "), at: 0)
        case .noMatch where state.isSearching:
            lines.append(offer(.deleteSearch(.character), in: .search, MarketListStrings.delete))
        case .noMatch:
            lines.append(offer(.dismiss, in: .list, MarketListStrings.clearSearch))
        case .error:
            if let error = health.error { lines.append([Span(error.message)]) }
            lines.append(offer(.reload, in: .list, MarketListStrings.retry))
        case .noFavorites:
            let words = MarketListStrings.starHint[language]
            lines.append(keys.offer(.toggleFavorite, in: .list, words))
            lines.append(offer(.nextTab, in: .list, MarketListStrings.anotherTab))
        case nil:
            lines.append(offer(.nextTab, in: .list, MarketListStrings.anotherTab))
        }
        lines.removeAll { $0.isEmpty }
        drawCentered(lines, in: area)
    }

    /// Whether this is a list of favorites that were not read.
    private var isUnread: Bool { state.tab == .favorites && screen.visibility != .shown }

    private mutating func drawCentered(_ lines: [[Span]], in area: Range<Int>) {
        let top = area.lowerBound + max((area.count - lines.count) / 2, 0)
        for (line, row) in zip(lines, top..<area.upperBound) {
            var column = max((width - line.columns) / 2, 0)
            for span in line {
                column += frame.draw(span.text, row: row, column: column, style: span.style)
            }
        }
    }

    private func offer(
        _ action: MarketListAction,
        in context: KeyContext,
        _ words: LocalizedText
    ) -> [Span] {
        keys.offer(.list(action), in: context, words[language])
    }
}

extension MarketListCanvas {
    /// Draws the overlay, if any.
    mutating func drawOverlay() {
        // Title and bottom line stay visible, so the data source is always named.
        let start = layout.title + 1
        let rows = start..<max(layout.bottom ?? frame.size.rows, start)
        let panel = Panel(
            over: screen,
            rows: rows,
            width: width,
            keys: keys,
            language: language
        )
        panel?.draw(in: &frame, rows: rows)
    }

    /// The form that is filled in, if any.
    mutating func drawForm() {
        let rows = (layout.title + 1)..<max(layout.bottom ?? frame.size.rows, layout.title + 1)
        FormPane(of: screen, keys: keys, language: language)?
            .draw(in: &frame, above: rows)
    }
}
