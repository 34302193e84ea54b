public import Presentation

/// Which key does what: the one place for the keyboard, the help and the hints.
public struct KeyTable: Sendable {
    /// All rows of the table, in the order of the help.
    public let bindings: [KeyBinding]
    private let actions: [KeyContext: [Key: ScreenAction]]

    init(bindings: [KeyBinding]) {
        self.bindings = bindings
        var actions: [KeyContext: [Key: ScreenAction]] = [:]
        for binding in bindings {
            for context in binding.contexts {
                for key in binding.keys {
                    let earlier = actions[context, default: [:]].updateValue(
                        binding.action,
                        forKey: key
                    )
                    precondition(earlier == nil, "\(key) is bound twice in \(context)")
                }
            }
        }
        self.actions = actions
    }

    /// What a key, or a paste, asks of a screen; nil if nothing.
    public func action(
        for event: InputEvent,
        in state: ScreenState
    ) -> ScreenAction? {
        let context = KeyContext(state)
        switch event {
        case .paste(let text):
            // Pasted text is never commands: outside of fields it is dropped.
            return typing(text, in: context)
        case .key(let key):
            if let action = actions[context]?[key] { return action }
            guard case .character(let scalar) = key else { return nil }
            if context.isField { return typing(String(scalar), in: context) }
            let latin = HangulLayout.latin(for: scalar)
            return latin.flatMap { actions[context]?[.character($0)] }
        }
    }

    /// The keys that the bottom line names: those that have an effect just now.
    public func hints(in state: ScreenState) -> [KeyBinding] {
        let context = KeyContext(state)
        return bindings.filter { binding in
            guard binding.hint != nil, binding.contexts.contains(context) else { return false }
            // In the list, Esc has only the search to clear; at its end a help has no more.
            let isIdle =
                (binding.action == .list(.dismiss) && context == .list
                    && state.list.searchText.isEmpty)
                || (context == .help && !state.list.help.hasMoreBelow
                    && binding.action == .rows(.move(1)))
            return !isIdle
        }
    }

    /// The lines of the help: bindings of the same text share one.
    ///
    /// - Parameters:
    ///   - context: the list, or the pane of a detail that has the keys.
    ///   - isShort: whether only the first key of each binding is named.
    /// - Returns: the lines from the top.
    public func helpEntries(for context: KeyContext, isShort: Bool) -> [HelpEntry] {
        let contexts = context.toldTogether
        var entries: [HelpEntry] = []
        for binding in bindings where !binding.contexts.isDisjoint(with: contexts) {
            guard let text = binding.help else { continue }
            let keys = isShort ? binding.keys.prefix(1) : binding.keys[...]
            let labels = keys.map(\.label).joined(separator: " ")
            if entries.last?.text == text {
                entries[entries.count - 1].keys += " " + labels
            } else {
                entries.append(HelpEntry(keys: labels, text: text, action: binding.action))
            }
        }
        return entries
    }

    /// Whether a key does something in one place.
    func isBound(_ key: Key, to action: ScreenAction, in context: KeyContext) -> Bool {
        actions[context]?[key] == action
    }

    /// What of typed or pasted text can be seen; the reducer bounds how much of it there is.
    ///
    /// In a form a control character is a blank: without its line ends a column of numbers would
    /// be another number.
    private func typing(_ text: String, in context: KeyContext) -> ScreenAction? {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch ScalarWidth.of(scalar) {
            case .narrow, .wide, .mark: visible.append(scalar)
            case .replaced where context == .form: visible.append(" ")
            case .invisible, .replaced: continue
            }
        }
        guard !visible.isEmpty else { return nil }
        let typed = String(visible)
        return switch context {
        case .search: .list(.typeSearch(typed))
        case .assetSearch: .assets(.typeSearch(typed))
        case .form: .form(.type(typed))
        case .list, .periods, .panel, .help, .book, .chart, .trades, .assets, .portfolio, .more,
            .question, .saving:
            nil
        }
    }
}

extension KeyContext {
    /// Whether letters are letters there.
    var isField: Bool { self == .search || self == .assetSearch || self == .form }

    /// The places whose keys one help tells: a screen, its fields, and what lies over it.
    fileprivate var toldTogether: Set<KeyContext> {
        switch self {
        case .list, .search, .periods, .panel, .help: [.list, .search, .periods, .panel]
        case .assets, .assetSearch: [.assets, .assetSearch]
        case .portfolio, .form, .question, .saving: [.portfolio, .form, .question, .saving]
        case .book, .chart, .trades, .more: [self]
        }
    }
}

/// One line of the help.
public struct HelpEntry: Sendable, Equatable {
    /// The keys as they are called on the screen, separated by blanks.
    public var keys: String
    /// What they do.
    public let text: LocalizedText
    /// The action of the first of them.
    public let action: ScreenAction
}
