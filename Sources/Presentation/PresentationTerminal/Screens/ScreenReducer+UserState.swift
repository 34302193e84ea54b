import Domain
import ViewStates

extension ScreenReducer {
    // MARK: The user's data

    /// Applies the user's data.
    static func apply(_ facts: UserStateUpdate, _ state: inout ScreenState) -> [ScreenEffect] {
        let old = state.personal
        state.personal = facts
        let isStarted = state.start?.isOver ?? false
        var effects = begin(facts, &state)
        if isStarted { effects += follow(facts, after: old, &state) }
        let favorites = facts.record.favorites
        resolvePendingFavorites(from: old, to: facts, &state)
        if state.list.favorites != favorites.value {
            state.list.favorites = favorites.value
            MarketListReducer.fit(&state.list)
            if state.list.tab == .favorites { effects.append(.reorder) }
        }
        if old?.record.holdings != facts.record.holdings { state.portfolio.rows.expireOrder() }
        if facts.refusal == nil { state.refusal = nil }
        // A retry needs an update without a new refusal.
        if facts.status == .ready { state.rejectedSettings = nil }
        if let refusal = facts.refusal, refusal.number != old?.refusal?.number {
            apply(refusal, facts.record, &state)
        }
        effects += resolveForm(facts.record, &state) + tellAlerts(facts, &state)
        return effects
    }

    /// On the first load: adopts the settings.
    private static func begin(
        _ facts: UserStateUpdate,
        _ state: inout ScreenState
    ) -> [ScreenEffect] {
        guard var start = state.start, !start.isOver, !facts.status.isUnread else { return [] }
        start.isOver = true
        state.start = start
        let stored = facts.record.settings
        var kept = stored.value
        let firstLanguage = stored.revision == 0 ? start.language : nil
        if let firstLanguage { kept.language = firstLanguage }
        var effects: [ScreenEffect] = []
        let language = state.look.language
        if start.isTouched {
            let settings = kept.patched(by: start.given)
            state.look.apply(ScreenAppearance(settings), unlessChangedFrom: start.look)
            state.savedSettings = settings
        } else {
            let tab = state.list.tab
            state.apply(kept.patched(by: start.given))
            if state.list.tab != tab { state.list.selected = nil }
            reopenDetail(&state)
            state.savedSettings = state.settings(over: kept)
        }
        if !start.isTouched || state.look.language != language { effects.append(.reorder) }
        if firstLanguage != nil, start.given.language == nil, facts.status == .ready,
            facts.allowsChanges
        {
            // The language from the environment is saved as if the user had chosen it: after the
            // first save the two could not be distinguished.
            state.savedSettings?.language = stored.value.language
        }
        return effects
    }

    /// The market of the start, opened before the settings were read, adopts them.
    private static func reopenDetail(_ state: inout ScreenState) {
        guard let market = state.detail?.market else { return }
        state.detail = nil
        open(market, &state)
    }

    private static func apply(
        _ refusal: RejectedChange,
        _ record: UserRecord,
        _ state: inout ScreenState
    ) {
        if case .changeSettings(let patch, _) = refusal.change, let handedOver = state.savedSettings
        {
            state.rejectedSettings = handedOver
            state.savedSettings = handedOver.without(patch, keeping: record.settings.value)
            if patch.marketLayout != nil, refusal.failure.code == .refused {
                state.storesLayout = false
            }
        }
        state.refusalSeenAt = nil
        if var form = state.form, form.awaited.contains(refusal.change) {
            form.awaited = []
            form.failure = refusal.failure
            state.form = form
        } else {
            state.refusal = refusal
        }
    }

    /// Closes a form whose changes are saved.
    ///
    /// Changes are applied in order. If the last is saved and an earlier one is missing, that one
    /// was refused unnoticed: submit it again.
    private static func resolveForm(
        _ record: UserRecord,
        _ state: inout ScreenState
    ) -> [ScreenEffect] {
        guard var form = state.form, let last = form.awaited.last, record.reflects(last) else {
            return []
        }
        let missing = form.awaited.filter { !record.reflects($0) }
        for case .putHolding(let holding) in form.awaited where missing.isEmpty {
            state.portfolio.rows.awaited = .asset(holding.asset)
        }
        let added = form.awaited
        form.awaited = missing
        state.form = missing.isEmpty ? nil : form
        for case .addAlert(let rule, _) in added where missing.isEmpty {
            showAdded(rule, record, &state)
        }
        return missing.map { .perform($0) }
    }

