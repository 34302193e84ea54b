import Domain
import ViewStates

extension ScreenReducer {
    /// Opens a page; the open page scrolls to its first row.
    static func show(_ page: ScreenPage, _ state: inout ScreenState) -> [ScreenEffect] {
        let isOpen = page == state.page && state.focusedDetail == nil
        guard !isOpen else { return move(.moveToFirst, &state) }
        if state.focusedDetail != nil {
            if state.isSplit { state.isListFocused = true } else { leave(&state) }
        }
        state.page = page
        state.list.overlay = nil
        state.list.isSearching = false
        state.assets.isSearching = false
        if page == .alerts { openAlerts(&state) }
        if page == .market { return [.reorder] }
        return []
    }

    /// Moves within the help, else within the rows of the page.
    static func move(_ action: RowsAction, _ state: inout ScreenState) -> [ScreenEffect] {
        if state.list.overlay == .help {
            state.list.help.move(action)
            return []
        }
        switch state.page {
        case .market:
            let listAction: MarketListAction =
                switch action {
                case .move(let rows): .move(rows)
                case .movePage(let pages): .movePage(pages)
                case .moveToFirst: .moveToFirst
                case .moveToLast: .moveToLast
                case .scroll(let rows): .scroll(rows)
                }
            return MarketListReducer.reduce(&state.list, listAction).map(ScreenEffect.init)
        case .assets: state.assets.rows.move(action)
        case .portfolio: state.portfolio.rows.move(action)
        case .more: state.more.move(action)
        case .alerts: state.alerts.rows.move(action)
        }
        return []
    }

    static func reduce(
        _ state: inout ScreenState,
        assets action: AssetsAction
    ) -> [ScreenEffect] {
        switch action {
        case .chooseFilter(let filter):
            guard filter != state.assets.filter else { return [] }
            state.assets.filter = filter
            state.assets.rows.restart()
        case .chooseSort(let sort):
            let isInForce = sort == state.assets.sort
            state.assets.direction = isInForce ? state.assets.direction.reversed : .ascending
            state.assets.sort = sort
            state.assets.rows.expireOrder()
        case .select(let asset): state.assets.rows.select(asset)
        case .nextFilter: changeFilter(&state.assets, by: 1)
        case .previousFilter: changeFilter(&state.assets, by: -1)
        case .nextSort:
            let keys = AssetSortKey.allCases
            let index = keys.firstIndex(of: state.assets.sort) ?? 0
            state.assets.sort = keys[(index + 1) % keys.count]
            state.assets.direction = .ascending
            state.assets.rows.expireOrder()
        case .reverseSort:
            state.assets.direction = state.assets.direction.reversed
            state.assets.rows.expireOrder()
        case .beginSearch:
            state.list.overlay = nil
            state.assets.isSearching = true
        case .typeSearch(let text):
            guard let longer = TextFieldInput.appended(text, to: state.assets.searchText) else {
                return []
            }
            state.assets.searchText = longer
            state.assets.rows.restart()
        case .deleteSearch(let part):
            guard let rest = TextFieldInput.shortened(state.assets.searchText, by: part) else {
                return []
            }
            state.assets.searchText = rest
            state.assets.rows.expireOrder()
        case .open:
            state.assets.isSearching = false
            return state.assets.rows.selected.map { [.openMarket(of: $0)] } ?? []
        case .dismiss:
            if state.assets.isSearching {
                state.assets.isSearching = false
            } else if !state.assets.searchText.isEmpty {
                state.assets.searchText = ""
                state.assets.rows.expireOrder()
            } else {
                return show(.market, &state)
            }
        case .shown(let order, let visibleRows, let isRead, let now):
            state.assets.rows.show(order, visibleRows: visibleRows, isRead: isRead, now: now)
        }
        return []
    }

    private static func changeFilter(_ state: inout AssetsScreenState, by step: Int) {
        let filters = AssetFilter.allCases
        let index = filters.firstIndex(of: state.filter) ?? 0
        state.filter = filters[(index + step + filters.count) % filters.count]
        // A new list starts at its top; search and sort stay.
        state.rows.restart()
    }

    /// The selected coin; sets a notice if the cash is selected.
    private static func markedCoin(_ state: inout ScreenState) -> Asset? {
        switch state.portfolio.rows.selected {
        case .asset(let asset): return asset
        case .cash: state.notice = .notOfCash
        case nil: break
        }
        return nil
    }

    static func reduce(
        _ state: inout ScreenState,
        portfolio action: PortfolioAction
    ) -> [ScreenEffect] {
        let holdings = state.personal?.record.holdings.value ?? []
        if let changeRestriction = state.changeRestriction, action.asksForChange {
            state.notice = changeRestriction
            return []
        }
        switch action {
        case .add: state.form = .adding
        case .edit:
            switch state.portfolio.rows.selected {
            case .asset(let asset):
                state.form = holdings.first { $0.asset == asset }.map(ScreenForm.editing)
            case .cash: state.form = .cash(state.personal?.record.cash.value)
            case nil: return []
            }
        case .remove:
            guard let asset = markedCoin(&state) else { return [] }
            state.form = ScreenForm(.removeHolding(asset), [])
        case .select(let row): state.portfolio.rows.select(row)
        case .editCash: state.form = .cash(state.personal?.record.cash.value)
        case .editName:
            state.form = .displayName(state.personal?.record.profile.value.displayName)
        case .open:
            guard let asset = markedCoin(&state) else { return [] }
            return [.openMarket(of: asset)]
        case .dismiss: return show(.market, &state)
        case .shown(let order, let visibleRows, let isRead, let now):
            state.portfolio.rows.show(order, visibleRows: visibleRows, isRead: isRead, now: now)
        }
        return []
    }

    static func reduce(_ state: inout ScreenState, more action: MoreAction) -> [ScreenEffect] {
        switch action {
        case .change(.language) where state.isEnglishOnly: return []
        case .change(let choice):
            state.look = state.look.advanced(choice)
            return choice == .language ? [.reorder] : []
        case .dismiss: return show(.market, &state)
        case .shown(let lines, let rows):
            state.more.show(lines: lines, rows: rows)
            return []
        }
    }

    static func reduce(_ state: inout ScreenState, form action: FormAction) -> [ScreenEffect] {
        guard var form = state.form else { return [] }
        let outcome = FormReducer.reduce(
            &form,
            action,
            holdings: state.personal?.record.holdings.value ?? []
        )
        switch outcome {
        case .open: state.form = form
        case .closed: state.form = nil
        case .answered(.average(let average)):
            state.form = nil
            add(average, &state)
        case .answered(.comparison(let asset)):
            state.form = nil
            return [.compare(with: asset)]
        case .answered(.chartFile(let name)):
            state.form = nil
            return [.saveChart(name: name)]
        case .submitted(let changes):
            // No answer to wait for if the values are already stored.
            let record = state.personal?.record
            let isKept = changes.allSatisfy { record?.reflects($0) ?? false }
            state.form = isKept ? nil : form
            return changes.map { .perform($0) }
        }
        return []
    }
}
