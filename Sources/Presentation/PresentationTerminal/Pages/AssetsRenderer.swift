public import Domain
public import ViewStates

/// Draws 입출금: a pure function of the document, the screen's state, the time and a size.
public enum AssetsRenderer: Sendable {
    /// Draws the deposits and withdrawals.
    ///
    /// - Parameters:
    ///   - document: the answer to the state's query.
    ///   - state: the user's screen state.
    ///   - now: for the clock, ages and countdowns.
    ///   - size: any size; small ones drop parts.
    ///   - keys: the key bindings.
    ///   - language: the language of labels.
    /// - Returns: a frame of exactly that size.
    public static func render(
        document: AssetsDocument,
        state: ScreenState,
        now: Timestamp,
        size: TerminalSize,
        keys: KeyTable = .screens,
        language: Language
    ) -> Frame {
        var canvas = AssetsCanvas(
            document: document,
            page: PageCanvas(screen: state, now: now, size: size, keys: keys, language: language)
        )
        canvas.page.drawTitle(source: document.source, health: document.state.health)
        canvas.drawTabs()
        canvas.drawList()
        canvas.page.drawBottom(error: document.state.health.error)
        canvas.page.drawOverlays()
        return canvas.page.frame
    }

    /// How many coins a screen of this size shows at once.
    public static func visibleRows(in size: TerminalSize, _ state: ScreenState) -> Int {
        let layout = MarketListLayout(size)
        return PageCanvas.rows(layout, state).count / layout.rowHeight
    }
}

/// A frame of the deposits and withdrawals in progress.
private struct AssetsCanvas {
    let document: AssetsDocument
    var page: PageCanvas

    private var state: AssetsScreenState { page.screen.assets }
    private var language: Language { page.language }
    private var width: Int { page.width }

    /// The filters with how many coins each has, the search, the sort, and when it was read.
    mutating func drawTabs() {
        guard let row = page.layout.tabs else { return }
        let isFiltered = state.isSearching || !state.searchText.isEmpty
        var left = [
            LineSegment(
                [filters(AssetFilter.allCases)] + (isFiltered ? [filters([state.filter])] : []),
                rank: 0
            )
        ]
        if isFiltered { left.append(searchField) }
        let sort =
            PageStrings.sortKey(state.sort)[language] + MarketListStrings.arrow(state.direction)
        var right = [
            LineSegment(
                [MarketListStrings.sort[language] + " " + sort, sort],
                style: .dim,
                rank: 3
            )
        ]
        if let at = document.state.health.at {
            let time = TimeText.clock(at)
            right.append(
                LineSegment(
                    [PageStrings.asOf(time)[language], time],
                    style: .dim,
                    rank: 2
                )
            )
        }
        let cursor = FittedLine(left: left, right: right, width: width)
            .draw(in: &page.frame, row: row)
        if state.isSearching, page.screen.list.overlay == nil, let cursor, cursor < width {
            page.frame.cursor = Frame.Position(row: row, column: cursor)
        }
    }

    private func filters(_ filters: [AssetFilter]) -> [Span] {
        let counts = document.state.counts
        return filters.map { filter in
            let count =
                switch filter {
                case .all: counts.all
                case .normal: counts.normal
                case .suspended: counts.suspended
                }
            let name = PageStrings.filter(filter)[language] + " \(count)"
            return .tab(name, isOpen: filter == state.filter, target: .filter(filter))
        }
    }

    private var searchField: LineSegment {
        .searchField(state.searchText, isTyping: state.isSearching, width: width)
    }

