public import ViewStates

/// The key bindings: the single source for keyboard, help and hints.
public struct KeyTable: Sendable {
    /// All rows of the table, in the order of the help.
    public let bindings: [KeyBinding]
    private let actions: [KeyContext: [Key: ScreenAction]]

    /// The configured keys of commands; they replace those of ``screens``.
    public let rebound: [KeyCommand: [Key]]

    /// How arrow keys are labeled.
    private var spelling = Key.Spelling.signs

    /// The opposite command, for hints that show both keys.
    private static let opposites: [KeyCommand: KeyCommand] = [
        .bookMore: .bookFewer, .chartEarlier: .chartLater, .chartShorter: .chartLonger,
        .chartZoomIn: .chartZoomOut,
    ]

    /// Creates a table.
    ///
    /// No key may have two actions in one context.
    init(bindings: [KeyBinding], rebound: [KeyCommand: [Key]] = [:]) {
        self.bindings = bindings
        self.rebound = rebound
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

    /// The action of an input event; nil if it has none.
    public func action(
        for event: InputEvent,
        in state: ScreenState
    ) -> ScreenAction? {
        let context = KeyContext(state)
        switch event {
        // Mouse actions depend on the frame; see `MouseHandler`.
        case .mouse: return nil
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
            guard binding.hint != nil, !binding.keys.isEmpty, binding.contexts.contains(context)
            else { return false }
            // Hides hints without effect: Esc without a search, scrolling at the end of the help,
            // coin actions on the cash row, and a language choice with one language.
            let isIdle =
                (binding.action == .list(.dismiss) && context == .list
                    && state.list.searchText.isEmpty && state.detail == nil)
                || (binding.action == .focusDetail && state.detail == nil)
                || (context == .help && !state.list.help.hasMoreBelow
                    && binding.action == .rows(.move(1)))
                || (context == .portfolio && state.portfolio.rows.selected == .cash
                    && [.portfolio(.remove), .portfolio(.open)].contains(binding.action))
                || (binding.action == .more(.change(.language)) && state.isEnglishOnly)
                || (context == .alerts && isIdle(binding.action, state))
            return !isIdle
        }
    }

    /// Whether an action has no effect on the alerts: without a row, or on the log, which is kept.
    private func isIdle(_ action: ScreenAction, _ state: ScreenState) -> Bool {
        switch action {
        case .alerts(.open): state.alerts.rows.selected == nil
        case .alerts(.remove):
            state.alerts.section == .log || state.alerts.rows.selected == nil
        case .newAlert, .alerts(.otherSection): !state.hasAlerts
        default: false
        }
    }

    /// The hint text, which for Esc depends on its current effect.
    ///
    /// Esc first leaves the search field and keeps the results, then clears the search. In a market
    /// it first undoes movement, then returns to the list.
    func hint(of binding: KeyBinding, in state: ScreenState) -> LocalizedText? {
        let text: String
        switch (binding.command, KeyContext(state)) {
        case (.searchLeave, .search), (.back, .list): text = state.list.searchText
        case (.searchLeave, .assetSearch), (.back, .assets): text = state.assets.searchText
        case (.back, .book), (.back, .chart), (.back, .trades):
            guard state.detail?.isMoved ?? false else { return binding.hint }
            return LocalizedText(ko: "되돌리기", en: "undo")
        case (.alertOpen, .alerts) where state.alerts.section == .rules:
            return LocalizedText(ko: "수정", en: "edit")
        default: return binding.hint
        }
        guard !text.isEmpty else { return binding.hint }
        return binding.command == .back
            ? LocalizedText(ko: "지우기", en: "clear")
            : LocalizedText(ko: "검색 끝", en: "done")
    }

    /// The lines of the help; bindings with the same text share a line.
    ///
    /// - Parameters:
    ///   - context: the list or the focused pane.
    ///   - isShort: whether to show only the first key of each binding.
    /// - Returns: the lines from the top.
    public func helpEntries(for context: KeyContext, isShort: Bool) -> [HelpEntry] {
        let contexts = context.sharedHelpContexts
        var entries: [HelpEntry] = []
        for binding in bindings where !binding.contexts.isDisjoint(with: contexts) {
            guard let text = binding.help, !binding.keys.isEmpty else { continue }
            let keys = isShort ? binding.keys.prefix(1) : binding.keys[...]
            if entries.last?.text != text {
                entries.append(HelpEntry(labels: [], text: text, action: binding.action))
            }
            for label in keys.map(label(of:)) where entries[entries.count - 1].labels.last != label
            {
                entries[entries.count - 1].labels.append(label)
            }
        }
        return entries
    }

    /// The first key of an action in a context; nil if none.
    func key(for action: ScreenAction, in context: KeyContext) -> Key? {
        bindings.lazy.filter { $0.action == action && $0.contexts.contains(context) }
            .compactMap(\.keys.first).first
    }

    /// The first key of a command; nil if it has none.
    func key(for command: KeyCommand) -> Key? {
        bindings.first { $0.command == command }?.keys.first
    }

    /// The same table for a screen that has such characters.
    func spelled(for characters: TerminalCharacters) -> KeyTable {
        var table = self
        table.spelling =
            switch characters {
            case .unicode: .signs
            case .ascii: .words
            }
        return table
    }

    /// How the screen calls a key.
    func label(of key: Key) -> String { key.label(spelling) }

    /// How the screen calls the first key of a command; empty if it has none.
    func label(of command: KeyCommand) -> String { key(for: command).map(label(of:)) ?? "" }

    /// The key label in a hint: a range for the page keys, and both keys for commands with an
    /// opposite.
    func hintLabel(of binding: KeyBinding) -> String? {
        guard binding.command == .pageMarket else {
            guard let label = binding.keys.first.map(label(of:)) else { return nil }
            guard let back = opposite(of: binding).flatMap({ key(for: $0) }).map(label(of:))
            else { return label }
            let isShort = label.count == 1 && back.count == 1
            return label + (isShort ? "" : "/") + back
        }
        let keys = ScreenPage.allCases.map(Self.pageCommand).compactMap { key(for: $0) }
        guard let first = keys.first, let last = keys.last else { return nil }
        guard keys.count > 2, zip(keys, keys.dropFirst()).allSatisfy({ $0.isBefore($1) }) else {
            return keys.map(label(of:)).joined(separator: " ")
        }
        return label(of: first) + "-" + label(of: last)
    }

    /// The opposite of a command in a hint.
    private func opposite(of binding: KeyBinding) -> KeyCommand? {
        binding.command.flatMap { Self.opposites[$0] }
    }

    /// The action for typed or pasted text, without unprintable characters; the reducer limits its
    /// length.
    ///
    /// In a form control characters become spaces, so that a pasted column of numbers does not
    /// become one number.
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
        case .palette: .palette(.type(typed))
        case .form: .form(.type(typed))
        case .list, .periods, .indicators, .panel, .help, .book, .chart, .trades, .assets,
            .portfolio, .more, .alerts, .question, .saving:
            nil
        }
    }
}

