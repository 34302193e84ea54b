import Domain
import ViewStates

/// Moves the screens from one state to the next: a pure function of state and action.
public enum ScreenReducer: Sendable {
    /// Applies an action.
    ///
    /// - Returns: the effects, in order.
    public static func reduce(
        _ state: inout ScreenState,
        _ action: ScreenAction
    ) -> [ScreenEffect] {
        let held = state.interests
        if action.isUserAction {
            // The next key clears messages about the previous one.
            state.refusal = nil
            state.notice = nil
            state.start?.isTouched = true
        }
        var effects =
            action.isUserAction && deferIfNeeded(action, &state) ? [] : apply(action, &state)
        effects += performDeferred(&state)
        if action.isUserAction { effects += markAlertsSeen(&state) }
        state.fitDetail()
        if state.interests != held { effects.insert(.hold(state.interests), at: 0) }
        return effects + keepSettings(&state)
    }

    static func apply(
        _ action: ScreenAction,
        _ state: inout ScreenState
    ) -> [ScreenEffect] {
        switch action {
        case .list(let action): return reduce(&state, list: action)
        case .openSelected:
            guard state.page == .market else { return [] }
            let effects = MarketListReducer.reduce(&state.list, .confirm).map(ScreenEffect.init)
            guard state.focusedDetail == nil, let market = state.list.selected else {
                return effects
            }
            open(market, &state)
            return effects
        case .open(let market): open(market, &state)
        case .stepMarket(let step): stepMarket(by: step, &state)
        case .detail(let action): reduce(&state, detail: action)
        case .focusDetail: focusDetail(&state)
        case .show(let page): return show(page, &state)
        case .rows(let action): return move(action, &state)
        case .assets(let action): return reduce(&state, assets: action)
        case .portfolio(let action): return reduce(&state, portfolio: action)
        case .more(let action): return reduce(&state, more: action)
        case .alerts(let action): return reduce(&state, alerts: action)
        case .newAlert: return newAlert(&state)
        case .alertSuggested(let text): state.form = .addingAlert(text)
        case .form(let action): return reduce(&state, form: action)
        case .palette(let action): return reduce(&state, palette: action)
        case .toggleFavorite: return toggleFavorite(&state)
        case .moveFavorite(let step): return moveFavorite(&state, by: step)
        case .togglePinned:
            state.list.pinsFavorites.toggle()
            MarketListReducer.fit(&state.list)
        case .resize(let visibleRows, let room, let besideList, let isCompact):
            state.room = room
            state.sizesBesideList = besideList
            let resize = MarketListAction.resize(visibleRows: visibleRows, isCompact: isCompact)
            return MarketListReducer.reduce(&state.list, resize).map(ScreenEffect.init)
        case .helpShown(let lines, let rows): state.list.help.show(lines: lines, rows: rows)
        case .personal(let facts): return apply(facts, &state)
        case .copy(let target): return [.copy(target)]
        case .copied(let result): state.notice = .copy(result)
        case .noMarket(let asset): state.notice = .noMarket(asset)
        case .chartSaved(let outcome): state.notice = .file(outcome)
        case .passed(let now, let pendingCall): pass(now, pendingCall: pendingCall, &state)
        }
        return []
    }

    /// Submits changed settings.
    ///
    /// Refused settings are submitted again when they change once more, or after an update while
    /// the store is ready.
    private static func keepSettings(_ state: inout ScreenState) -> [ScreenEffect] {
        guard let kept = state.savedSettings else { return [] }
        let settings = state.settings(over: kept)
        guard settings != kept, settings != state.rejectedSettings else { return [] }
        state.rejectedSettings = nil
        state.savedSettings = settings
        let patch = SettingsPatch(from: kept, to: settings)
        let revision = state.personal?.record.settings.revision ?? 0
        state.pendingSettings.append(
            PendingSettingsChange(
                patch: patch,
                revision: revision + Int64(state.pendingSettings.count)
            )
        )
        return [.perform(.changeSettings(patch, expecting: nil))]
    }

