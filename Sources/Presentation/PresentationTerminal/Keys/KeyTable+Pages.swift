import ViewStates

extension KeyTable {
    /// The keys that open the screens.
    static let pages = zip(1..., ScreenPage.allCases).map { number, page in
        KeyBinding(
            pageCommand(page),
            [.character(Unicode.Scalar(UInt8(ascii: "0") + UInt8(number)))],
            .show(page),
            in: [.list, .assets, .portfolio, .more],
            help: LocalizedText(
                korean: "거래소·입출금·자산·더보기",
                english: "list, coins, assets, more"
            ),
            hint: page == .market ? LocalizedText(korean: "화면", english: "screens") : nil
        )
    }

    private static func pageCommand(_ page: ScreenPage) -> KeyCommand {
        switch page {
        case .market: .pageMarket
        case .assets: .pageAssets
        case .portfolio: .pagePortfolio
        case .more: .pageMore
        }
    }

    /// The keys of the pages beside the list.
    static let pageBindings =
        rows + assets + portfolio + looks + ways
        + searchDeletion(.assetSearch) { .assets(.deleteSearch($0)) }

    /// Where the mark of a page goes, or what is seen of a text.
    private static let rows = [
        row(
            .rowsUp,
            [.up, .character("k")],
            .move(-1),
            LocalizedText(korean: "이동", english: "move")
        ),
        KeyBinding(
            .rowsDown,
            [.down, .character("j")],
            .rows(.move(1)),
            in: [.assets, .portfolio, .more],
            help: LocalizedText(korean: "이동", english: "move")
        ),
        KeyBinding(
            .rowsDown,
            [.down, .character("j")],
            .rows(.move(1)),
            in: [.help],
            hint: LocalizedText(korean: "더 보기", english: "more")
        ),
        KeyBinding(.searchUp, [.up], .rows(.move(-1)), in: [.assetSearch]),
        KeyBinding(.searchDown, [.down], .rows(.move(1)), in: [.assetSearch]),
        row(
            .rowsPageUp,
            [.pageUp, .control("b")],
            .movePage(-1),
            LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        row(
            .rowsPageDown,
            [.pageDown, .control("f"), .character(" ")],
            .movePage(1),
            LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        row(
            .rowsFirst,
            [.home, .character("g")],
            .moveToFirst,
            LocalizedText(korean: "처음·끝", english: "first, last")
        ),
        row(
            .rowsLast,
            [.end, .character("G")],
            .moveToLast,
            LocalizedText(korean: "처음·끝", english: "first, last")
        ),
    ]

    /// 입출금.
    private static let assets = [
        KeyBinding(
            .assetsOpen,
            [.enter],
            .assets(.open),
            in: [.assets],
            help: LocalizedText(korean: "마켓 열기", english: "open the market"),
            hint: LocalizedText(korean: "열기", english: "open")
        ),
        KeyBinding(
            .searchOpen,
            [.enter],
            .assets(.open),
            in: [.assetSearch],
            help: LocalizedText(korean: "마켓 열기", english: "open the market"),
            hint: LocalizedText(korean: "열기", english: "open")
        ),
        KeyBinding(
            .filterNext,
            [.tab],
            .assets(.nextFilter),
            in: [.assets],
            help: LocalizedText(korean: "전체·정상·중단", english: "all, normal, suspended"),
            hint: LocalizedText(korean: "상태", english: "state")
        ),
        KeyBinding(
            .filterPrevious,
            [.backTab],
            .assets(.previousFilter),
            in: [.assets],
            help: LocalizedText(korean: "전체·정상·중단", english: "all, normal, suspended")
        ),
        KeyBinding(
            .searchBegin,
            [.character("/")],
            .assets(.beginSearch),
            in: [.assets],
            help: LocalizedText(korean: "이름·심볼·초성 검색", english: "search name, symbol"),
            hint: LocalizedText(korean: "검색", english: "search")
        ),
        KeyBinding(
            .listSort,
            [.character("s")],
            .assets(.nextSort),
            in: [.assets],
            help: LocalizedText(korean: "정렬 기준·방향", english: "sort key, direction"),
            hint: LocalizedText(korean: "정렬", english: "sort")
        ),
        KeyBinding(
            .listDirection,
            [.character("S")],
            .assets(.reverseSort),
            in: [.assets],
            help: LocalizedText(korean: "정렬 기준·방향", english: "sort key, direction")
        ),
    ]

    /// 보유자산.
    private static let portfolio = [
        KeyBinding(
            .holdingAdd,
            [.character("a")],
            .portfolio(.add),
            in: [.portfolio],
            help: LocalizedText(korean: "자산 추가", english: "add a coin"),
            hint: LocalizedText(korean: "추가", english: "add")
        ),
        KeyBinding(
            .holdingEdit,
            [.character("e"), .enter],
            .portfolio(.edit),
            in: [.portfolio],
            help: LocalizedText(korean: "표시한 줄 수정", english: "correct the marked row"),
            hint: LocalizedText(korean: "수정", english: "edit")
        ),
        KeyBinding(
            .holdingRemove,
            [.character("x")],
            .portfolio(.remove),
            in: [.portfolio],
            help: LocalizedText(korean: "자산 삭제", english: "remove a coin"),
            hint: LocalizedText(korean: "삭제", english: "remove")
        ),
        KeyBinding(
            .cashEdit,
            [.character("c")],
            .portfolio(.editCash),
            in: [.portfolio],
            help: LocalizedText(korean: "현금", english: "cash"),
            hint: LocalizedText(korean: "현금", english: "cash")
        ),
        KeyBinding(
            .holdingOpen,
            [.character("o")],
            .portfolio(.open),
            in: [.portfolio],
            help: LocalizedText(korean: "마켓 열기", english: "open the market"),
            hint: LocalizedText(korean: "열기", english: "open")
        ),
    ]

    /// 더보기: how the screens look.
    private static let looks = [
        KeyBinding(
            .lookTheme,
            [.character("t")],
            .more(.change(.theme)),
            in: [.more],
            help: LocalizedText(korean: "화면 테마", english: "theme"),
            hint: PageStrings.choice(.theme)
        ),
        KeyBinding(
            .lookColors,
            [.character("c")],
            .more(.change(.colors)),
            in: [.more],
            help: LocalizedText(korean: "등락 색상", english: "colours of up and down"),
            hint: PageStrings.choice(.colors)
        ),
        KeyBinding(
            .lookLanguage,
            [.character("l")],
            .more(.change(.language)),
            in: [.more],
            help: LocalizedText(korean: "언어", english: "language"),
            hint: PageStrings.choice(.language)
        ),
    ]

    /// Ways back to the list.
    private static let ways = [
        KeyBinding(
            .back,
            [.escape],
            .assets(.dismiss),
            in: [.assets],
            help: LocalizedText(korean: "닫기·지우기, 거래소로", english: "close, clear, to the list"),
            hint: LocalizedText(korean: "닫기", english: "back")
        ),
        KeyBinding(
            .searchLeave,
            [.escape],
            .assets(.dismiss),
            in: [.assetSearch],
            help: LocalizedText(korean: "닫기·지우기, 거래소로", english: "close, clear, to the list"),
            hint: LocalizedText(korean: "닫기", english: "close")
        ),
        KeyBinding(
            .back,
            [.escape],
            .portfolio(.dismiss),
            in: [.portfolio],
            help: LocalizedText(korean: "거래소로", english: "to the list"),
            hint: LocalizedText(korean: "거래소", english: "list")
        ),
        KeyBinding(
            .back,
            [.escape],
            .more(.dismiss),
            in: [.more],
            help: LocalizedText(korean: "거래소로", english: "to the list"),
            hint: LocalizedText(korean: "거래소", english: "list")
        ),
    ]

    private static func row(
        _ command: KeyCommand,
        _ keys: [Key],
        _ action: RowsAction,
        _ help: LocalizedText
    ) -> KeyBinding {
        KeyBinding(
            command,
            keys,
            .rows(action),
            in: [.assets, .portfolio, .more, .help],
            help: help
        )
    }
}