    /// Draws the coins in their current order.
    mutating func drawList() {
        let byAsset = Dictionary(
            document.state.rows.map { ($0.asset, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let columns = AssetColumns(
            document.state.rows,
            width: width,
            isFolded: page.layout.rowHeight > 1,
            language
        )
        drawHeadings(columns)
        guard !document.state.rows.isEmpty else {
            drawEmpty()
            return
        }
        for (asset, line) in zip(
            state.rows.order[state.rows.window],
            page.firstLines(of: page.rows)
        ) {
            guard let row = byAsset[asset.symbol] else { continue }
            page.markRow(.coin(asset), line: line)
            let base = page.beginRow(
                line,
                isSelected: asset == state.rows.selected,
                isOutdated: document.state.health.isOutdated
            )
            page.drawName(row.name, code: row.asset, in: columns.name, line: line, base: base)
            let second = line + page.layout.rowHeight - 1
            if columns.isFolded {
                draw(PageStrings.deposit, columns.depositWord, second, base)
                draw(PageStrings.withdrawal, columns.withdrawalWord, second, base)
            }
            draw(row.deposit, row.depositText, columns.deposit, second, base)
            draw(row.withdrawal, row.withdrawalText, columns.withdrawal, second, base)
        }
    }

    /// Draws the column headings; folded rows label their second line themselves.
    private mutating func drawHeadings(_ columns: AssetColumns) {
        guard let line = page.layout.header else { return }
        let headings: [(text: LocalizedText, place: Range<Int>, key: AssetSortKey)] = [
            (PageStrings.asset, columns.name, .name),
            (PageStrings.deposit, columns.deposit, .deposit),
            (PageStrings.withdrawal, columns.withdrawal, .withdrawal),
        ]
        func span(_ text: LocalizedText, _ key: AssetSortKey) -> Span {
            let isSorted = key == state.sort
            return Span(
                text[language] + (isSorted ? MarketListStrings.arrow(state.direction) : ""),
                isSorted ? CellStyle(emphasis: [.bold, .underline]) : .dim,
                target: .coinSort(key)
            )
        }
        if columns.isFolded {
            let segments = headings.map { LineSegment([[span($0.text, $0.key)]], rank: 0) }
            FittedLine(left: segments, right: [], width: max(width - 2, 0))
                .draw(in: &page.frame, row: line, column: 2)
            return
        }
        for heading in headings {
            let span = span(heading.text, heading.key)
            page.frame.mark(.coinSort(heading.key), row: line, columns: heading.place)
            page.frame.draw(
                span.text,
                row: line,
                column: heading.place.lowerBound,
                width: min(heading.place.count, max(width - heading.place.lowerBound, 0)),
                style: span.style
            )
        }
    }

    private mutating func draw(
        _ word: LocalizedText,
        _ place: Range<Int>,
        _ line: Int,
        _ base: CellStyle
    ) {
        page.frame.draw(
            word[language],
            row: line,
            column: place.lowerBound,
            width: min(place.count, max(width - place.lowerBound, 0)),
            style: base.adding(.dim)
        )
    }

    private mutating func draw(
        _ transfer: TransferViewState?,
        _ text: String,
        _ place: Range<Int>,
        _ line: Int,
        _ base: CellStyle
    ) {
        let words = transfer == nil ? text : transfer.mark + " " + text
        page.frame.draw(
            words,
            row: line,
            column: place.lowerBound,
            width: min(place.count, max(width - place.lowerBound, 0)),
            style: transfer == .suspended ? base.adding(.bold) : base
        )
    }

    private mutating func drawEmpty() {
        let isSearch = document.state.counts.all > 0 && !state.searchText.isEmpty
        PaneNotice(
            health: document.state.health,
            empty: isSearch ? MarketListStrings.empty(.noMatch) : PageStrings.noAssets,
            context: .assets,
            offer: isSearch ? searchOffer : filterOffer,
            now: page.now,
            keys: page.keys,
            language: language
        ).draw(in: &page.frame, area: FrameArea(rows: page.rows, columns: 0..<width))
    }

    /// The key that makes a search find something again.
    private var searchOffer: [Span] {
        state.isSearching
            ? page.keys.offer(
                .assets(.deleteSearch(.character)),
                in: .assetSearch,
                MarketListStrings.delete[language]
            )
            : page.keys.offer(
                .assets(.dismiss),
                in: .assets,
                MarketListStrings.clearSearch[language]
            )
    }

    /// The key for the next filter, if there are coins to filter.
    private var filterOffer: [Span] {
        guard document.state.counts.all > 0 else { return [] }
        return page.keys.offer(
            .assets(.nextFilter),
            in: .assets,
            PageStrings.anotherState[language]
        )
    }
}
