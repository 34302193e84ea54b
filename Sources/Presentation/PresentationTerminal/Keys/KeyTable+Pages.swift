import ViewStates

extension KeyTable {
    /// The keys that open the screens.
    static let pages: [KeyBinding] =
        zip(1..., ScreenPage.allCases).flatMap { number, page in
            let key = Key.character(Unicode.Scalar(UInt8(ascii: "0") + UInt8(number)))
            let hint = LocalizedText(ko: "화면", en: "screens")
            return [
                show(page, key, in: [.list, .assets, .portfolio, .more, .alerts], hint: hint),
                // In a market the bottom line has no room for it.
                show(page, key, in: panes, hint: nil),
            ]
        }

    private static func show(
        _ page: ScreenPage,
        _ key: Key,
        in contexts: Set<KeyContext>,
        hint: LocalizedText?
    ) -> KeyBinding {
        KeyBinding(
            pageCommand(page),
            [key],
            .show(page),
            in: contexts,
            help: LocalizedText(
                ko: "거래·입출·보유·기타·알림",
                en: "list/coins/own/more/alert"
            ),
            hint: page == .market ? hint : nil
        )
    }

    static func pageCommand(_ page: ScreenPage) -> KeyCommand {
        switch page {
        case .market: .pageMarket
        case .assets: .pageAssets
        case .portfolio: .pagePortfolio
        case .more: .pageMore
        case .alerts: .pageAlerts
        }
    }

    /// Keys of the pages beside the list.
    static let pageBindings =
        rows + assets + portfolio + looks + ways + alertBindings
        + searchDeletion(.assetSearch) { .assets(.deleteSearch($0)) }

    /// Keys that move the selection or scroll a text.
    private static let rows = [
        row(
            .rowsUp,
            [.up, .character("k")],
            .move(-1),
            LocalizedText(ko: "이동", en: "move")
        ),
        KeyBinding(
            .rowsDown,
            [.down, .character("j")],
            .rows(.move(1)),
            in: [.assets, .portfolio, .more, .alerts],
            help: LocalizedText(ko: "이동", en: "move")
        ),
        KeyBinding(
            .rowsDown,
            [.down, .character("j")],
            .rows(.move(1)),
            in: [.help],
            hint: LocalizedText(ko: "더 보기", en: "more")
        ),
        KeyBinding(.searchUp, [.up], .rows(.move(-1)), in: [.assetSearch]),
        KeyBinding(.searchDown, [.down], .rows(.move(1)), in: [.assetSearch]),
        row(
            .rowsPageUp,
            [.pageUp, .control("b")],
            .movePage(-1),
            LocalizedText(ko: "페이지 이동", en: "by page")
        ),
        row(
            .rowsPageDown,
            [.pageDown, .control("f"), .character(" ")],
            .movePage(1),
            LocalizedText(ko: "페이지 이동", en: "by page")
        ),
        row(
            .rowsFirst,
            [.home, .character("g")],
            .moveToFirst,
            LocalizedText(ko: "처음·끝", en: "first, last")
        ),
        row(
            .rowsLast,
            [.end, .character("G")],
            .moveToLast,
            LocalizedText(ko: "처음·끝", en: "first, last")
        ),
    ]

    /// 입출금.
    private static let assets = [
        KeyBinding(
            .assetsOpen,
            [.enter],
            .assets(.open),
            in: [.assets],
            help: LocalizedText(ko: "마켓 열기", en: "open the market"),
            hint: LocalizedText(ko: "열기", en: "open")
        ),
        KeyBinding(
            .searchOpen,
            [.enter],
            .assets(.open),
            in: [.assetSearch],
            help: LocalizedText(ko: "마켓 열기", en: "open the market"),
            hint: LocalizedText(ko: "열기", en: "open")
        ),
        KeyBinding(
            .filterNext,
            [.tab],
            .assets(.nextFilter),
            in: [.assets],
            help: LocalizedText(ko: "전체·정상·중단", en: "all, normal, suspended"),
            hint: LocalizedText(ko: "상태", en: "state")
        ),
        KeyBinding(
            .filterPrevious,
            [.backTab],
            .assets(.previousFilter),
            in: [.assets],
            help: LocalizedText(ko: "전체·정상·중단", en: "all, normal, suspended")
        ),
        KeyBinding(
            .searchBegin,
            [.character("/")],
            .assets(.beginSearch),
            in: [.assets],
            help: LocalizedText(ko: "이름·심볼·초성 검색", en: "search name, symbol"),
            hint: LocalizedText(ko: "검색", en: "search")
        ),
        KeyBinding(
            .listSort,
            [.character("s")],
            .assets(.nextSort),
            in: [.assets],
            help: LocalizedText(ko: "정렬 기준·방향", en: "sort key, direction"),
            hint: LocalizedText(ko: "정렬", en: "sort")
        ),
        KeyBinding(
            .listDirection,
            [.character("S")],
            .assets(.reverseSort),
            in: [.assets],
            help: LocalizedText(ko: "정렬 기준·방향", en: "sort key, direction")
        ),
    ]

