import Domain
import ViewStates

/// Keys pressed before their data has loaded.
///
/// Movement, scrolling and opening are deferred until the data arrives; Esc cancels them. Changes
/// of the user's data are not deferred, because the user has not seen what they would change: a
/// notice explains why.
extension ScreenReducer {
    /// Whether an action needs data that has not loaded.
    public static func awaits(_ action: ScreenAction, _ state: ScreenState) -> Bool {
        switch action {
        case .detail(let action):
            return state.detail.map { MarketDetailReducer.awaits(action, $0) } ?? false
        case .rows(.scroll): return false
        case .rows, .list(.move), .list(.movePage), .list(.moveToFirst), .list(.moveToLast):
            return state.list.overlay == nil && state.areRowsLoading
        case .openSelected: return state.page == .market && state.areRowsLoading
        case .focusDetail: return state.detail == nil && state.areRowsLoading
        case .assets(.open): return state.page == .assets && state.areRowsLoading
        case .portfolio(.open): return state.page == .portfolio && state.areRowsLoading
        case .alerts(.open), .alerts(.remove):
            return state.page == .alerts && state.areRowsLoading
        case .portfolio(.edit), .portfolio(.remove):
            return state.changeRestriction == nil && state.areRowsLoading
        default: return false
        }
    }

    /// Defers an action, or cancels all deferred ones.
    ///
    /// - Returns: whether the action is handled.
    static func deferIfNeeded(_ action: ScreenAction, _ state: inout ScreenState) -> Bool {
        if state.deferred != nil, !state.isCovered, !state.isTyping, action.isDismissal {
            state.deferred = nil
            return true
        }
        guard awaits(action, state), let subject = DeferredActions.Subject(state) else {
            return false
        }
        // Enter ends a search even if there is nothing to open yet.
        if action == .openSelected { state.list.isSearching = false }
        if action == .assets(.open) { state.assets.isSearching = false }
        if state.deferred?.subject != subject { state.deferred = DeferredActions(subject) }
        state.deferred?.append(action)
        return true
    }

    /// Performs deferred actions once their data has loaded and no overlay covers it.
    static func performDeferred(_ state: inout ScreenState) -> [ScreenEffect] {
        guard let deferred = state.deferred else { return [] }
        guard deferred.subject == DeferredActions.Subject(state) else {
            state.deferred = nil
            return []
        }
        guard !state.isCovered, !(deferred.isOpening && state.isTyping),
            !deferred.actions.contains(where: { awaits($0, state) })
        else { return [] }
        state.deferred = nil
        return deferred.actions.flatMap { apply($0, &state) }
    }
}

extension ScreenState {
    /// Whether actions are deferred until their data loads.
    public var hasDeferredActions: Bool { deferred != nil }

    /// Whether an action needs values of the next frame: the length of a scrolled text or the
    /// selected row.
    public func needsCurrentFrame(for action: ScreenAction) -> Bool {
        switch action {
        case .rows:
            list.overlay == .help ? !list.help.isMeasured : page == .more && !more.isMeasured
        case .palette(.move), .palette(.confirm):
            if case .palette(let palette) = list.overlay { !palette.isSearched } else { false }
        case .toggleFavorite, .moveFavorite: page == .market && areRowsLoading
        default: false
        }
    }

    /// Whether an overlay or form covers the page.
    fileprivate var isCovered: Bool { list.overlay != nil || form != nil }

    /// Whether a search field has focus.
    fileprivate var isTyping: Bool { list.isSearching || assets.isSearching }

    /// Whether the rows of the focused page are still loading.
    var areRowsLoading: Bool {
        guard focusedDetail == nil else { return false }
        return switch page {
        case .market: list.order.isEmpty && !list.isRead
        case .assets: assets.rows.isAwaited
        case .portfolio: portfolio.rows.isAwaited
        case .more: false
        case .alerts: hasAlerts && alerts.rows.isAwaited
        }
    }
}

extension ScreenAction {
    /// Whether it is what Esc asks for.
    fileprivate var isDismissal: Bool {
        self == .list(.dismiss) || self == .detail(.dismiss) || self == .assets(.dismiss)
            || self == .portfolio(.dismiss) || self == .alerts(.dismiss)
    }
}

extension MarketDetailReducer {
    /// Whether an action needs data that no document has provided.
    static func awaits(_ action: MarketDetailAction, _ state: MarketDetailScreenState) -> Bool {
        switch action {
        case .scroll, .scrollPage, .scrollToFirst, .scrollToLast:
            switch state.focus {
            case .book: return !(state.facts?.isBookRead ?? false)
            case .trades where state.trades.showsDays: return !(state.facts?.areDaysRead ?? false)
            case .trades: return !(state.facts?.areTradesRead ?? false)
            case .chart: return false
            }
        case .nextGroup, .previousGroup:
            return state.book.step == nil && !(state.facts?.isBookRead ?? false)
        case .moveInTime(let count), .pageInTime(let count):
            guard let facts = state.facts else { return !state.chart.showsTicks }
            return count < 0 && state.chart.crosshair == nil && facts.firstBucket == nil
                && !facts.isChartRead
        case .toggleCrosshair: return state.facts == nil && !state.chart.showsTicks
        // The name of the file has the time of the data.
        case .saveChart: return state.facts == nil
        default: return false
        }
    }
}
