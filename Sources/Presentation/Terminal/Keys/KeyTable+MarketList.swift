import Presentation

extension KeyTable {
    /// The keys of the list screen.
    public static let marketList = KeyTable(bindings: movement + commands + closing)

    /// Where the mark goes.
    private static let movement = [
        KeyBinding(
            [.up, .character("k")],
            .move(-1),
            in: [.list, .periods],
            help: LocalizedText(korean: "이동", english: "move")
        ),
        KeyBinding(
            [.down, .character("j")],
            .move(1),
            in: [.list, .periods],
            help: LocalizedText(korean: "이동", english: "move")
        ),
        KeyBinding([.up], .move(-1), in: [.search]),
        KeyBinding([.down], .move(1), in: [.search]),
        KeyBinding(
            [.pageUp, .control("b")],
            .movePage(-1),
            in: [.list],
            help: LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        KeyBinding(
            [.pageDown, .control("f"), .character(" ")],
            .movePage(1),
            in: [.list],
            help: LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        KeyBinding(
            [.home, .character("g")],
            .moveToFirst,
            in: [.list],
            help: LocalizedText(korean: "처음·끝", english: "first, last")
        ),
        KeyBinding(
            [.end, .character("G")],
            .moveToLast,
            in: [.list],
            help: LocalizedText(korean: "처음·끝", english: "first, last")
        ),
    ]

    /// What the list shows.
    private static let commands = [
        KeyBinding(
            [.tab],
            .nextTab,
            in: [.list],
            help: LocalizedText(korean: "탭", english: "tabs"),
            hint: LocalizedText(korean: "탭", english: "tab")
        ),
        KeyBinding(
            [.backTab],
            .previousTab,
            in: [.list],
            help: LocalizedText(korean: "탭", english: "tabs")
        ),
        KeyBinding(
            [.character("/")],
            .beginSearch,
            in: [.list],
            help: LocalizedText(korean: "이름·심볼·초성 검색", english: "search name, symbol"),
            hint: LocalizedText(korean: "검색", english: "search")
        ),
        KeyBinding(
            [.character("s")],
            .nextSort,
            in: [.list],
            help: LocalizedText(korean: "정렬 기준·방향", english: "sort key, direction"),
            hint: LocalizedText(korean: "정렬", english: "sort")
        ),
        KeyBinding(
            [.character("S")],
            .reverseSort,
            in: [.list],
            help: LocalizedText(korean: "정렬 기준·방향", english: "sort key, direction")
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
            help: LocalizedText(korean: "새로고침·재시도", english: "reload, retry"),
            hint: LocalizedText(korean: "새로고침", english: "reload")
        ),
        KeyBinding(
            [.character("i")],
            .togglePopularityRule,
            in: [.list, .panel],
            help: LocalizedText(korean: "인기 순위 기준", english: "rule of popularity")
        ),
    ]

    /// Ways out.
    private static let closing = [
        KeyBinding(
            [.enter],
            .confirm,
            in: [.search, .periods],
            help: LocalizedText(korean: "확인 / 닫기·지우기", english: "take / close, clear"),
            hint: LocalizedText(korean: "확인", english: "take")
        ),
        KeyBinding(
            [.escape],
            .dismiss,
            in: [.list, .search, .periods, .panel],
            help: LocalizedText(korean: "확인 / 닫기·지우기", english: "take / close, clear"),
            hint: LocalizedText(korean: "닫기", english: "close")
        ),
        KeyBinding([.enter], .dismiss, in: [.panel]),
        KeyBinding([.character("p")], .dismiss, in: [.periods]),
        KeyBinding([.backspace], .deleteSearch, in: [.search]),
        KeyBinding(
            [.character("?")],
            .toggleHelp,
            in: [.list, .panel],
            help: LocalizedText(korean: "도움말", english: "help"),
            hint: LocalizedText(korean: "도움말", english: "help")
        ),
        KeyBinding(
            [.character("q")],
            .quit,
            in: [.list, .periods, .panel],
            help: LocalizedText(korean: "종료", english: "quit"),
            hint: LocalizedText(korean: "종료", english: "quit")
        ),
        KeyBinding(
            [.control("c")],
            .quit,
            in: Set(KeyContext.allCases),
            help: LocalizedText(korean: "종료", english: "quit")
        ),
    ]
}
