import Domain
import ViewStates

/// The queries of a detail and their time.
struct DetailDocumentRequest: Equatable {
    let query: MarketDetailQuery
    /// The query for the list of days; nil while hidden.
    let daysQuery: MarketDetailQuery?
    let at: Timestamp
}

/// Reads the documents of a frame.
extension TerminalLoop {
    /// Measures the help, which scrolls if it does not fit.
    private mutating func measureHelp() {
        guard state.list.overlay == .help else { return }
        let extent = Panel.helpExtent(
            over: state,
            size: size,
            keys: keys,
            language: language
        )
        perform(
            ScreenReducer.reduce(&state, .helpShown(lines: extent.lines, rows: extent.rows))
        )
    }

    /// Searches the entries of an open palette in the newest data.
    private mutating func searchPalette() {
        guard case .palette(let palette) = state.list.overlay else { return }
        var all = MarketListScreenState(period: state.list.period)
        all.tab = .popular
        let search = PaletteSearch(
            markets: model.order(for: all, language: language),
            names: model.coins.names,
            keys: keys,
            state: state,
            language: language
        )
        let entries = search.entries(for: palette.text)
        perform(
            ScreenReducer.reduce(
                &state,
                .palette(.found(entries, isRead: !search.markets.isEmpty))
            )
        )
    }

    /// Reads the visible documents and reports their bounds to the state.
    ///
    /// If that performs deferred actions, reads again for the new screen.
    mutating func readContent(_ now: Timestamp) -> ScreenContent {
        measureHelp()
        searchPalette()
        let isAhead = state.hasDeferredActions
        let content = readPage(now)
        return isAhead && !state.hasDeferredActions ? readPage(now) : content
    }

    private mutating func readPage(_ now: Timestamp) -> ScreenContent {
        if state.isSplit {
            let (list, pinned) = readList(now)
            if let (detail, days) = readDetail(now) {
                return .split(list, pinned: pinned, detail, days: days)
            }
        }
        if state.focusedDetail != nil, let (detail, days) = readDetail(now) {
            return .detail(detail, days: days)
        }
        switch state.page {
        case .market:
            let (list, pinned) = readList(now)
            return .list(list, pinned: pinned, wide: readWideRows())
        case .assets: return .assets(readAssets(now))
        case .portfolio: return .portfolio(readPortfolio(now), halted: model.haltedHoldings)
        case .alerts: return .alerts(readAlerts(now))
        case .more:
            let about = model.about(language: language)
            let extent = MoreRenderer.extent(
                of: about,
                look: state.look,
                size: size,
                language: language
            )
            let shown = MoreAction.shown(lines: extent.lines, rows: extent.rows)
            perform(ScreenReducer.reduce(&state, .more(shown)))
            return .more(about)
        }
    }

    private mutating func readAssets(_ now: Timestamp) -> AssetsDocument {
        let document = self.shown(model.assets(state.assets.query(language: language)))
        let shown = AssetsAction.shown(
            document.state.rows.compactMap { Asset(symbol: $0.asset) },
            visibleRows: AssetsRenderer.visibleRows(in: size, state),
            isRead: document.state.health.isRead,
            now: now
        )
        perform(ScreenReducer.reduce(&state, .assets(shown)))
        return document
    }

    private mutating func readPortfolio(_ now: Timestamp) -> PortfolioDocument {
        let document = self.shown(model.portfolio(language: language))
        let shown = PortfolioAction.shown(
            PortfolioRenderer.order(of: document),
            visibleRows: PortfolioRenderer.visibleRows(in: size, state, document),
            isRead: !isPersonalAwaited,
            now: now
        )
        perform(ScreenReducer.reduce(&state, .portfolio(shown)))
        return document
    }

    private mutating func readAlerts(_ now: Timestamp) -> AlertCommandFailure? {
        let failure = model.alertCommandFailure
        let shown = AlertsAction.shown(
            visibleRows: AlertsRenderer.visibleRows(in: size, state, failure),
            isRead: !isPersonalAwaited,
            now: now
        )
        perform(ScreenReducer.reduce(&state, .alerts(shown)))
        return failure
    }

