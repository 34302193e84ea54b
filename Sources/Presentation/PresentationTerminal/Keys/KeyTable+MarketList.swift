import ViewStates

extension KeyTable {
    /// Keys of the list, its search field and the overlays.
    static let listBindings: [KeyBinding] =
        movement + commands + favorites + pages + paletteBindings + more + closing
        + searchDeletion(.search) { .list(.deleteSearch($0)) }

    /// Keys that move the selection.
    private static let movement = [
        KeyBinding(
            .rowsUp,
            [.up, .character("k")],
            .list(.move(-1)),
            in: [.list, .periods, .indicators],
            help: LocalizedText(ko: "이동", en: "move")
        ),
        KeyBinding(
            .rowsDown,
            [.down, .character("j")],
            .list(.move(1)),
            in: [.list, .periods, .indicators],
            help: LocalizedText(ko: "이동", en: "move")
        ),
        KeyBinding(.searchUp, [.up], .list(.move(-1)), in: [.search]),
        KeyBinding(.searchDown, [.down], .list(.move(1)), in: [.search]),
        KeyBinding(
            .rowsPageUp,
            [.pageUp, .control("b")],
            .list(.movePage(-1)),
            in: [.list],
            help: LocalizedText(ko: "페이지 이동", en: "by page")
        ),
        KeyBinding(
            .rowsPageDown,
            [.pageDown, .control("f"), .character(" ")],
            .list(.movePage(1)),
            in: [.list],
            help: LocalizedText(ko: "페이지 이동", en: "by page")
        ),
        KeyBinding(
            .rowsFirst,
            [.home, .character("g")],
            .list(.moveToFirst),
            in: [.list],
            help: LocalizedText(ko: "처음·끝", en: "first, last")
        ),
        KeyBinding(
            .rowsLast,
            [.end, .character("G")],
            .list(.moveToLast),
            in: [.list],
            help: LocalizedText(ko: "처음·끝", en: "first, last")
        ),
    ]

    /// Keys that open markets and tabs.
    private static let commands = [
        KeyBinding(
            .listOpen,
            [.enter],
            .openSelected,
            in: [.list],
            help: LocalizedText(ko: "상세 열기", en: "open market"),
            hint: LocalizedText(ko: "열기", en: "open")
        ),
        KeyBinding(
            .searchOpen,
            [.enter],
            .openSelected,
            in: [.search],
            help: LocalizedText(ko: "상세 열기", en: "open market"),
            hint: LocalizedText(ko: "열기", en: "open")
        ),
        KeyBinding(
            .listDetail,
            [.character("w")],
            .focusDetail,
            in: [.list],
            help: LocalizedText(ko: "상세 열기", en: "open market"),
            hint: LocalizedText(ko: "상세", en: "detail")
        ),
        KeyBinding(
            .tabsNext,
            [.tab],
            .list(.nextTab),
            in: [.list],
            help: LocalizedText(ko: "탭", en: "tabs"),
            hint: LocalizedText(ko: "탭", en: "tab")
        ),
        KeyBinding(
            .tabsPrevious,
            [.backTab],
            .list(.previousTab),
            in: [.list],
            help: LocalizedText(ko: "탭", en: "tabs")
        ),
    ]

    /// What the keys of a market add, in one line of the help.
    private static let starOrAlert = LocalizedText(
        ko: "관심 / 알림 추가",
        en: "favorite / add an alert"
    )

    /// 관심: the user's favorites; and their alerts.
    private static let favorites = [
        KeyBinding(
            .favoriteToggle,
            [.character("f")],
            .toggleFavorite,
            in: [.list, .book, .chart, .trades],
            help: starOrAlert,
            hint: LocalizedText(ko: "관심", en: "star")
        ),
        KeyBinding(
            .alertAdd,
            [.character("A"), .character("a")],
            .newAlert,
            in: [.list, .book, .chart, .trades],
            help: starOrAlert
        ),
        // Two keys: a mnemonic letter and one that Korean keyboards have.
        KeyBinding(
            .favoritePin,
            [.character("F"), .character("P")],
            .togglePinned,
            in: [.list],
            help: LocalizedText(ko: "관심을 위에 고정", en: "pin favorites")
        ),
        KeyBinding(
            .favoriteUp,
            [.character("K"), .character("<")],
            .moveFavorite(-1),
            in: [.list],
            help: LocalizedText(ko: "관심 순서 위·아래로", en: "move favorite")
        ),
        KeyBinding(
            .favoriteDown,
            [.character("J"), .character(">")],
            .moveFavorite(1),
            in: [.list],
            help: LocalizedText(ko: "관심 순서 위·아래로", en: "move favorite")
        ),
    ]

