import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Every key does what the table says, and the screen shows it")
struct KeyTableTests {
    private let table = KeyTable.screens

    /// A screen in the middle of things, in one of the places keys can go to.
    private func state(_ context: KeyContext) -> ScreenState {
        switch context {
        case .list, .search, .periods, .panel: ScreenState(list: list(context))
        case .help: help
        case .palette: palette
        case .assets: page(.assets, .assets(.typeSearch("O")), .rows(.move(1)))
        case .assetSearch:
            page(.assets, .assets(.typeSearch("O")), .assets(.beginSearch), .rows(.move(1)))
        case .portfolio: page(.portfolio, .rows(.move(1)))
        case .more: page(.more, .rows(.move(1)))
        case .alerts: page(.alerts, .alerts(.otherSection), .rows(.move(1)))
        case .form:
            page(.portfolio, .portfolio(.add), .form(.type("ETH")))
        case .question: page(.portfolio, .portfolio(.remove))
        case .saving: page(.portfolio, .portfolio(.remove), .form(.submit))
        case .book: detail(.book, .scroll(3))
        case .trades: detail(.trades, .scroll(3))
        case .chart: detail(.chart, .moveInTime(-3))
        case .indicators: chooser
        }
    }

    /// The palette, with the second of three entries selected.
    private var palette: ScreenState {
        var state = ScreenState(list: list(.list))
        let entries = ["A", "B", "C"].map {
            PaletteEntry(id: $0, pair: nil, name: $0, key: "", action: .list(.nextSort))
        }
        let actions: [ScreenAction] = [
            .palette(.open), .palette(.type("a")), .palette(.found(entries, isRead: true)),
            .palette(.move(1)),
        ]
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
        return state
    }

    /// The overview of the keys, scrolled a little on a low screen.
    private var help: ScreenState {
        var state = ScreenState(list: list(.list))
        let actions: [ScreenAction] = [
            .list(.toggleHelp), .helpShown(lines: 30, rows: 8), .rows(.move(3)),
        ]
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
        return state
    }

    /// The third row of the chooser of averages and panes.
    private var chooser: ScreenState {
        var state = detail(.chart, .chooseIndicators)
        _ = ScreenReducer.reduce(&state, .list(.move(2)))
        return state
    }

    /// A page on a low screen, after some actions.
    private func page(_ page: ScreenPage, _ actions: ScreenAction...) -> ScreenState {
        var state = PageSamples.screen(page, columns: 40, rows: 6)
        for action in actions {
            _ = ScreenReducer.reduce(&state, action)
            PageSamples.show(&state, TerminalSize(columns: 40, rows: 6))
        }
        return state
    }

    /// A list with a search.
    private func list(_ context: KeyContext) -> MarketListScreenState {
        let rows = (1...30).map { Samples.row("C\($0)", "코인") }
        var state = Samples.state(rows)
        state.visibleRows = 5
        state.selected = state.order[15]
        state.favorites = Array(state.order[14...16])
        state.firstVisible = 13
        state.searchText = "코"
        switch context {
        case .search: state.isSearching = true
        case .periods: state.overlay = .periods(.hours12)
        case .panel: state.overlay = .popularityRule
        case .list, .help, .palette, .indicators, .book, .chart, .trades, .assets, .assetSearch,
            .portfolio, .more, .alerts, .form, .question, .saving:
            break
        }
        return state
    }

    /// A detail of which more is held than the panes have room for, moved a little.
    private func detail(_ focus: DetailPane, _ move: MarketDetailAction) -> ScreenState {
        var state = ScreenState(list: list(.list))
        let room = PaneSizes(
            bookRows: 11,
            tradeRows: 10,
            chartColumns: 30,
            volumeRows: 4...10,
            volumeRowsUsual: 6
        )
        let facts = DetailExtent(DetailSamples.document(), days: 60, now: Samples.now)
        let actions: [ScreenAction] = [
            .resize(visibleRows: 5, room: DetailRoom(room)), .open(DetailSamples.market),
            .detail(.shown(facts)), .detail(.focus(focus)), .detail(move),
            .detail(.shown(facts)),
        ]
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
        return state
    }

    @Test("Every key of every binding has an effect")
    func everyKeyHasAnEffect() {
        for binding in table.bindings {
            for context in binding.contexts {
                for key in binding.keys {
                    let before = state(context)
                    #expect(KeyContext(before) == context)
                    let action = table.action(for: .key(key), in: before)
                    #expect(action == binding.action, "\(key) in \(context)")
                    var after = before
                    let effects = action.map { ScreenReducer.reduce(&after, $0) } ?? []
                    #expect(after != before || !effects.isEmpty, "\(key) in \(context)")
                }
            }
        }
    }

