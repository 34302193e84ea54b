public import Domain

/// What a user or the clock asks of the screens.
public enum ScreenAction: Sendable, Equatable {
    /// To the list, or to what lies over the whole screen: menu, help, the end.
    case list(MarketListAction)
    /// Opens the detail of the marked market; ends typing in the search field.
    case openSelected
    /// Opens the detail of a market.
    case open(MarketID)
    /// To the detail.
    case detail(MarketDetailAction)
    /// The screen has another size.
    case resize(visibleRows: Int, room: DetailRoom)
}

/// What the reducer wants done outside of it.
public enum ScreenEffect: Sendable, Equatable {
    /// Compute the order for the list's state and send it back as `list(.ordered)`.
    case reorder
    /// Read everything anew over REST; retry the connection at once.
    case reload
    /// From now on follow this and nothing else.
    case hold(Set<DetailInterest>)
    /// End the program.
    case quit

    init(_ effect: MarketListEffect) {
        self =
            switch effect {
            case .reorder: .reorder
            case .reload: .reload
            case .quit: .quit
            }
    }
}

/// What a user asks of the detail of a market.
public enum MarketDetailAction: Sendable, Equatable {
    /// Gives a pane the keys; one that has them goes back to where it began, as with `dismiss`.
    case focus(DetailPane)
    /// Gives the next pane the keys, or the one before; around the ends.
    case focusNext, focusPrevious
    /// Esc: ends the cross-hair, else goes back to where the pane began, else to the list.
    case dismiss

    /// Moves what the book or the list of trades shows, in rows; positive is down.
    case scroll(Int)
    /// The same by screens.
    case scrollPage(Int)
    /// To the newest trade or day, and to the oldest.
    case scrollToFirst, scrollToLast
    /// So many levels a side more or less.
    case changeDepth(Int)
    /// To the next or previous price step of the book; around the ends.
    case nextGroup, previousGroup
    /// Puts the spread into the middle again.
    case recenter
    /// Between trades and days.
    case toggleDays

    /// To a longer interval, or a shorter one; not around the ends.
    case longerInterval, shorterInterval
    /// Fewer buckets, or more.
    case zoomIn, zoomOut
    /// Moves the cross-hair if there is one, else the window, in buckets; positive is later.
    case moveInTime(Int)
    /// The same by screens.
    case pageInTime(Int)
    /// Back to the newest bucket.
    case moveToNewest
    /// Switches the cross-hair on or off.
    case toggleCrosshair
    /// To the next choice of averages: all, none, each one by itself.
    case nextAverages
    /// Shows or hides the volume.
    case toggleVolume
    /// Gives the volume so many rows more.
    case growVolume(Int)
    /// Between candles and the line of last prices.
    case toggleLine
    /// Between the interval and the line of the newest trades.
    case toggleTicks
    /// Between prices and per cent.
    case togglePercent

    /// A document is about to be drawn: what it holds bounds what can be scrolled to.
    case shown(DetailFacts)
}
