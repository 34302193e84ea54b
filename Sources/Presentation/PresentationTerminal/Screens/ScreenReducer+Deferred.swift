import Domain
import ViewStates

/// Keys that are pressed before the data are there that they are about.
///
/// What moves, scrolls or opens waits, and is done when the data come; Esc takes it back. What
/// changes something that is kept does not wait: nobody has seen what it would change, so it is
/// said at once why it did nothing.
extension ScreenReducer {
    /// Whether an action is about something that was not told yet.
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
        case .portfolio(.edit), .portfolio(.remove):
            return state.obstacle == nil && state.areRowsLoading
        default: return false
        }
    }

    /// Keeps an action that has to wait, or takes back all that wait.
    ///
    /// - Returns: whether that was all there is to do now.
    static func deferIfNeeded(_ action: ScreenAction, _ state: inout ScreenState) -> Bool {
        if state.ahead != nil, !state.isCovered, !state.isTyping, action.isDismissal {
            state.ahead = nil
            return true
        }
        guard awaits(action, state), let subject = DeferredActions.Subject(state) else {
            return false
        }
        // Enter ends typing whether there is something to open or not.
        if action == .openSelected { state.list.isSearching = false }
        if action == .assets(.open) { state.assets.isSearching = false }
        if state.ahead?.subject != subject { state.ahead = DeferredActions(subject) }
        state.ahead?.append(action)
        return true
    }

    /// Does what waits, once its data are there and nothing lies over them.
    static func performDeferred(_ state: inout ScreenState) -> [ScreenEffect] {
        guard let ahead = state.ahead else { return [] }
        guard ahead.subject == DeferredActions.Subject(state) else {
            state.ahead = nil
            return []
        }
        guard !state.isCovered, !(ahead.isOpening && state.isTyping),
            !ahead.actions.contains(where: { awaits($0, state) })
        else { return [] }
        state.ahead = nil
        return ahead.actions.flatMap { apply($0, &state) }
    }
}

extension ScreenState {
    /// Whether something that the user asked for waits for its data, and is done when they come.
    public var hasDeferredActions: Bool { ahead != nil }

    /// Whether an action, which does not wait, is about what the next picture reads: the length of
    /// a text that is scrolled, or the marked row of a list.
    public func needsCurrentFrame(for action: ScreenAction) -> Bool {
        switch action {
        case .rows:
            list.overlay == .help ? !list.help.isMeasured : page == .more && !more.isMeasured
        case .toggleFavorite, .moveFavorite: page == .market && areRowsLoading
        default: false
        }
    }

    /// Whether something lies over the page.
    fileprivate var isCovered: Bool { list.overlay != nil || form != nil }

    /// Whether keys go to a search field.
    fileprivate var isTyping: Bool { list.isSearching || assets.isSearching }

    /// Whether the rows of the page that has the keys are not those that it is about to show.
    var areRowsLoading: Bool {
        guard focusedDetail == nil else { return false }
        return switch page {
        case .market: list.order.isEmpty && !list.isRead
        case .assets: assets.rows.isAwaited
        case .portfolio: portfolio.rows.isAwaited
        case .more: false
        }
    }
}

extension ScreenAction {
    /// Whether it is what Esc asks for.
    fileprivate var isDismissal: Bool {
        self == .list(.dismiss) || self == .detail(.dismiss) || self == .assets(.dismiss)
            || self == .portfolio(.dismiss)
    }
}

extension MarketDetailReducer {
    /// Whether an action is about something that no document has told yet.
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
        default: return false
        }
    }
}
