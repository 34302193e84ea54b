public import Presentation

/// What the keys go to.
public enum KeyContext: Sendable, Hashable, CaseIterable {
    /// The list itself.
    case list
    /// The search field.
    case search
    /// The menu of change periods.
    case periods
    /// A panel that is only read: the keys, or the rule of popularity.
    case panel
    /// The order book of a detail.
    case book
    /// Its chart.
    case chart
    /// Its trades.
    case trades

    /// Where the keys of a screen go.
    public init(_ state: ScreenState) {
        switch state.list.overlay {
        case .periods: self = .periods
        case .help, .popularityRule: self = .panel
        case nil: self = KeyContext(below: state)
        }
    }

    /// Where the keys of a screen go when nothing lies over it.
    init(below state: ScreenState) {
        switch state.detail?.focus {
        case .book: self = .book
        case .chart: self = .chart
        case .trades: self = .trades
        case nil: self = state.list.isSearching ? .search : .list
        }
    }
}

/// Some keys, where they work, what they do, and how the screen says so.
public struct KeyBinding: Sendable, Equatable {
    /// The keys; any of them does it.
    public let keys: [Key]
    /// Where they do it.
    public let contexts: Set<KeyContext>
    /// What they do.
    public let action: ScreenAction
    /// A line of the help; nil for keys that nobody needs to be told of.
    public let help: LocalizedText?
    /// A word for the bottom line; nil for keys that are not named there.
    public let hint: LocalizedText?

    init(
        _ keys: [Key],
        _ action: ScreenAction,
        in contexts: Set<KeyContext>,
        help: LocalizedText? = nil,
        hint: LocalizedText? = nil
    ) {
        self.keys = keys
        self.contexts = contexts
        self.action = action
        self.help = help
        self.hint = hint
    }
}
