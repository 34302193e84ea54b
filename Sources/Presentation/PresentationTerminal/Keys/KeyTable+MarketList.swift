import ViewStates

extension KeyTable {
    /// The keys of the list, its search field, and what lies over the screen.
    static let listBindings =
        movement + commands + favorites + pages + more + closing
        + searchDeletion(.search) { .list(.deleteSearch($0)) }

    /// Where the mark goes.
    private static let movement = [
        KeyBinding(
            .rowsUp,
            [.up, .character("k")],
            .list(.move(-1)),
            in: [.list, .periods],
            help: LocalizedText(korean: "이동", english: "move")
        ),
        KeyBinding(
            .rowsDown,
            [.down, .character("j")],
            .list(.move(1)),
            in: [.list, .periods],
            help: LocalizedText(korean: "이동", english: "move")
        ),
        KeyBinding(.searchUp, [.up], .list(.move(-1)), in: [.search]),
        KeyBinding(.searchDown, [.down], .list(.move(1)), in: [.search]),
        KeyBinding(
            .rowsPageUp,
            [.pageUp, .control("b")],
            .list(.movePage(-1)),
            in: [.list],
            help: LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        KeyBinding(
            .rowsPageDown,
            [.pageDown, .control("f"), .character(" ")],
            .list(.movePage(1)),
            in: [.list],
            help: LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        KeyBinding(
            .rowsFirst,
            [.home, .character("g")],
            .list(.moveToFirst),
            in: [.list],
            help: LocalizedText(korean: "처음·끝", english: "first, last")
        ),
        KeyBinding(
            .rowsLast,
            [.end, .character("G")],
            .list(.moveToLast),
            in: [.list],
            help: LocalizedText(korean: "처음·끝", english: "first, last")
        ),
    ]

    /// What the list shows.
    private static let commands = [
        KeyBinding(
            .listOpen,
            [.enter],
            .openSelected,
            in: [.list],
            help: LocalizedText(korean: "상세 열기", english: "open the detail"),
            hint: LocalizedText(korean: "열기", english: "open")
        ),
        KeyBinding(
            .searchOpen,
            [.enter],
            .openSelected,
            in: [.search],
            help: LocalizedText(korean: "상세 열기", english: "open the detail"),
            hint: LocalizedText(korean: "열기", english: "open")
        ),
        KeyBinding(
            .listDetail,
            [.character("w")],
            .focusDetail,
            in: [.list],
            help: LocalizedText(korean: "상세 열기", english: "open the detail"),
            hint: LocalizedText(korean: "상세", english: "detail")
        ),
        KeyBinding(
            .tabsNext,
            [.tab],
            .list(.nextTab),
            in: [.list],
            help: LocalizedText(korean: "탭", english: "tabs"),
            hint: LocalizedText(korean: "탭", english: "tab")
        ),
        KeyBinding(
            .tabsPrevious,
            [.backTab],
            .list(.previousTab),
            in: [.list],
            help: LocalizedText(korean: "탭", english: "tabs")
        ),
    ]

    /// 관심: the user's favourites.
    private static let favorites = [
        KeyBinding(
            .favoriteToggle,
            [.character("f")],
            .toggleFavorite,
            in: [.list, .book, .chart, .trades],
            help: LocalizedText(korean: "관심 담기·빼기", english: "star, unstar"),
            hint: LocalizedText(korean: "관심", english: "star")
        ),
        // Beside the letter that says it, one that a Korean keyboard has as well.
        KeyBinding(
            .favoritePin,
            [.character("F"), .character("P")],
            .togglePinned,
            in: [.list],
            help: LocalizedText(korean: "관심을 위에 고정", english: "pin the starred")
        ),
        KeyBinding(
            .favoriteUp,
            [.character("K"), .character("<")],
            .moveFavorite(-1),
            in: [.list],
            help: LocalizedText(korean: "관심 순서 위·아래로", english: "move the starred one")
        ),
        KeyBinding(
            .favoriteDown,
            [.character("J"), .character(">")],
            .moveFavorite(1),
            in: [.list],
            help: LocalizedText(korean: "관심 순서 위·아래로", english: "move the starred one")
        ),
    ]

    /// What else the list shows.
    private static let more = [
        KeyBinding(
            .searchBegin,
            [.character("/")],
            .list(.beginSearch),
            in: [.list],
            help: LocalizedText(korean: "이름·심볼·초성 검색", english: "search name, symbol"),
            hint: LocalizedText(korean: "검색", english: "search")
        ),
        KeyBinding(
            .listSort,
            [.character("s")],
            .list(.nextSort),
            in: [.list],
            help: LocalizedText(korean: "정렬 기준·방향", english: "sort key, direction"),
            hint: LocalizedText(korean: "정렬", english: "sort")
        ),
        KeyBinding(
            .listDirection,
            [.character("S")],
            .list(.reverseSort),
            in: [.list],
            help: LocalizedText(korean: "정렬 기준·방향", english: "sort key, direction")
        ),
        KeyBinding(
            .periodMenu,
            [.character("p")],
            .list(.openPeriods),
            in: [.list, .book, .chart, .trades],
            help: LocalizedText(korean: "변동률 기간", english: "period of change"),
            hint: LocalizedText(korean: "기간", english: "period")
        ),
        KeyBinding(
            .reload,
            [.character("r")],
            .list(.reload),
            in: [.list, .book, .chart, .trades, .assets, .portfolio],
            help: LocalizedText(korean: "새로고침·재시도", english: "reload, retry"),
            hint: LocalizedText(korean: "새로고침", english: "reload")
        ),
        KeyBinding(
            .popularityRule,
            [.character("i")],
            .list(.togglePopularityRule),
            in: [.list, .panel],
            help: LocalizedText(korean: "인기 순위 기준", english: "rule of popularity")
        ),
    ]

    /// The keys that remove the end of a search text, as they are in shells.
    static func searchDeletion(
        _ context: KeyContext,
        _ action: (FieldPart) -> ScreenAction
    ) -> [KeyBinding] {
        [
            KeyBinding(.searchDelete, [.backspace], action(.character), in: [context]),
            KeyBinding(.searchDeleteWord, [.control("w")], action(.word), in: [context]),
            KeyBinding(.searchClear, [.control("u")], action(.all), in: [context]),
        ]
    }

    /// Ways out.
    private static let closing = [
        KeyBinding(
            .menuConfirm,
            [.enter],
            .list(.confirm),
            in: [.periods],
            help: LocalizedText(korean: "확인 / 닫기·지우기", english: "take / close, clear"),
            hint: LocalizedText(korean: "확인", english: "take")
        ),
        KeyBinding(
            .back,
            [.escape],
            .list(.dismiss),
            in: [.list, .periods, .panel, .help],
            help: LocalizedText(korean: "확인 / 닫기·지우기", english: "take / close, clear"),
            hint: LocalizedText(korean: "닫기", english: "close")
        ),
        KeyBinding(
            .searchLeave,
            [.escape],
            .list(.dismiss),
            in: [.search],
            help: LocalizedText(korean: "확인 / 닫기·지우기", english: "take / close, clear"),
            hint: LocalizedText(korean: "닫기", english: "close")
        ),
        KeyBinding(.panelClose, [.enter], .list(.dismiss), in: [.panel, .help]),
        KeyBinding(.periodMenu, [.character("p")], .list(.dismiss), in: [.periods]),
        KeyBinding(
            .help,
            [.character("?")],
            .list(.toggleHelp),
            in: [.list, .panel, .help, .book, .chart, .trades, .assets, .portfolio, .more],
            help: LocalizedText(korean: "도움말", english: "help"),
            hint: LocalizedText(korean: "도움말", english: "help")
        ),
        KeyBinding(
            .quit,
            [.character("q")],
            .list(.quit),
            in: [
                .list, .periods, .panel, .help, .book, .chart, .trades, .assets, .portfolio, .more,
            ],
            help: LocalizedText(korean: "종료", english: "quit"),
            hint: LocalizedText(korean: "종료", english: "quit")
        ),
        KeyBinding(
            fixed: [.control("c")],
            .list(.quit),
            in: Set(KeyContext.allCases),
            help: LocalizedText(korean: "종료", english: "quit")
        ),
    ]
}