    /// 보유자산.
    private static let portfolio = [
        KeyBinding(
            .holdingAdd,
            [.character("a")],
            .portfolio(.add),
            in: [.portfolio],
            help: LocalizedText(ko: "자산 추가", en: "add a coin"),
            hint: LocalizedText(ko: "추가", en: "add")
        ),
        KeyBinding(
            .holdingEdit,
            [.character("e"), .enter],
            .portfolio(.edit),
            in: [.portfolio],
            help: LocalizedText(ko: "선택한 줄 수정", en: "edit selected row"),
            hint: LocalizedText(ko: "수정", en: "edit")
        ),
        KeyBinding(
            .holdingRemove,
            [.character("x")],
            .portfolio(.remove),
            in: [.portfolio],
            help: LocalizedText(ko: "자산 삭제", en: "remove a coin"),
            hint: LocalizedText(ko: "삭제", en: "remove")
        ),
        KeyBinding(
            .cashEdit,
            [.character("c")],
            .portfolio(.editCash),
            in: [.portfolio],
            help: LocalizedText(ko: "현금", en: "cash"),
            hint: LocalizedText(ko: "현금", en: "cash")
        ),
        KeyBinding(
            .nameEdit,
            [.character("N")],
            .portfolio(.editName),
            in: [.portfolio],
            help: LocalizedText(ko: "표시 이름", en: "display name")
        ),
        KeyBinding(
            .holdingOpen,
            [.character("o")],
            .portfolio(.open),
            in: [.portfolio],
            help: LocalizedText(ko: "마켓 열기", en: "open the market"),
            hint: LocalizedText(ko: "열기", en: "open")
        ),
    ]

    /// 더보기: how the screens look.
    private static let looks = [
        KeyBinding(
            .lookTheme,
            [.character("t")],
            .more(.change(.theme)),
            in: [.more],
            help: LocalizedText(ko: "화면 테마", en: "theme"),
            hint: PageStrings.choice(.theme)
        ),
        KeyBinding(
            .lookColors,
            [.character("c")],
            .more(.change(.colors)),
            in: [.more],
            help: LocalizedText(ko: "등락 색상", en: "up and down colors"),
            hint: PageStrings.choice(.colors)
        ),
        KeyBinding(
            .lookLanguage,
            [.character("l")],
            .more(.change(.language)),
            in: [.more],
            help: LocalizedText(ko: "언어", en: "language"),
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
            help: LocalizedText(ko: "닫기·지우기, 거래소로", en: "close, clear, to the list"),
            hint: LocalizedText(ko: "닫기", en: "back")
        ),
        KeyBinding(
            .searchLeave,
            [.escape],
            .assets(.dismiss),
            in: [.assetSearch],
            help: LocalizedText(ko: "닫기·지우기, 거래소로", en: "close, clear, to the list"),
            hint: LocalizedText(ko: "닫기", en: "close")
        ),
        KeyBinding(
            .back,
            [.escape],
            .portfolio(.dismiss),
            in: [.portfolio],
            help: LocalizedText(ko: "거래소로", en: "to the list"),
            hint: LocalizedText(ko: "거래소", en: "list")
        ),
        KeyBinding(
            .back,
            [.escape],
            .more(.dismiss),
            in: [.more],
            help: LocalizedText(ko: "거래소로", en: "to the list"),
            hint: LocalizedText(ko: "거래소", en: "list")
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
            in: [.assets, .portfolio, .more, .alerts, .help],
            help: help
        )
    }
}
