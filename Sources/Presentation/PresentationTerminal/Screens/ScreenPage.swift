public import Domain
public import ViewStates

/// The screens of the program, in the order of their number keys.
public enum ScreenPage: Sendable, Hashable, CaseIterable {
    /// 거래소: the list of markets.
    case market
    /// 입출금: deposits and withdrawals.
    case assets
    /// 보유자산: what the user holds.
    case portfolio
    /// 더보기: the program itself.
    case more
    /// 알림: alerts that fired, and their rules.
    case alerts
}

/// The user's state of the deposits and withdrawals.
public struct AssetsScreenState: Sendable, Equatable {
    /// Which coins.
    public internal(set) var filter = AssetFilter.all
    /// The sort key.
    public internal(set) var sort = AssetSortKey.name
    /// Which way.
    public internal(set) var direction = SortDirection.ascending
    /// The search text; empty without a search.
    public internal(set) var searchText = ""
    /// Whether the search field has focus.
    public internal(set) var isSearching = false
    /// The coins.
    public internal(set) var rows = SelectableRows<Asset>()

    init() {}

    /// The query that the screen answers.
    public func query(language: Language) -> AssetsQuery {
        var query = AssetsQuery()
        query.filter = filter
        query.sort = sort
        query.direction = direction
        query.searchText = searchText.isEmpty ? nil : searchText
        query.language = language
        query.messageLanguage = language
        return query
    }
}

/// The user's state of the holdings.
public struct PortfolioScreenState: Sendable, Equatable {
    /// The identity of a row.
    public enum RowID: Sendable, Hashable {
        /// A coin.
        case asset(Asset)
        /// The cash, always last.
        case cash
    }

    /// The coins and the cash.
    public internal(set) var rows = SelectableRows<RowID>()

    init() {}
}

/// Actions on the deposits and withdrawals.
public enum AssetsAction: Sendable, Equatable {
    /// To the next or previous filter; wraps around.
    case nextFilter, previousFilter
    /// Selects a filter and scrolls to the top; no effect on the current one.
    case chooseFilter(AssetFilter)
    /// Sorts by a key, ascending; the current key reverses.
    case chooseSort(AssetSortKey)
    /// Marks a coin, if the list has it.
    case select(Asset)
    /// To the next sort key, ascending.
    case nextSort
    /// The other direction.
    case reverseSort
    /// Focuses the search field.
    case beginSearch
    /// Text typed or pasted into the search field.
    case typeSearch(String)
    /// Removes the end of the search text.
    case deleteSearch(FieldPart)
    /// Opens the market of the selected coin.
    case open
    /// Esc: leaves the search field, else clears the search, else returns to the markets.
    case dismiss
    /// Before drawing: the rows, and whether they are loaded.
    case shown([Asset], visibleRows: Int, isRead: Bool = true, now: Timestamp)
}

/// Actions on the holdings.
public enum PortfolioAction: Sendable, Equatable {
    /// Opens the form for another coin.
    case add
    /// Opens the form for the selected coin or the cash.
    case edit
    /// Asks to confirm the removal of the selected coin.
    case remove
    /// Opens the form for the cash.
    case editCash
    /// Opens the form for the display name.
    case editName
    /// Selects a row, if it exists.
    case select(PortfolioScreenState.RowID)
    /// Opens the market of the selected coin.
    case open
    /// Esc: back to the markets.
    case dismiss
    /// Before drawing: the rows, and whether they are loaded.
    case shown(
        [PortfolioScreenState.RowID],
        visibleRows: Int,
        isRead: Bool = true,
        now: Timestamp
    )

    /// Whether it opens a form, which needs the user's loaded data.
    public var asksForChange: Bool {
        switch self {
        case .add, .edit, .remove, .editCash, .editName: true
        case .select, .open, .dismiss, .shown: false
        }
    }
}

/// Actions on the page about the program.
public enum MoreAction: Sendable, Equatable {
    /// To the next theme, colors or language; wraps around.
    case change(AppearanceSetting)
    /// Esc: back to the markets.
    case dismiss
    /// Before drawing: the lines of the text and the visible rows.
    case shown(lines: Int, rows: Int)
}
