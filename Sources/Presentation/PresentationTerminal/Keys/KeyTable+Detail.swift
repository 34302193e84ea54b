import ViewStates

extension KeyTable {
    /// The keys of all screens.
    public static let screens = KeyTable(
        bindings: formBindings + pageBindings + paneBindings + detailBindings + listBindings
            + copyBindings
    )

    /// The keys of a detail, whichever pane has them.
    private static let detailBindings = [
        // Without keys of their own: numbers choose screens. A configuration may give them some.
        binding(
            .paneBook,
            [],
            .focus(.book),
            in: panes,
            LocalizedText(ko: "호가·차트·시세", en: "book, chart, trades")
        ),
        binding(
            .paneChart,
            [],
            .focus(.chart),
            in: panes,
            LocalizedText(ko: "호가·차트·시세", en: "book, chart, trades")
        ),
        binding(
            .paneTrades,
            [],
            .focus(.trades),
            in: panes,
            LocalizedText(ko: "호가·차트·시세", en: "book, chart, trades")
        ),
        binding(
            .paneNext,
            [.character("w"), .tab],
            .focusNext,
            in: panes,
            LocalizedText(ko: "다음·이전 창", en: "next, previous pane"),
            hint: LocalizedText(ko: "창", en: "pane")
        ),
        binding(
            .panePrevious,
            [.backTab],
            .focusPrevious,
            in: panes,
            LocalizedText(ko: "다음·이전 창", en: "next, previous pane")
        ),
        // Without Shift, and the keys of a player's list.
        KeyBinding(
            .marketNext,
            [.character("."), .character(">")],
            .stepMarket(1),
            in: panes,
            help: LocalizedText(ko: "목록의 다음·이전 마켓", en: "next, previous market")
        ),
        KeyBinding(
            .marketPrevious,
            [.character(","), .character("<")],
            .stepMarket(-1),
            in: panes,
            help: LocalizedText(ko: "목록의 다음·이전 마켓", en: "next, previous market")
        ),
        binding(
            .paneMaximize,
            [.character("z")],
            .toggleMaximized,
            in: panes,
            LocalizedText(ko: "창 크게, 원래대로", en: "maximize, and back")
        ),
        binding(
            .paneLayout,
            [.character("L")],
            .nextLayout,
            in: panes,
            LocalizedText(ko: "배치 바꾸기", en: "next layout")
        ),
        binding(
            .back,
            [.escape],
            .dismiss,
            in: panes,
            LocalizedText(ko: "되돌리기, 목록으로", en: "back, to the list"),
            hint: LocalizedText(ko: "목록", en: "list")
        ),
    ]

    /// The keys of single panes.
    private static let paneBindings = scrolling + bookBindings + tradesBindings + chartBindings

    static let panes: Set<KeyContext> = [.book, .chart, .trades]

    private static let scrolling = [
        binding(
            .scrollUp,
            [.up, .character("k")],
            .scroll(-1),
            in: [.book, .trades],
            LocalizedText(ko: "이동", en: "move")
        ),
        binding(
            .scrollDown,
            [.down, .character("j")],
            .scroll(1),
            in: [.book, .trades],
            LocalizedText(ko: "이동", en: "move")
        ),
        binding(
            .scrollPageUp,
            [.pageUp, .control("b")],
            .scrollPage(-1),
            in: [.book, .trades],
            LocalizedText(ko: "페이지 이동", en: "by page")
        ),
        binding(
            .scrollPageDown,
            [.pageDown, .control("f"), .character(" ")],
            .scrollPage(1),
            in: [.book, .trades],
            LocalizedText(ko: "페이지 이동", en: "by page")
        ),
        binding(
            .scrollFirst,
            [.home],
            .scrollToFirst,
            in: [.book, .trades],
            LocalizedText(ko: "처음·끝", en: "first, last")
        ),
        binding(
            .scrollLast,
            [.end],
            .scrollToLast,
            in: [.book, .trades],
            LocalizedText(ko: "처음·끝", en: "first, last")
        ),
    ]

    private static let bookBindings = [
        binding(
            .bookCenter,
            [.character("c")],
            .recenter,
            in: [.book],
            LocalizedText(ko: "가운데로", en: "center the spread"),
            hint: LocalizedText(ko: "가운데", en: "center")
        ),
        binding(
            .bookMore,
            [.character("+"), .character("=")],
            .changeDepth(1),
            in: [.book],
            LocalizedText(ko: "호가 수", en: "more, fewer levels"),
            hint: LocalizedText(ko: "호가 수", en: "levels")
        ),
        binding(
            .bookFewer,
            [.character("-")],
            .changeDepth(-1),
            in: [.book],
            LocalizedText(ko: "호가 수", en: "more, fewer levels")
        ),
        binding(
            .bookStepNext,
            [.character("g")],
            .nextGroup,
            in: [.book],
            LocalizedText(ko: "호가 모아보기 단위", en: "price step"),
            hint: LocalizedText(ko: "모아보기", en: "group")
        ),
        binding(
            .bookStepPrevious,
            [.character("G")],
            .previousGroup,
            in: [.book],
            LocalizedText(ko: "호가 모아보기 단위", en: "price step")
        ),
    ]

    private static let tradesBindings = [
        binding(
            .tradesDays,
            [.character("d")],
            .toggleDays,
            in: [.trades],
            LocalizedText(ko: "체결·일별", en: "trades, days"),
            hint: LocalizedText(ko: "체결·일별", en: "days")
        )
    ]

    /// A row of the table for an action of the detail.
    static func binding(
        _ command: KeyCommand,
        _ keys: [Key],
        _ action: MarketDetailAction,
        in contexts: Set<KeyContext>,
        _ help: LocalizedText,
        hint: LocalizedText? = nil
    ) -> KeyBinding {
        KeyBinding(command, keys, .detail(action), in: contexts, help: help, hint: hint)
    }
}
