public import Domain
import ViewStates

/// The user's state of the alerts.
public struct AlertsScreenState: Sendable, Equatable {
    /// The parts of the page, one of which is visible.
    public enum Section: Sendable, Hashable, CaseIterable {
        /// 알림: what has fired.
        case log
        /// 규칙: what is watched.
        case rules
    }

    /// The visible part.
    public internal(set) var section = Section.log
    /// The alerts by their numbers.
    public internal(set) var log = SelectableRows<Int64>()
    /// The rules by their numbers.
    public internal(set) var rules = SelectableRows<Int64>()
    /// Alerts with higher numbers are marked as new; nil until the page and the log are read.
    ///
    /// The mark stays while the page is open, although it marks them as seen.
    public internal(set) var newAfter: Int64?
    /// The number through which alerts were marked as seen, whether or not it is stored yet.
    var markedThrough: Int64 = 0

    init() {}

    /// The rows of the visible part.
    var rows: SelectableRows<Int64> {
        get { section == .log ? log : rules }
        set { if section == .log { log = newValue } else { rules = newValue } }
    }
}

/// Actions on the alerts.
public enum AlertsAction: Sendable, Equatable {
    /// To the other part.
    case otherSection
    /// Selects a part.
    case choose(AlertsScreenState.Section)
    /// Selects a row of the visible part, if it exists.
    case select(Int64)
    /// Opens the market of the selected alert, or the form of the selected rule.
    case open
    /// Asks to confirm the removal of the selected rule.
    case remove
    /// Esc: back to the markets.
    case dismiss
    /// Before drawing: the size of the window, and whether the alerts are loaded.
    case shown(visibleRows: Int, isRead: Bool = true, now: Timestamp)
}

/// What a screen needs to know to read the text of a rule.
public struct AlertRuleContext: Sendable, Equatable {
    /// The kind of feed, on which alone the rule fires.
    public var feed: FeedKind
    /// The markets of the exchange; empty while unknown.
    public var markets: Set<MarketID>
    /// The time of the rule's creation.
    public var now: Timestamp

    /// Makes a context.
    public init(feed: FeedKind, markets: Set<MarketID>, now: Timestamp) {
        self.feed = feed
        self.markets = markets
        self.now = now
    }
}