    /// Other keys of the list.
    private static let more = [
        KeyBinding(
            .searchBegin,
            [.character("/")],
            .list(.beginSearch),
            in: [.list],
            help: LocalizedText(ko: "이름·심볼·초성 검색", en: "search name, symbol"),
            hint: LocalizedText(ko: "검색", en: "search")
        ),
        KeyBinding(
            .listSort,
            [.character("s")],
            .list(.nextSort),
            in: [.list],
            help: LocalizedText(ko: "정렬 기준·방향", en: "sort key, direction"),
            hint: LocalizedText(ko: "정렬", en: "sort")
        ),
        KeyBinding(
            .listDirection,
            [.character("S")],
            .list(.reverseSort),
            in: [.list],
            help: LocalizedText(ko: "정렬 기준·방향", en: "sort key, direction")
        ),
        KeyBinding(
            .periodMenu,
            [.character("p")],
            .list(.openPeriods),
            in: [.list, .book, .chart, .trades],
            help: LocalizedText(ko: "변동률 기간", en: "change period"),
            hint: LocalizedText(ko: "기간", en: "period")
        ),
        KeyBinding(
            .reload,
            [.character("r")],
            .list(.reload),
            in: [.list, .book, .chart, .trades, .assets, .portfolio, .alerts],
            help: LocalizedText(ko: "새로고침·재시도", en: "reload, retry"),
            hint: LocalizedText(ko: "새로고침", en: "reload")
        ),
        KeyBinding(
            .popularityRule,
            [.character("i")],
            .list(.togglePopularityRule),
            in: [.list, .panel],
            help: LocalizedText(ko: "인기 순위 기준", en: "popularity ranking")
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
            in: [.periods, .indicators],
            help: LocalizedText(ko: "확인 / 닫기·지우기", en: "confirm / close, clear"),
            hint: LocalizedText(ko: "확인", en: "confirm")
        ),
        KeyBinding(
            .back,
            [.escape],
            .list(.dismiss),
            in: [.list, .periods, .indicators, .panel, .help],
            help: LocalizedText(ko: "확인 / 닫기·지우기", en: "confirm / close, clear"),
            hint: LocalizedText(ko: "닫기", en: "close")
        ),
        KeyBinding(
            .searchLeave,
            [.escape],
            .list(.dismiss),
            in: [.search],
            help: LocalizedText(ko: "확인 / 닫기·지우기", en: "confirm / close, clear"),
            hint: LocalizedText(ko: "닫기", en: "close")
        ),
        KeyBinding(.panelClose, [.enter], .list(.dismiss), in: [.panel, .help]),
        KeyBinding(.periodMenu, [.character("p")], .list(.dismiss), in: [.periods]),
        KeyBinding(.chartAverages, [.character("m")], .list(.dismiss), in: [.indicators]),
        KeyBinding(
            .help,
            [.character("?")],
            .list(.toggleHelp),
            in: [
                .list, .panel, .help, .book, .chart, .trades, .assets, .portfolio, .more, .alerts,
            ],
            help: LocalizedText(ko: "도움말", en: "help"),
            hint: LocalizedText(ko: "도움말", en: "help")
        ),
        KeyBinding(
            .quit,
            [.character("q")],
            .list(.quit),
            in: [
                .list, .periods, .indicators, .panel, .help, .book, .chart, .trades, .assets,
                .portfolio, .more, .alerts,
            ],
            help: LocalizedText(ko: "종료", en: "quit"),
            hint: LocalizedText(ko: "종료", en: "quit")
        ),
        KeyBinding(
            fixed: [.control("c")],
            .list(.quit),
            in: Set(KeyContext.allCases),
            help: LocalizedText(ko: "종료", en: "quit")
        ),
    ]
}
