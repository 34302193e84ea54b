import Domain

/// Moves the screens from one state to the next: a pure function of state and action.
public enum ScreenReducer: Sendable {
    /// Applies an action.
    ///
    /// - Returns: what is to be done outside, in order.
    public static func reduce(
        _ state: inout ScreenState,
        _ action: ScreenAction
    ) -> [ScreenEffect] {
        let held = state.interests
        if action.isOfUser {
            // The next key is the answer to what was said of the one before.
            state.refusal = nil
            state.notice = nil
            state.start?.isTouched = true
        }
        var effects = action.isOfUser && putOff(action, &state) ? [] : apply(action, &state)
        effects += carryOut(&state)
        askFirst(&state)
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
            guard state.frontDetail == nil, let market = state.list.selected else { return effects }
            if state.detail?.market == market {
                state.isListInFront = false
            } else {
                open(market, &state)
            }
            return effects
        case .open(let market): open(market, &state)
        case .detail(let action): reduce(&state, detail: action)
        case .focusDetail: focusDetail(&state)
        case .show(let page): return show(page, &state)
        case .rows(let action): return move(action, &state)
        case .assets(let action): return reduce(&state, assets: action)
        case .portfolio(let action): return reduce(&state, portfolio: action)
        case .more(let action): return reduce(&state, more: action)
        case .form(let action): return reduce(&state, form: action)
        case .toggleFavorite: return toggleFavorite(&state)
        case .moveFavorite(let step): return moveFavorite(&state, by: step)
        case .togglePinned:
            state.list.pinsFavorites.toggle()
            MarketListReducer.fit(&state.list)
        case .resize(let visibleRows, let room, let besideList):
            state.room = room
            state.roomBesideList = besideList
            return MarketListReducer.reduce(&state.list, .resize(visibleRows: visibleRows))
                .map(ScreenEffect.init)
        case .helpShown(let lines, let rows): state.list.help.show(lines: lines, rows: rows)
        case .personal(let facts): return take(facts, &state)
        case .noMarket(let asset): state.notice = .noMarket(asset)
        case .passed(let now, let pendingCall): pass(now, pendingCall: pendingCall, &state)
        }
        return []
    }

    /// Hands over what of the screens is kept over restarts, when it is another than before.
    ///
    /// What was refused is handed over again when it is changed once more, or when the store has
    /// told something new and is ready.
    private static func keepSettings(_ state: inout ScreenState) -> [ScreenEffect] {
        guard let kept = state.keptSettings else { return [] }
        let settings = state.settings(over: kept)
        guard settings != kept, settings != state.refusedSettings else { return [] }
        state.refusedSettings = nil
        state.keptSettings = settings
        let patch = SettingsPatch(from: kept, to: settings)
        let revision = state.personal?.record.settings.revision ?? 0
        state.askedSettings.append(
            AskedSettings(patch: patch, revision: revision + Int64(state.askedSettings.count))
        )
        return [.perform(.changeSettings(patch, expecting: nil))]
    }

    /// Applies an action of the list; while it is not seen, only what is meant for all screens.
    private static func reduce(
        _ state: inout ScreenState,
        list action: MarketListAction
    ) -> [ScreenEffect] {
        guard state.frontDetail != nil || state.page != .market else {
            if action == .dismiss, isDetailDismissed(state) {
                leave(&state)
                return []
            }
            return MarketListReducer.reduce(&state.list, action).map(ScreenEffect.init)
        }
        switch action {
        case .refresh, .found, .select, .scroll, .chooseTab, .chooseSort:
            guard state.isListSeen else { return [] }
            // A click on a row of the list gives it the keys.
            if case .select = action { state.isListInFront = true }
            return MarketListReducer.reduce(&state.list, action).map(ScreenEffect.init)
        case .move, .moveToFirst, .moveToLast, .confirm, .dismiss:
            // Meant for the menu; without one they would move the list that nobody sees.
            guard state.list.overlay != nil else { return [] }
        case .openPeriods, .choosePeriod, .reload, .toggleHelp, .resize, .ordered, .quit: break
        case .nextTab, .previousTab, .nextSort, .reverseSort, .beginSearch, .typeSearch,
            .deleteSearch, .movePage, .togglePopularityRule:
            return []
        }
        // The order of rows that are not seen can wait until they are.
        return MarketListReducer.reduce(&state.list, action)
            .filter { state.isListSeen || $0 != .reorder }
            .map(ScreenEffect.init)
    }
}

extension ScreenAction {
    /// Whether a user asks it, and not the clock, the data or the size of the screen.
    fileprivate var isOfUser: Bool {
        switch self {
        case .list(.refresh), .list(.ordered), .list(.found), .list(.resize), .detail(.shown),
            .assets(.shown), .portfolio(.shown), .more(.shown), .resize, .helpShown, .noMarket,
            .personal, .passed:
            false
        case .list, .openSelected, .open, .detail, .focusDetail, .show, .rows, .assets, .portfolio,
            .more, .form, .toggleFavorite, .moveFavorite, .togglePinned:
            true
        }
    }
}
