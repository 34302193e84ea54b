public import Presentation

/// Which key does what: the one place for the keyboard, the help and the hints.
public struct KeyTable: Sendable {
    /// The keys of the list screen.
    public static let marketList = KeyTable(bindings: [
        KeyBinding(
            [.up, .character("k")],
            .move(-1),
            in: [.list, .periods],
            help: LocalizedText(korean: "위로", english: "up")
        ),
        KeyBinding(
            [.down, .character("j")],
            .move(1),
            in: [.list, .periods],
            help: LocalizedText(korean: "아래로", english: "down")
        ),
        KeyBinding([.up], .move(-1), in: [.search]),
        KeyBinding([.down], .move(1), in: [.search]),
        KeyBinding(
            [.pageUp, .control("b")],
            .movePage(-1),
            in: [.list],
            help: LocalizedText(korean: "앞 쪽", english: "page up")
        ),
        KeyBinding(
            [.pageDown, .control("f"), .character(" ")],
            .movePage(1),
            in: [.list],
            help: LocalizedText(korean: "다음 쪽", english: "page down")
        ),
        KeyBinding(
            [.home, .character("g")],
            .moveToFirst,
            in: [.list],
            help: LocalizedText(korean: "맨 위", english: "first row")
        ),
        KeyBinding(
            [.end, .character("G")],
            .moveToLast,
            in: [.list],
            help: LocalizedText(korean: "맨 아래", english: "last row")
        ),
        KeyBinding(
            [.tab],
            .nextTab,
            in: [.list],
            help: LocalizedText(korean: "다음 탭", english: "next tab"),
            hint: LocalizedText(korean: "탭", english: "tab")
        ),
        KeyBinding(
            [.backTab],
            .previousTab,
            in: [.list],
            help: LocalizedText(korean: "이전 탭", english: "previous tab")
        ),
        KeyBinding(
            [.character("/")],
            .beginSearch,
            in: [.list],
            help: LocalizedText(korean: "이름·심볼·초성 검색", english: "search by name or symbol"),
            hint: LocalizedText(korean: "검색", english: "search")
        ),
        KeyBinding(
            [.character("s")],
            .nextSort,
            in: [.list],
            help: LocalizedText(korean: "정렬 기준", english: "sort key"),
            hint: LocalizedText(korean: "정렬", english: "sort")
        ),
        KeyBinding(
            [.character("S")],
            .reverseSort,
            in: [.list],
            help: LocalizedText(korean: "정렬 방향", english: "sort direction")
        ),
        KeyBinding(
            [.character("p")],
            .openPeriods,
            in: [.list],
            help: LocalizedText(korean: "변동률 기간", english: "period of change"),
            hint: LocalizedText(korean: "기간", english: "period")
        ),
        KeyBinding(
            [.character("r")],
            .reload,
            in: [.list],
            help: LocalizedText(korean: "새로고침·재시도·재정렬", english: "reload, retry, re-sort"),
            hint: LocalizedText(korean: "새로고침", english: "reload")
        ),
        KeyBinding(
            [.character("i")],
            .togglePopularityRule,
            in: [.list, .panel],
            help: LocalizedText(korean: "인기 순위 기준", english: "rule of popularity")
        ),
        KeyBinding(
            [.character("?")],
            .toggleHelp,
            in: [.list, .panel],
            help: LocalizedText(korean: "도움말", english: "help"),
            hint: LocalizedText(korean: "도움말", english: "help")
        ),
        KeyBinding(
            [.enter],
            .confirm,
            in: [.search, .periods],
            help: LocalizedText(korean: "선택·검색 마침", english: "choose, end search"),
            hint: LocalizedText(korean: "확인", english: "take")
        ),
        KeyBinding([.enter], .dismiss, in: [.panel]),
        KeyBinding([.backspace], .deleteSearch, in: [.search]),
        KeyBinding(
            [.escape],
            .dismiss,
            in: [.list, .search, .periods, .panel],
            help: LocalizedText(korean: "닫기·검색 지우기", english: "close, clear search"),
            hint: LocalizedText(korean: "닫기", english: "close")
        ),
        KeyBinding([.character("p")], .dismiss, in: [.periods]),
        KeyBinding(
            [.character("q")],
            .quit,
            in: [.list, .periods, .panel],
            help: LocalizedText(korean: "종료", english: "quit"),
            hint: LocalizedText(korean: "종료", english: "quit")
        ),
        KeyBinding([.control("c")], .quit, in: Set(KeyContext.allCases)),
    ])

    /// All rows of the table, in the order of the help.
    public let bindings: [KeyBinding]
    private let actions: [KeyContext: [Key: MarketListAction]]

    private init(bindings: [KeyBinding]) {
        self.bindings = bindings
        var actions: [KeyContext: [Key: MarketListAction]] = [:]
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
        in state: MarketListScreenState
    ) -> MarketListAction? {
        let context = KeyContext(state)
        switch event {
        case .paste(let text):
            // Pasted text is never commands: outside of the search field it is dropped.
            return context == .search ? typing(text, in: state) : nil
        case .key(let key):
            if let action = actions[context]?[key] { return action }
            guard case .character(let scalar) = key else { return nil }
            if context == .search { return typing(String(scalar), in: state) }
            let latin = HangulLayout.latin(for: scalar)
            return latin.flatMap { actions[context]?[.character($0)] }
        }
    }

    /// The keys that the bottom line names, most useful first.
    public func hints(in context: KeyContext) -> [KeyBinding] {
        bindings.filter { $0.hint != nil && $0.contexts.contains(context) }
    }

    private func typing(_ text: String, in state: MarketListScreenState) -> MarketListAction? {
        let accepted = SearchInput.accepted(text, after: state.searchText)
        return accepted.isEmpty ? nil : .typeSearch(accepted)
    }
}
