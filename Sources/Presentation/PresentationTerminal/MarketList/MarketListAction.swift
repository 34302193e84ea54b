public import Domain
import ViewStates

/// What a user or the clock asks of the list screen.
public enum MarketListAction: Sendable, Equatable {
    /// To the next tab, or the one before; around the ends.
    case nextTab, previousTab
    /// To a tab, from its top; the open one stays as it is.
    case chooseTab(MarketListTab)
    /// To a sort key, with that key's natural direction; the other direction if it is in force.
    case chooseSort(MarketSortKey)
    /// To the next sort key, with that key's natural direction.
    case nextSort
    /// The other direction.
    case reverseSort
    /// Opens the menu of change periods.
    case openPeriods
    /// Takes a period and closes the menu.
    case choosePeriod(ChangePeriod)
    /// Gives the keys to the search field.
    case beginSearch
    /// Text typed or pasted into the search field.
    case typeSearch(String)
    /// Removes the end of the search text.
    case deleteSearch(FieldPart)
    /// Moves the mark, in rows; positive is down. In the period menu, the menu's mark.
    case move(Int)
    /// Moves the mark by screens.
    case movePage(Int)
    /// To the first or the last row.
    case moveToFirst, moveToLast
    /// Marks a market, if the list has it.
    case select(MarketID)
    /// Moves what is seen of the list, in rows; the mark stays on the screen.
    case scroll(Int)
    /// Enter: takes the marked period, or ends the search field and keeps the filter.
    case confirm
    /// Esc: closes the overlay, else leaves the field, else clears the filter.
    case dismiss
    /// Reloads over REST, retries now if the connection is gone, and sorts anew.
    case reload
    /// Opens or closes the key overview.
    case toggleHelp
    /// Opens or closes the rule of popularity.
    case togglePopularityRule
    /// The screen now has room for this many rows.
    case resize(visibleRows: Int)
    /// New data are there, or time went by: recuts the order when that is due.
    case refresh(now: Timestamp)
    /// The order that was asked for by the effect `reorder`.
    case ordered([MarketID], now: Timestamp)
    /// The list is about to be drawn: whether the markets of its tab are known, so that none are
    /// there if it is empty.
    case found(isRead: Bool)
    /// Ends the program.
    case quit
}

/// What the reducer wants done outside of it.
public enum MarketListEffect: Sendable, Equatable {
    /// Compute the order for the state and send it back as `ordered`.
    case reorder
    /// Read everything anew over REST; retry the connection at once.
    case reload
    /// End the program.
    case quit
}
