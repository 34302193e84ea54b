import Domain
import ViewStates

/// What the mouse asks for: a pure function of the picture that is seen and the screen's state.
enum MouseHandler {
    /// What something done with the mouse stands for.
    enum Answer: Sendable, Equatable {
        /// The same as a key.
        case key(Key)
        /// Actions, in order; none if nothing.
        case actions([ScreenAction])
    }

    /// So many rows the wheel moves in one step.
    static let wheelRows = 3

    /// What is asked for.
    ///
    /// What lies over a screen takes clicks and the wheel for itself; a form takes none, but for
    /// the keys that the bottom line offers.
    static func answer(
        to event: MouseEvent,
        on frame: Frame,
        in state: ScreenState
    ) -> Answer {
        let target = frame.target(row: event.row, column: event.column)
        let rows = event.kind == .wheelUp ? -wheelRows : wheelRows
        switch KeyContext(state) {
        case _ where event.kind == .click && target?.key != nil:
            return target?.key.map { .key($0) } ?? .actions([])
        case .form, .question, .saving, .panel: return .actions([])
        case .help: return .actions(event.kind == .click ? [] : [.rows(.scroll(rows))])
        case .periods:
            guard event.kind == .click else {
                return .actions([.list(.move(rows.signum()))])
            }
            if case .period(let period) = target { return .actions([.list(.choosePeriod(period))]) }
            return .actions([])
        case .list, .search, .book, .chart, .trades, .assets, .assetSearch, .portfolio, .more:
            return .actions(
                event.kind == .click ? click(target, state) : wheel(target, rows, state)
            )
        }
    }

    private static func click(_ target: ScreenTarget?, _ state: ScreenState) -> [ScreenAction] {
        switch target {
        case .market(let market): clickMarket(market, state)
        case .coin(let asset):
            state.assets.rows.selected == asset ? [.assets(.open)] : [.assets(.select(asset))]
        case .holding(let row): clickHolding(row, state)
        case .sort(let key): [.list(.chooseSort(key))]
        case .coinSort(let key): [.assets(.chooseSort(key))]
        case .tab(let tab): [.list(.chooseTab(tab))]
        case .filter(let filter): [.assets(.chooseFilter(filter))]
        case .pane(let pane): focus(pane, state)
        case .period, .key, nil: []
        }
    }

    /// The first click marks, one on what is marked opens, in a list that has the keys.
    ///
    /// A favourite above a list that it is not in cannot be marked there, and opens at once; what
    /// has gone from the list since it was drawn does nothing.
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

    /// The wheel moves what is under it; the chart is zoomed.
    private static func wheel(
        _ target: ScreenTarget?,
        _ rows: Int,
        _ state: ScreenState
    ) -> [ScreenAction] {
        let isOverList = state.isSplit && (target?.isOfList ?? (state.focusedDetail == nil))
        guard let detail = state.visibleDetail, !isOverList else {
            return [state.page == .market ? .list(.scroll(rows)) : .rows(.scroll(rows))]
        }
        var pane = detail.focus
        if case .pane(let pointed) = target { pane = pointed }
        let action: MarketDetailAction =
            switch pane {
            case .book, .trades: .scroll(rows)
            case .chart: rows < 0 ? .zoomIn : .zoomOut
            }
        return focus(pane, state) + [.detail(action)]
    }

    /// Gives a pane the keys; one that has them must not go back to where it began.
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
        case .coin, .holding, .coinSort, .filter, .period, .pane, .key: false
        }
    }

    /// The key that it offers.
    fileprivate var key: Key? {
        if case .key(let key) = self { key } else { nil }
    }
}
