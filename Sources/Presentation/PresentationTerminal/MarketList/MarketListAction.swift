public import Domain
import ViewStates

/// Actions on the market list.
public enum MarketListAction: Sendable, Equatable {
    /// To the next or previous tab; wraps around.
    case nextTab, previousTab
    /// Opens a tab at its top; no effect on the open tab.
    case chooseTab(MarketListTab)
    /// Sorts by a key in its natural direction; the current key reverses.
    case chooseSort(MarketSortKey)
    /// To the next sort key, in its natural direction.
    case nextSort
    /// The other direction.
    case reverseSort
    /// Opens the menu of change periods.
    case openPeriods
    /// Selects a period and closes the menu.
    case choosePeriod(ChangePeriod)
    /// Focuses the search field.
    case beginSearch
    /// Text typed or pasted into the search field.
    case typeSearch(String)
    /// Removes the end of the search text.
    case deleteSearch(FieldPart)
    /// Moves the selection by rows; positive is down. In the period menu, moves there.
    case move(Int)
    /// Moves the selection by pages.
    case movePage(Int)
    /// Selects the first or last row.
    case moveToFirst, moveToLast
    /// Marks a market, if the list has it.
    case select(MarketID)
    /// Scrolls the list by rows; the selection stays visible.
    case scroll(Int)
    /// Enter: confirms the selected period, or leaves the search field and keeps the filter.
    case confirm
    /// Esc: closes the overlay, else leaves the field, else clears the filter.
    case dismiss
    /// Reloads over REST, reconnects immediately and reorders.
    case reload
    /// Opens or closes the key overview.
    case toggleHelp
    /// Opens or closes the rule of popularity.
    case togglePopularityRule
    /// The screen has this many rows.
    case resize(visibleRows: Int, isCompact: Bool = false)
    /// New data are there, or time went by: requests a new order when that is due.
    case refresh(now: Timestamp)
    /// The order requested by the effect `reorder`.
    case ordered([MarketID], now: Timestamp)
    /// Before drawing: whether the markets of the tab are loaded, so that an empty order means
    /// none.
    case found(isRead: Bool)
    /// Ends the program.
    case quit
}

/// Side effects requested by the reducer.
public enum MarketListEffect: Sendable, Equatable {
    /// Compute the order for the state and send it back as `ordered`.
    case reorder
    /// Reload everything over REST and reconnect immediately.
    case reload
    /// End the program.
    case quit
}