extension KeyContext {
    /// Whether letters are letters there.
    var isField: Bool {
        self == .search || self == .assetSearch || self == .palette || self == .form
    }

    /// The contexts that share one help: a screen, its fields and its overlays.
    fileprivate var sharedHelpContexts: Set<KeyContext> {
        switch self {
        case .list, .search, .periods, .panel, .help: [.list, .search, .periods, .panel]
        case .assets, .assetSearch: [.assets, .assetSearch]
        case .portfolio, .form, .question, .saving: [.portfolio, .form, .question, .saving]
        case .book, .chart, .trades, .more, .alerts, .palette: [self]
        case .indicators: [.chart, self]
        }
    }
}

/// One line of the help.
public struct HelpEntry: Sendable, Equatable {
    /// The keys as they are called on the screen.
    public var labels: [String]
    /// All of them, separated by blanks.
    public var keys: String { labels.joined(separator: " ") }
    /// The description.
    public let text: LocalizedText
    /// The action of the first of them.
    public let action: ScreenAction
}

extension Key {
    /// Whether another key comes right after this one: 2 after 1, F6 after F5.
    fileprivate func isBefore(_ other: Key) -> Bool {
        switch (self, other) {
        case (.character(let own), .character(let next)): own.value + 1 == next.value
        case (.function(let own), .function(let next)): own + 1 == next
        default: false
        }
    }
}