    @Test(
        "Every help line names table keys in both languages, once",
        arguments: [
            KeyContext.list, .book, .chart, .trades, .assets, .portfolio, .more, .alerts,
        ]
    )
    func help(context: KeyContext) {
        let entries = table.helpEntries(for: context, isShort: false)
        let bound = Set(table.bindings.flatMap { $0.keys.map(\.label) })
        #expect(Set(entries.map(\.text)).count == entries.count)
        for entry in entries {
            #expect(!entry.text.ko.isEmpty && !entry.text.en.isEmpty)
            for key in entry.keys.split(separator: " ") { #expect(bound.contains(String(key))) }
        }
        #expect(table.helpEntries(for: context, isShort: true).map(\.text) == entries.map(\.text))
    }

    @Test(
        "The help of a context lists exactly its keys",
        arguments: [
            KeyContext.list, .book, .chart, .trades, .assets, .portfolio, .more, .alerts,
        ]
    )
    func helpIsComplete(context: KeyContext) {
        let listed = Set(
            table.helpEntries(for: context, isShort: false).flatMap {
                $0.keys.split(separator: " ")
            }
        )
        for binding in table.bindings where binding.contexts.contains(context) {
            for key in binding.keys { #expect(listed.contains(key.label[...])) }
        }
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789[]+-=%?/:,.<>"
        for scalar in letters.unicodeScalars {
            let isBound = table.action(for: .key(.character(scalar)), in: state(context)) != nil
            #expect(isBound == listed.contains(String(scalar)[...]), "\(scalar) in \(context)")
        }
    }

    @Test(
        "In text fields letters are typed",
        arguments: Array("qjkgGsSpri?/ 가ㅋ1~").map { String($0) }
    )
    func typing(text: String) throws {
        let scalar = try #require(text.unicodeScalars.first)
        let action = table.action(for: .key(.character(scalar)), in: state(.search))
        #expect(action == .list(.typeSearch(text)))
    }

    @Test(
        "In the search field only a few keys are commands",
        arguments: [
            (Key.enter, ScreenAction.openSelected), (.escape, .list(.dismiss)),
            (.up, .list(.move(-1))), (.down, .list(.move(1))),
            (.backspace, .list(.deleteSearch(.character))),
            (.control("w"), .list(.deleteSearch(.word))),
            (.control("u"), .list(.deleteSearch(.all))), (.control("c"), .list(.quit)),
            (.tab, nil), (.backTab, nil), (.pageUp, nil), (.home, nil), (.end, nil), (.left, nil),
            (.control("f"), nil), (.control("b"), nil), (.control("p"), .palette(.open)),
        ] as [(Key, ScreenAction?)]
    )
    func searchKeys(key: Key, expected: ScreenAction?) {
        #expect(table.action(for: .key(key), in: state(.search)) == expected)
    }

    @Test("The Esc hint is the same in every search field")
    func leavingSearch() {
        let hints = [KeyContext.search, .assetSearch].map { context in
            table.bindings.first { $0.command == .searchLeave && $0.contexts.contains(context) }?
                .hint
        }
        #expect(hints[0] != nil && hints[0] == hints[1])
    }

    @Test(
        "With Hangul input, the keys under the jamo work",
        arguments: [
            ("ㅓ", MarketListAction.move(1)), ("ㅏ", .move(-1)), ("ㅂ", .quit), ("ㅔ", .openPeriods),
            ("ㄱ", .reload), ("ㅑ", .togglePopularityRule), ("ㅎ", .moveToFirst), ("ㄴ", .nextSort),
            ("가", nil), ("ㅠ", nil),
        ] as [(String, MarketListAction?)]
    )
    func hangulLayout(text: String, expected: MarketListAction?) throws {
        let scalar = try #require(text.unicodeScalars.first)
        let action = table.action(for: .key(.character(scalar)), in: state(.list))
        #expect(action == expected.map { .list($0) })
    }

    @Test(
        "Hangul keys work in a detail",
        arguments: [
            (KeyContext.book, "ㅎ", MarketDetailAction.nextGroup), (.book, "ㅊ", .recenter),
            (.chart, "ㅌ", .toggleCrosshair), (.chart, "ㅡ", .chooseIndicators),
            (.trades, "ㅇ", .toggleDays), (.trades, "ㅈ", .focusNext), (.trades, "ㅓ", .scroll(1)),
        ]
    )
    func hangulLayoutOfDetails(
        context: KeyContext,
        text: String,
        expected: MarketDetailAction
    ) throws {
        let scalar = try #require(text.unicodeScalars.first)
        let action = table.action(for: .key(.character(scalar)), in: state(context))
        #expect(action == .detail(expected))
    }

    @Test(
        "Numbers choose screens on every screen, Tab the pane of a market",
        arguments: [
            KeyContext.list, .book, .chart, .trades, .assets, .portfolio, .more, .alerts,
        ]
    )
    func numbers(context: KeyContext) {
        for (number, page) in zip("12345".unicodeScalars, ScreenPage.allCases) {
            var state = state(context)
            #expect(table.action(for: .key(.character(number)), in: state) == .show(page))
            _ = ScreenReducer.reduce(&state, .show(page))
            #expect(state.page == page && state.focusedDetail == nil)
        }
        guard KeyTable.panes.contains(context) else { return }
        let (next, previous) = (Key.tab, Key.backTab)
        #expect(table.action(for: .key(next), in: state(context)) == .detail(.focusNext))
        #expect(table.action(for: .key(previous), in: state(context)) == .detail(.focusPrevious))
    }

    @Test("A form that is being saved accepts only Esc and quit")
    func saving() {
        let keys: [Key] = [.enter, .tab, .backTab, .up, .down, .backspace, .character("n")]
        for key in keys { #expect(table.action(for: .key(key), in: state(.saving)) == nil) }
        #expect(table.action(for: .key(.escape), in: state(.saving)) == .form(.cancel))
        #expect(table.action(for: .key(.control("c")), in: state(.saving)) == .list(.quit))
    }

    @Test("Pasted text is search text, never commands")
    func paste() {
        let event = InputEvent.paste("q\u{1B}[2J비트\r\n\u{202E}코인\u{7}")
        #expect(table.action(for: event, in: state(.search)) == .list(.typeSearch("q[2J비트코인")))
        for context in KeyContext.allCases where !context.isField {
            #expect(table.action(for: event, in: state(context)) == nil)
        }
        #expect(table.action(for: .paste("\r\n\t"), in: state(.search)) == nil)
    }

    @Test("In a form control characters become spaces, so numbers are not joined")
    func pasteIntoForm() {
        let event = InputEvent.paste("BTC\n0.5\r\n10\u{200B}00\u{1B}")
        #expect(
            table.action(for: event, in: state(.form)) == .form(.type("BTC 0.5  1000 "))
        )
    }

    @Test("The search text is bounded for any paste and any marks")
    func searchBound() {
        var state = typing("")
        for _ in 0..<3 {
            let event = InputEvent.paste(String(repeating: "가나다", count: 100))
            if let action = table.action(for: event, in: state) {
                _ = ScreenReducer.reduce(&state, action)
            }
        }
        #expect(state.list.searchText.count == MarketListReducer.searchLengthMax)
        state = typing("")
        let tower = "a" + String(repeating: "\u{301}", count: 5_000)
        if let action = table.action(for: .paste(tower), in: state) {
            _ = ScreenReducer.reduce(&state, action)
        }
        #expect(state.list.searchText.unicodeScalars.count <= MarketListReducer.searchScalarsMax)
    }

    @Test("Conjoining jamo typed in sequence form one syllable and are deleted as one")
    func conjoiningJamo() {
        var state = typing("비")
        for scalar in "\u{1112}\u{1161}\u{11AB}".unicodeScalars {
            if let action = table.action(for: .key(.character(scalar)), in: state) {
                _ = ScreenReducer.reduce(&state, action)
            }
        }
        #expect(state.list.searchText == "비한")
        _ = ScreenReducer.reduce(&state, .list(.deleteSearch(.character)))
        #expect(state.list.searchText == "비")
    }

    /// A search field with a text in it.
    private func typing(_ text: String) -> ScreenState {
        var list = list(.search)
        list.searchText = text
        return ScreenState(list: list)
    }

    @Test("The list offers Esc only while there is a search to clear")
    func hints() {
        func keys(_ state: ScreenState) -> [String] {
            table.hints(in: state).compactMap { $0.keys.first?.label }
        }
        var list = list(.list)
        #expect(keys(ScreenState(list: list)).contains("Esc"))
        list.searchText = ""
        #expect(
            keys(ScreenState(list: list)) == [
                "Enter", "Tab", "f", "1", "/", "s", "p", "r", "?", "q",
            ]
        )
        #expect(keys(state(.search)) == ["Enter", "Esc"])
        #expect(keys(state(.palette)) == ["Enter", "Esc"])
        #expect(keys(state(.periods)) == ["Enter", "Esc", "q"])
        #expect(keys(state(.panel)) == ["Esc", "?", "q"])
        #expect(keys(state(.help)) == ["↓", "Esc", "?", "q"])
        var end = state(.help)
        _ = ScreenReducer.reduce(&end, .rows(.moveToLast))
        #expect(keys(end) == ["Esc", "?", "q"])
        #expect(keys(state(.form)) == ["Enter", "Tab", "Esc"])
        #expect(keys(state(.question)) == ["y", "n"])
        #expect(keys(state(.saving)) == ["Esc"])
        #expect(keys(state(.more)) == ["t", "c", "l", "Esc", "1", "?", "q"])
        #expect(
            keys(state(.book)) == ["c", "+", "g", "w", "Esc", "f", "p", "r", "?", "q"]
        )
        #expect(keys(state(.trades)) == ["d", "w", "Esc", "f", "p", "r", "?", "q"])
    }
}