    /// Applies an action of the list; while the list is hidden, only global ones.
    private static func reduce(
        _ state: inout ScreenState,
        list action: MarketListAction
    ) -> [ScreenEffect] {
        if reduce(&state, indicators: action) { return [] }
        guard state.focusedDetail != nil || state.page != .market else {
            if action == .dismiss, isDetailDismissed(state) {
                leave(&state)
                return []
            }
            return MarketListReducer.reduce(&state.list, action).map(ScreenEffect.init)
        }
        switch action {
        case .refresh, .found, .select, .scroll, .chooseTab, .chooseSort:
            guard state.isListVisible else { return [] }
            // A click on a row of the list gives it the keys.
            if case .select = action { state.isListFocused = true }
            return MarketListReducer.reduce(&state.list, action).map(ScreenEffect.init)
        case .move, .moveToFirst, .moveToLast, .confirm, .dismiss:
            // Meant for the menu; without one they would move a hidden list.
            guard state.list.overlay != nil else { return [] }
        case .openPeriods, .choosePeriod, .reload, .toggleHelp, .resize, .ordered, .quit: break
        case .nextTab, .previousTab, .nextSort, .reverseSort, .beginSearch, .typeSearch,
            .deleteSearch, .movePage, .togglePopularityRule:
            return []
        }
        // Hidden rows are reordered when they become visible.
        return MarketListReducer.reduce(&state.list, action)
            .filter { state.isListVisible || $0 != .reorder }
            .map(ScreenEffect.init)
    }
}

extension ScreenAction {
    /// Whether a user asks it, and not the clock, the data or the size of the screen.
    fileprivate var isUserAction: Bool {
        switch self {
        case .list(.refresh), .list(.ordered), .list(.found), .list(.resize), .detail(.shown),
            .assets(.shown), .portfolio(.shown), .more(.shown), .alerts(.shown),
            .alertSuggested, .palette(.found), .resize, .helpShown, .copied, .noMarket, .chartSaved,
            .personal, .passed:
            false
        case .list, .openSelected, .open, .stepMarket, .detail, .focusDetail, .show, .rows, .assets,
            .portfolio, .more, .alerts, .newAlert, .form, .palette, .toggleFavorite, .moveFavorite,
            .togglePinned,
            .copy:
            true
        }
    }
}

/// The list and the open market beside, in front of or behind it.
///
/// Focus cycles from the list through the market's panes. Esc returns it to the list; there, Esc
/// closes the market when nothing else is left to dismiss. Moving the selection keeps the open
/// market; Enter changes it.
extension ScreenReducer {
    /// Applies an action of the open market.
    static func reduce(_ state: inout ScreenState, detail action: MarketDetailAction) {
        guard var detail = state.detail else { return }
        if openOverlay(for: action, &state) { return }
        if state.isSplit, leavesToList(action, from: detail.focus) {
            state.isListFocused = true
            return
        }
        if MarketDetailReducer.reduce(&detail, action) {
            state.detail = detail
        } else if state.isSplit {
            state.isListFocused = true
        } else {
            leave(&state)
        }
    }

    /// Focuses the first pane of the market beside the list, or the market behind it; without one,
    /// opens the selected market.
    static func focusDetail(_ state: inout ScreenState) {
        guard state.page == .market, state.focusedDetail == nil else { return }
        guard state.detail != nil else {
            if let market = state.list.selected { open(market, &state) }
            return
        }
        state.list.overlay = nil
        state.list.isSearching = false
        state.isListFocused = false
        // If only one pane is visible, it stays the same.
        if state.isSplit, let first = DetailPane.allCases.first { state.detail?.focus = first }
    }

    /// Opens a market in front of or beside the list; the open market gets the focus.
    static func open(_ market: MarketID, _ state: inout ScreenState) {
        state.list.overlay = nil
        state.list.isSearching = false
        state.isListFocused = false
        guard state.detail?.market != market else { return }
        state.detail = MarketDetailScreenState(
            market: market,
            like: state.detail ?? state.lastDetail
        )
    }

    /// Opens another market of the list and marks it there.
    static func stepMarket(by step: Int, _ state: inout ScreenState) {
        guard let market = state.focusedDetail?.market else { return }
        let order = state.list.order
        guard !order.isEmpty else {
            state.notice = state.list.isRead ? .listEmpty : .unlisted
            return
        }
        var target = state.list.selected
        if let index = order.firstIndex(of: market) {
            let bounded = min(max(step, -order.count), order.count)
            target = order[min(max(index + bounded, 0), order.count - 1)]
        }
        guard let target else { return }
        MarketListReducer.select(target, &state.list)
        open(target, &state)
    }

    /// Closes the open market.
    static func leave(_ state: inout ScreenState) {
        state.list.overlay = nil
        state.isListFocused = false
        state.lastDetail = state.detail
        state.detail = nil
    }

    /// Whether Esc in the list would close the market beside it.
    static func isDetailDismissed(_ state: ScreenState) -> Bool {
        state.detail != nil && state.list.overlay == nil && !state.list.isSearching
            && state.list.searchText.isEmpty
    }

