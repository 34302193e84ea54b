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

    /// Where the keys of a screen go.
    public init(_ state: MarketListScreenState) {
        switch state.overlay {
        case .periods: self = .periods
        case .help, .popularityRule: self = .panel
        case nil: self = state.isSearching ? .search : .list
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
    public let action: MarketListAction
    /// A line of the help; nil for keys that nobody needs to be told of.
    public let help: LocalizedText?
    /// A word for the bottom line; nil for keys that are not named there.
    public let hint: LocalizedText?

    init(
        _ keys: [Key],
        _ action: MarketListAction,
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