    // MARK: Favorites

    static func toggleFavorite(_ state: inout ScreenState) -> [ScreenEffect] {
        guard let market = state.favoriteTarget else {
            notifyListUnloaded(&state)
            return []
        }
        if let changeRestriction = state.changeRestriction {
            state.notice = changeRestriction
            return []
        }
        var order = state.intendedFavorites
        let change: UserChange
        if let place = order.firstIndex(of: market) {
            order.remove(at: place)
            change = .removeFavorite(market)
        } else {
            order.append(market)
            change = .addFavorite(market)
        }
        state.want(order)
        return [.perform(change)]
    }

    /// Sets a notice that no row is selected because the list is loading.
    static func notifyListUnloaded(_ state: inout ScreenState) {
        if state.page == .market, state.areRowsLoading { state.notice = .unlisted }
    }

    /// Moves the selected favorite, if the order is visible.
    static func moveFavorite(_ state: inout ScreenState, by step: Int) -> [ScreenEffect] {
        var order = state.intendedFavorites
        guard state.focusedDetail == nil, let market = state.favoriteTarget,
            let place = order.firstIndex(of: market)
        else {
            notifyListUnloaded(&state)
            return []
        }
        if let changeRestriction = state.changeRestriction {
            state.notice = changeRestriction
            return []
        }
        guard !state.list.isSearching, state.list.searchText.isEmpty else {
            state.notice = .searchHidesFavorites
            return []
        }
        guard state.list.tab == .favorites || !state.list.pinned.isEmpty else {
            state.notice = .favoritesUnseen
            return []
        }
        var effects: [ScreenEffect] = []
        if state.list.tab == .favorites, state.list.favoritesSort != nil {
            // Only the user's own order can be changed, so it is shown.
            state.list.favoritesSort = nil
            effects.append(.reorder)
        }
        let bounded = MarketDetailReducer.bounded(step, by: order.count)
        let target = min(max(place + bounded, 0), order.count - 1)
        guard target != place else { return effects }
        order.remove(at: place)
        order.insert(market, at: target)
        state.want(order)
        return effects + [.perform(.moveFavorite(market, to: target))]
    }

    /// Pending favorites are done after their revisions, or when a change was refused.
    private static func resolvePendingFavorites(
        from old: UserStateUpdate?,
        to facts: UserStateUpdate,
        _ state: inout ScreenState
    ) {
        guard var intent = state.intent else { return }
        let favorites = facts.record.favorites
        intent.awaited -= favorites.revision - (old?.record.favorites.revision ?? 0)
        let isRefused = facts.refusal != nil && facts.refusal?.number != old?.refusal?.number
        let isDone = intent.awaited <= 0 || isRefused || intent.order == favorites.value
        state.intent = isDone ? nil : intent
    }
}

extension ScreenState {
    /// The favorites after all submitted changes, so that two quick keys are two changes.
    fileprivate var intendedFavorites: [MarketID] { intent?.order ?? list.favorites }

    fileprivate mutating func want(_ order: [MarketID]) {
        intent = PendingFavorites(order: order, awaited: (intent?.awaited ?? 0) + 1)
    }
}

extension UserSettings {
    /// The settings without a refused patch: its fields take the stored values.
    fileprivate func without(_ patch: SettingsPatch, keeping kept: UserSettings) -> UserSettings {
        var settings = self
        func restore<Value>(
            _ asked: KeyPath<SettingsPatch, Value?>,
            _ value: WritableKeyPath<UserSettings, Value>
        ) {
            if patch[keyPath: asked] != nil { settings[keyPath: value] = kept[keyPath: value] }
        }
        restore(\.sort, \.sort)
        restore(\.sortDirection, \.sortDirection)
        restore(\.quote, \.quote)
        restore(\.tab, \.tab)
        restore(\.pinFavorites, \.pinFavorites)
        restore(\.changePeriod, \.changePeriod)
        restore(\.interval, \.interval)
        restore(\.chartStyle, \.chartStyle)
        restore(\.averages, \.averages)
        restore(\.depth, \.depth)
        restore(\.marketLayout, \.marketLayout)
        restore(\.theme, \.theme)
        restore(\.colors, \.colors)
        restore(\.language, \.language)
        return settings
    }
}
