import ViewStates

extension KeyTable {
    /// The keys of all screens.
    public static let screens = KeyTable(
        bindings: formBindings + pageBindings + paneBindings + detailBindings + listBindings
    )

    /// The keys of a detail, whichever pane has them.
    private static let detailBindings = [
        binding(
            .paneBook,
            [.character("1")],
            .focus(.book),
            in: panes,
            LocalizedText(korean: "호가·차트·시세", english: "book, chart, trades")
        ),
        binding(
            .paneChart,
            [.character("2")],
            .focus(.chart),
            in: panes,
            LocalizedText(korean: "호가·차트·시세", english: "book, chart, trades")
        ),
        binding(
            .paneTrades,
            [.character("3")],
            .focus(.trades),
            in: panes,
            LocalizedText(korean: "호가·차트·시세", english: "book, chart, trades")
        ),
        binding(
            .paneNext,
            [.character("w"), .tab],
            .focusNext,
            in: panes,
            LocalizedText(korean: "다음·이전 창", english: "next, previous pane"),
            hint: LocalizedText(korean: "창", english: "pane")
        ),
        binding(
            .panePrevious,
            [.backTab],
            .focusPrevious,
            in: panes,
            LocalizedText(korean: "다음·이전 창", english: "next, previous pane")
        ),
        binding(
            .back,
            [.escape],
            .dismiss,
            in: panes,
            LocalizedText(korean: "되돌리기, 목록으로", english: "back, to the list"),
            hint: LocalizedText(korean: "목록", english: "list")
        ),
    ]

    /// The keys of single panes.
    private static let paneBindings = scrolling + bookBindings + tradesBindings + chartBindings

    private static let panes: Set<KeyContext> = [.book, .chart, .trades]

    private static let scrolling = [
        binding(
            .scrollUp,
            [.up, .character("k")],
            .scroll(-1),
            in: [.book, .trades],
            LocalizedText(korean: "이동", english: "move")
        ),
        binding(
            .scrollDown,
            [.down, .character("j")],
            .scroll(1),
            in: [.book, .trades],
            LocalizedText(korean: "이동", english: "move")
        ),
        binding(
            .scrollPageUp,
            [.pageUp, .control("b")],
            .scrollPage(-1),
            in: [.book, .trades],
            LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        binding(
            .scrollPageDown,
            [.pageDown, .control("f"), .character(" ")],
            .scrollPage(1),
            in: [.book, .trades],
            LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        binding(
            .scrollFirst,
            [.home],
            .scrollToFirst,
            in: [.book, .trades],
            LocalizedText(korean: "처음·끝", english: "first, last")
        ),
        binding(
            .scrollLast,
            [.end],
            .scrollToLast,
            in: [.book, .trades],
            LocalizedText(korean: "처음·끝", english: "first, last")
        ),
    ]

    private static let bookBindings = [
        binding(
            .bookCenter,
            [.character("c")],
            .recenter,
            in: [.book],
            LocalizedText(korean: "가운데로", english: "spread in the middle"),
            hint: LocalizedText(korean: "가운데", english: "middle")
        ),
        binding(
            .bookMore,
            [.character("+"), .character("=")],
            .changeDepth(1),
            in: [.book],
            LocalizedText(korean: "호가 수", english: "more, fewer levels"),
            hint: LocalizedText(korean: "호가 수", english: "levels")
        ),
        binding(
            .bookFewer,
            [.character("-")],
            .changeDepth(-1),
            in: [.book],
            LocalizedText(korean: "호가 수", english: "more, fewer levels")
        ),
        binding(
            .bookStepNext,
            [.character("g")],
            .nextGroup,
            in: [.book],
            LocalizedText(korean: "호가 모아보기 단위", english: "price step"),
            hint: LocalizedText(korean: "모아보기", english: "step")
        ),
        binding(
            .bookStepPrevious,
            [.character("G")],
            .previousGroup,
            in: [.book],
            LocalizedText(korean: "호가 모아보기 단위", english: "price step")
        ),
    ]

    private static let tradesBindings = [
        binding(
            .tradesDays,
            [.character("d")],
            .toggleDays,
            in: [.trades],
            LocalizedText(korean: "체결·일별", english: "trades, days"),
            hint: LocalizedText(korean: "체결·일별", english: "days")
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