    /// The rule that the key of a market begins with: about the price under the cross-hair, else
    /// the last one.
    func suggestedAlert(of market: MarketID) -> String {
        guard let detail = state.focusedDetail else {
            let lists = [state.list] + (state.list.pinnedState.map { [$0] } ?? [])
            let rows = lists.flatMap { model.document(for: $0, language: language).state.rows }
            let price = rows.first { $0.market == market.name }?.price
            return AlertSuggestion.text(of: market, level: nil, last: price)
        }
        let query = detail.query(period: state.list.period, language: language, now: model.now)
        let document = model.detail(query).state
        let level = detail.chart.crosshair.flatMap { openTime in
            document.chart.candles.last { $0.openTime == openTime }?.close
        }
        return AlertSuggestion.text(of: market, level: level, last: document.header.price)
    }

    private mutating func readList(
        _ now: Timestamp
    ) -> (MarketListDocument, [MarketRowViewState]) {
        perform(ScreenReducer.reduce(&state, .list(.refresh(now: now))))
        let document = shown(model.document(for: state.list, language: language))
        let reason = document.state.emptyReason
        let isRead = reason != .loading && reason != .error
        // A user who may not read the favorites never receives them.
        let isClosed =
            state.list.tab == .favorites && state.visibility != .shown && !isPersonalAwaited
        perform(ScreenReducer.reduce(&state, .list(.found(isRead: isRead || isClosed))))
        let pinned = state.list.pinnedState
            .map { shown(model.document(for: $0, language: language)).state.rows }
        return (document, pinned ?? [])
    }

    private func readWideRows() -> WideRows? {
        let list = state.list
        guard let query = MarketListRenderer.wideRows(of: list, in: size) else { return nil }
        return model.wideRows(of: Array(list.pinned) + list.order[list.window], query)
    }

    private mutating func readDetail(_ now: Timestamp) -> (MarketDetailDocument, DayList?)? {
        guard let detail = state.visibleDetail else { return nil }
        let asked = question(of: detail, at: now)
        let document = shown(model.detail(asked.query))
        let days = asked.daysQuery
            .map { DayList(model.detail($0).state.chart, quote: detail.market.quote) }
        answeredRequest = asked
        let facts = DetailExtent(
            document,
            days: days?.rows.count ?? 0,
            areDaysRead: days?.health.isRead ?? false,
            now: now
        )
        perform(ScreenReducer.reduce(&state, .detail(.shown(facts))))
        return (document, days)
    }

    /// Writes the chart of the open market, from the newest data, into a file.
    mutating func saveChart(as name: String) -> FileOutcome {
        let now = model.now
        guard let format = ChartFile.Format(of: name), let (document, _) = readDetail(now),
            let detail = state.visibleDetail
        else { return .noChart }
        let file = ChartFile(document, detail, now: now, theme: screen.theme, language: language)
        guard file.hasPrices else { return .noChart }
        return model.save(file.content(format), as: name)
    }

    /// Whether an action navigates a detail whose current query has not been read yet, so that its
    /// bounds are unknown.
    func outruns(_ action: ScreenAction) -> Bool {
        guard case .detail(let move) = action, move.isNavigation, let answeredRequest,
            let detail = state.visibleDetail
        else { return false }
        return question(of: detail, at: answeredRequest.at) != answeredRequest
    }

    private func question(
        of detail: MarketDetailScreenState,
        at now: Timestamp
    ) -> DetailDocumentRequest {
        DetailDocumentRequest(
            query: detail.query(period: state.list.period, language: language, now: now),
            daysQuery: detail.daysQuery(language: language),
            at: now
        )
    }

    /// Whether the user's data is still loading.
    private var isPersonalAwaited: Bool {
        if case .unread = state.visibility { true } else { false }
    }
}

extension MarketDetailAction {
    /// Whether the effect depends on the bounds of the document.
    fileprivate var isNavigation: Bool {
        switch self {
        case .scroll, .scrollPage, .scrollToFirst, .scrollToLast, .moveInTime, .pageInTime,
            .toggleCrosshair, .dismiss:
            true
        default: false
        }
    }
}
