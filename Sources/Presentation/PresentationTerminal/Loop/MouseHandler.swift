import Domain
import ViewStates

/// Translates mouse events into actions: a pure function of the visible frame and the screen state.
enum MouseHandler {
    /// The effect of a mouse event.
    enum Answer: Sendable, Equatable {
        /// The same as a key.
        case key(Key)
        /// Actions, in order; may be empty.
        case actions([ScreenAction])
    }

    /// Rows per wheel step.
    static let wheelRows = 3

    /// The effect of a mouse event.
    ///
    /// Overlays capture clicks and the wheel. Forms ignore clicks except on keys in the bottom
    /// line.
    static func answer(
        to event: MouseEvent,
        on frame: Frame,
        in state: ScreenState
    ) -> Answer {
        let target = frame.target(row: event.row, column: event.column)
        let rows = event.kind == .wheelUp ? -wheelRows : wheelRows
        switch KeyContext(state) {
        case _ where event.kind == .drag || event.kind == .release:
            return .actions(drag(event, on: frame, state))
        case _ where event.kind == .click && target?.key != nil:
            return target?.key.map { .key($0) } ?? .actions([])
        case .form, .question, .saving, .panel: return .actions([])
        case .help: return .actions(event.kind == .click ? [] : [.rows(.scroll(rows))])
        case .palette:
            guard event.kind == .click else { return .actions([.palette(.move(rows.signum()))]) }
            if case .entry(let id) = target { return .actions([.palette(.choose(id))]) }
            return .actions([])
        case .periods:
            guard event.kind == .click else {
                return .actions([.list(.move(rows.signum()))])
            }
            if case .period(let period) = target { return .actions([.list(.choosePeriod(period))]) }
            return .actions([])
        case .indicators:
            guard event.kind == .click else {
                return .actions([.list(.move(rows.signum()))])
            }
            if case .indicator(let row) = target {
                return .actions([.detail(.toggleIndicator(row))])
            }
            return .actions([])
        case .list, .search, .book, .chart, .trades, .assets, .assetSearch, .portfolio, .more,
            .alerts:
            let later = frame.plot.map { $0.grid.later(than: event.column, in: $0.columns) } ?? 0
            return .actions(
                event.kind == .click
                    ? click(target, later: later, state) : wheel(target, rows, later: later, state)
            )
        }
    }

    /// Moves the chart with the bucket that the pointer holds.
    ///
    /// Terminals that report no movement move it when the button goes up.
    private static func drag(
        _ event: MouseEvent,
        on frame: Frame,
        _ state: ScreenState
    ) -> [ScreenAction] {
        guard state.visibleDetail?.chart.grab != nil else { return [] }
        let end: [ScreenAction] = event.kind == .release ? [.detail(.release)] : []
        guard let plot = frame.plot else { return end }
        let later = plot.grid.later(than: event.column, in: plot.columns)
        return [.detail(.drag(later: later))] + end
    }

    private static func click(
        _ target: ScreenTarget?,
        later: Int,
        _ state: ScreenState
    ) -> [ScreenAction] {
        // A terminal may have kept the end of the last movement to itself.
        let isHeld = state.visibleDetail?.chart.grab != nil
        let end: [ScreenAction] = isHeld ? [.detail(.release)] : []
        return end + actions(of: target, later: later, state)
    }

    private static func actions(
        of target: ScreenTarget?,
        later: Int,
        _ state: ScreenState
    ) -> [ScreenAction] {
        switch target {
        case .market(let market): clickMarket(market, state)
        case .coin(let asset):
            state.assets.rows.selected == asset ? [.assets(.open)] : [.assets(.select(asset))]
        case .holding(let row): clickHolding(row, state)
        case .alert(let number):
            [.alerts(state.alerts.rows.selected == number ? .open : .select(number))]
        case .alertSection(let section): [.alerts(.choose(section))]
        case .sort(let key): [.list(.chooseSort(key))]
        case .coinSort(let key): [.assets(.chooseSort(key))]
        case .tab(let tab): [.list(.chooseTab(tab))]
        case .filter(let filter): [.assets(.chooseFilter(filter))]
        case .pane(let pane): focus(pane, state)
        case .plot: focus(.chart, state) + [.detail(.grab(later: later))]
        case .period, .indicator, .entry, .key, nil: []
        }
    }

    /// The first click selects a row, a click on the selected row opens it.
    ///
    /// A pinned favorite outside the list opens immediately. A row that has left the list does
    /// nothing.
    private static func clickMarket(_ market: MarketID, _ state: ScreenState) -> [ScreenAction] {
        let opening: [ScreenAction] = [
            state.detail?.market == market ? .focusDetail : .open(market)
        ]
        if state.list.order.contains(market) {
            let isMarked = state.focusedDetail == nil && state.list.selected == market
            return isMarked ? opening : [.list(.select(market))]
        }
        return state.list.pinned.contains(market) ? opening : []
    }

    private static func clickHolding(
        _ row: PortfolioScreenState.RowID,
        _ state: ScreenState
    ) -> [ScreenAction] {
        guard state.portfolio.rows.selected == row else { return [.portfolio(.select(row))] }
        return switch row {
        case .asset: [.portfolio(.open)]
        case .cash: [.portfolio(.editCash)]
        }
    }

    /// The wheel scrolls the pane under the pointer, or zooms the chart about the bucket there.
    private static func wheel(
        _ target: ScreenTarget?,
        _ rows: Int,
        later: Int,
        _ state: ScreenState
    ) -> [ScreenAction] {
        let isOverList = state.isSplit && (target?.isOfList ?? (state.focusedDetail == nil))
        guard let detail = state.visibleDetail, !isOverList else {
            return [state.page == .market ? .list(.scroll(rows)) : .rows(.scroll(rows))]
        }
        let pane = target?.pane ?? detail.focus
        let action: MarketDetailAction =
            switch (pane, target) {
            case (.book, _), (.trades, _): .scroll(rows)
            case (.chart, .plot): rows < 0 ? .zoomInAt(later: later) : .zoomOutAt(later: later)
            case (.chart, _): rows < 0 ? .zoomIn : .zoomOut
            }
        return focus(pane, state) + [.detail(action)]
    }

    /// Focuses a pane; the focused pane must not be reset.
    private static func focus(_ pane: DetailPane, _ state: ScreenState) -> [ScreenAction] {
        guard state.focusedDetail == nil else {
            return state.detail?.focus == pane ? [] : [.detail(.focus(pane))]
        }
        // The first pane gets the keys by this alone.
        return [.focusDetail] + (pane == DetailPane.allCases.first ? [] : [.detail(.focus(pane))])
    }
}

extension ScreenTarget {
    /// Whether it is a part of the list of markets.
    fileprivate var isOfList: Bool {
        switch self {
        case .market, .sort, .tab: true
        case .coin, .holding, .alert, .alertSection, .coinSort, .filter, .period, .indicator,
            .pane, .plot, .entry, .key:
            false
        }
    }

    /// The pane of the detail that it belongs to.
    fileprivate var pane: DetailPane? {
        switch self {
        case .pane(let pane): pane
        case .plot: .chart
        default: nil
        }
    }

    /// The key that it offers.
    fileprivate var key: Key? {
        if case .key(let key) = self { key } else { nil }
    }
}