    /// Whether focus leaves the market's panes for the list.
    private static func leavesToList(_ action: MarketDetailAction, from pane: DetailPane) -> Bool {
        let panes = DetailPane.allCases
        return (action == .focusNext && pane == panes.last)
            || (action == .focusPrevious && pane == panes.first)
    }
}

extension ScreenReducer {
    /// Adopts settings that another session of the user has saved.
    ///
    /// Tab, quote, sort, direction, interval and layout stay local, as do settings given for this
    /// session and pending changes.
    static func follow(
        _ facts: UserStateUpdate,
        after old: UserStateUpdate?,
        _ state: inout ScreenState
    ) -> [ScreenEffect] {
        resolvePendingSettings(facts, after: old, &state)
        guard let before = old?.record.settings.value, var kept = state.savedSettings else {
            return []
        }
        let stored = facts.record.settings.value
        guard stored != before else { return [] }
        let given = state.start?.given ?? SettingsPatch()
        let asked = state.pendingSettings.map(\.patch)
        var shown = state.settings(over: kept)
        func follow<Value: Equatable>(
            _ path: WritableKeyPath<UserSettings, Value>,
            _ patch: KeyPath<SettingsPatch, Value?>
        ) {
            guard stored[keyPath: path] != before[keyPath: path], given[keyPath: patch] == nil,
                asked.allSatisfy({ $0[keyPath: patch] == nil })
            else { return }
            kept[keyPath: path] = stored[keyPath: path]
            shown[keyPath: path] = stored[keyPath: path]
        }
        follow(\.changePeriod, \.changePeriod)
        follow(\.pinFavorites, \.pinFavorites)
        follow(\.averages, \.averages)
        follow(\.chartStyle, \.chartStyle)
        follow(\.depth, \.depth)
        follow(\.theme, \.theme)
        follow(\.colors, \.colors)
        follow(\.language, \.language)
        state.savedSettings = kept
        let isOrderOld =
            shown.changePeriod != state.list.period || shown.language != state.look.language
        state.adopt(shown)
        return isOrderOld ? [.reorder] : []
    }

    /// Removes pending settings that are confirmed or refused.
    private static func resolvePendingSettings(
        _ facts: UserStateUpdate,
        after old: UserStateUpdate?,
        _ state: inout ScreenState
    ) {
        let stored = facts.record.settings
        state.pendingSettings.removeAll { asked in
            // An earlier pending change may have the same value, but not the revision. If others
            // have saved more revisions, this change preceded one of theirs.
            stored.revision > asked.revision + 1
                || stored.revision > asked.revision
                    && stored.value.patched(by: asked.patch) == stored.value
        }
        guard let refusal = facts.refusal, refusal.number != old?.refusal?.number,
            case .changeSettings(let patch, _) = refusal.change,
            let index = state.pendingSettings.firstIndex(where: { $0.patch == patch })
        else { return }
        state.pendingSettings.remove(at: index)
        // It made no revision, for which those after it would wait.
        for later in state.pendingSettings.indices[index...] {
            state.pendingSettings[later].revision -= 1
        }
    }
}

extension ScreenReducer {
    /// The minimum time that a refusal is shown.
    private static let refusalTime: Duration = .seconds(4)
    /// How long the store may take before a notice appears.
    private static let patience: Duration = .seconds(2)

    /// Updates time-dependent state: a slow store and expired messages.
    static func pass(_ now: Timestamp, pendingCall: UInt64?, _ state: inout ScreenState) {
        if let pendingCall {
            if state.pendingStoreCall?.number != pendingCall {
                state.pendingStoreCall = PendingStoreCall(number: pendingCall, since: now)
            }
        } else {
            state.pendingStoreCall = nil
        }
        state.isStoreSlow =
            state.pendingStoreCall.map { now.isAtLeast(patience, after: $0.since) } ?? false
        clearStaleRefusal(now, &state)
    }

    /// Removes store errors once the store works and was read.
    ///
    /// An open form then says that it can be submitted.
    private static func clearStaleRefusal(_ now: Timestamp, _ state: inout ScreenState) {
        guard state.refusal != nil || state.form?.failure != nil else {
            state.refusalSeenAt = nil
            return
        }
        guard let since = state.refusalSeenAt else {
            state.refusalSeenAt = now
            return
        }
        guard state.personal?.status == .ready, now.isAtLeast(refusalTime, after: since) else {
            return
        }
        if state.refusal?.failure.isStoreFault ?? false { state.refusal = nil }
        if state.form?.failure?.isStoreFault ?? false {
            state.form?.failure = nil
            state.form?.hasStoreRecovered = true
        }
    }
}
