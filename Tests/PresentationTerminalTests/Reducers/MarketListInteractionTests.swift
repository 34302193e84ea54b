import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Tabs, sorting and periods cycle, and menus confirm their selection")
struct MarketListChoiceTests {
    @Test("Tabs cycle both ways")
    func tabs() {
        var state = ScreenSample.list.state
        var seen: [MarketListTab] = []
        for _ in 0..<5 {
            seen.append(state.tab)
            #expect(MarketListReducer.reduce(&state, .nextTab) == [.reorder])
        }
        #expect(seen == [.krw, .btc, .popular, .favorites, .krw])
        for _ in 0..<5 { _ = MarketListReducer.reduce(&state, .previousTab) }
        #expect(state.tab == .krw)
    }

    @Test("Sort keys cycle in their natural direction")
    func sorts() {
        var state = ScreenSample.list.state
        for key in [MarketSortKey.name, .price, .changeRate, .tradeValue, .popularity] {
            _ = MarketListReducer.reduce(&state, .reverseSort)
            #expect(MarketListReducer.reduce(&state, .nextSort) == [.reorder])
            #expect(state.sort == key && state.direction == key.naturalDirection)
        }
    }

    @Test(
        "Another sort scrolls to the top, wherever the selection was",
        arguments: [
            MarketListAction.nextSort, .reverseSort, .chooseSort(.price),
            .chooseSort(.popularity),
        ]
    )
    func topOfAnotherOrder(action: MarketListAction) {
        let order = ScreenSample.order
        for tab in [MarketListTab.krw, .favorites] {
            for place in order.indices {
                var state = ScreenSample.list.state
                state.tab = tab
                state.favoritesSort = .name
                state.order = order
                state.selected = order[place]
                state.visibleRows = 2
                state.firstVisible = max(place - 1, 0)
                #expect(MarketListReducer.reduce(&state, action) == [.reorder])
                let new = Array(order.reversed())
                let now = Timestamp(microseconds: 0)
                _ = MarketListReducer.reduce(&state, .ordered(new, now: now))
                #expect(state.selected == new[0] && state.firstVisible == 0)
            }
        }
    }

    @Test("Another tab or period scrolls to the top", arguments: [true, false])
    func topOfAnotherTabOrPeriod(isTab: Bool) {
        var state = ScreenSample.list.state
        state.order = ScreenSample.order
        state.selected = ScreenSample.order.last
        state.visibleRows = 2
        state.firstVisible = ScreenSample.order.count - 2
        let action: MarketListAction = isTab ? .nextTab : .choosePeriod(.hour1)
        _ = MarketListReducer.reduce(&state, action)
        let answer = MarketListAction.ordered(ScreenSample.order, now: Timestamp(microseconds: 0))
        _ = MarketListReducer.reduce(&state, answer)
        #expect(state.selected == ScreenSample.order[0] && state.firstVisible == 0)
    }

    @Test("A new order leaves the cursor with its market, but one in the first row at the top")
    func newOrder() {
        let (order, new) = (ScreenSample.order, Array(ScreenSample.order.reversed()))
        for place in order.indices {
            var state = ScreenSample.list.state
            state.order = order
            state.selected = order[place]
            state.visibleRows = 2
            state.firstVisible = max(place - 1, 0)
            let answer = MarketListAction.ordered(new, now: Timestamp(microseconds: 0))
            _ = MarketListReducer.reduce(&state, answer)
            #expect(state.selected == (place == 0 ? new[0] : order[place]))
            #expect(place > 0 || state.firstVisible == 0)
            #expect(state.selected.map { new[state.window].contains($0) } == true)
        }
    }

    @Test("The first favorite in the user's own order keeps the cursor when it moves")
    func movedFavorite() {
        var state = ScreenSample.list.state
        state.tab = .favorites
        state.favoritesSort = nil
        state.order = ScreenSample.order
        state.selected = ScreenSample.order[0]
        let answer = MarketListAction.ordered(
            ScreenSample.order.reversed(),
            now: Timestamp(microseconds: 0)
        )
        _ = MarketListReducer.reduce(&state, answer)
        #expect(state.selected == ScreenSample.order[0])
    }

    @Test("A new period reorders only lists sorted by change")
    func period() {
        for key in MarketSortKey.allCases {
            var state = ScreenSample.list.state
            state.sort = key
            let effects = MarketListReducer.reduce(&state, .choosePeriod(.hour1))
            #expect(effects == (key == .changeRate ? [.reorder] : []))
            #expect(MarketListReducer.reduce(&state, .choosePeriod(.hour1)).isEmpty)
        }
    }

    @Test("The period menu moves without wrapping and confirms its selection")
    func periodMenu() {
        var state = ScreenSample.list.state
        let steps: [(MarketListAction, ChangePeriod)] = [
            (.openPeriods, .hours24), (.move(-1), .hours24), (.move(1), .midnight),
            (.move(2), .hour1), (.move(9), .minutes30), (.moveToFirst, .hours24),
            (.moveToLast, .minutes30), (.move(-.max), .hours24), (.move(.max), .minutes30),
        ]
        for (action, marked) in steps {
            #expect(MarketListReducer.reduce(&state, action).isEmpty)
            #expect(state.overlay == .periods(marked), "\(action)")
        }
        #expect(state.period == .hours24 && state.selected == ScreenSample.order[1])
        _ = MarketListReducer.reduce(&state, .confirm)
        #expect(state.period == .minutes30 && state.overlay == nil)
    }

    @Test("Leaving the period menu keeps the period")
    func periodMenuLeft() {
        var state = ScreenSample.periods.state
        _ = MarketListReducer.reduce(&state, .dismiss)
        #expect(state.period == .hours24 && state.overlay == nil)
    }

    @Test("One overlay replaces another")
    func overlays() {
        var state = ScreenSample.list.state
        for (action, overlay) in [
            (MarketListAction.toggleHelp, MarketListScreenState.Overlay?.some(.help)),
            (.togglePopularityRule, .popularityRule), (.openPeriods, .periods(.hours24)),
            (.toggleHelp, .help), (.toggleHelp, nil),
            (.togglePopularityRule, .popularityRule), (.togglePopularityRule, nil),
        ] {
            _ = MarketListReducer.reduce(&state, action)
            #expect(state.overlay == overlay)
        }
    }
}

@Suite("The search field is bounded and single-line, and Esc leaves it in two steps")
struct MarketListSearchTests {
    @Test("Esc closes the overlay, then leaves the field, then clears the filter")
    func escape() {
        var state = ScreenSample.search.state
        _ = MarketListReducer.reduce(&state, .toggleHelp)
        #expect(MarketListReducer.reduce(&state, .dismiss).isEmpty)
        #expect(state.overlay == nil && state.isSearching && state.searchText == "비트")
        #expect(MarketListReducer.reduce(&state, .dismiss).isEmpty)
        #expect(!state.isSearching && state.searchText == "비트")
        #expect(MarketListReducer.reduce(&state, .dismiss) == [.reorder])
        #expect(state.searchText.isEmpty)
        let settled = state
        #expect(MarketListReducer.reduce(&state, .dismiss).isEmpty)
        #expect(state == settled)
    }

    @Test("Enter leaves the field and keeps the filter")
    func enter() {
        var state = ScreenSample.search.state
        #expect(MarketListReducer.reduce(&state, .confirm).isEmpty)
        #expect(!state.isSearching && state.searchText == "비트")
    }

    @Test("A search stays when the tab changes")
    func tab() {
        var state = ScreenSample.search.state
        _ = MarketListReducer.reduce(&state, .nextTab)
        #expect(state.searchText == "비트" && state.isSearching)
    }

    @Test(
        "Deleting removes a whole syllable, however it was typed",
        arguments: ["비트", "비\u{1110}\u{1173}"]
    )
    func delete(text: String) {
        var state = ScreenSample.search.state
        state.searchText = text
        #expect(MarketListReducer.reduce(&state, .deleteSearch(.character)) == [.reorder])
        #expect(state.searchText == "비")
        #expect(MarketListReducer.reduce(&state, .deleteSearch(.character)) == [.reorder])
        #expect(MarketListReducer.reduce(&state, .deleteSearch(.character)).isEmpty)
        #expect(state.searchText.isEmpty)
    }

    @Test(
        "Deleting a word removes trailing spaces; clearing removes everything",
        arguments: [
            ("", nil), ("비트", ""), ("비트 캐시", "비트 "), ("비트 캐시 ", "비트 "), ("  ", ""),
            (" 비트", " "), ("a\u{3000}b", "a\u{3000}"),
        ] as [(String, String?)]
    )
    func deleteMore(text: String, rest: String?) {
        var state = ScreenSample.search.state
        state.searchText = text
        let effects = MarketListReducer.reduce(&state, .deleteSearch(.word))
        #expect(state.searchText == (rest ?? text))
        #expect(effects == (rest == nil ? [] : [.reorder]))
        state.searchText = text
        #expect(MarketListReducer.reduce(&state, .deleteSearch(.all)) == effects)
        #expect(state.searchText.isEmpty)
    }

    @Test(
        "Control characters are dropped from typed and pasted text",
        arguments: [
            ("BTC\n", "BTC"), ("\r\n", ""), ("b\tt\u{0}c", "btc"), ("\u{1b}[A", "[A"),
            ("\u{feff}비\u{200b}트", "비트"), ("a\u{2028}b\u{2029}c\u{85}d", "abcd"),
            ("\u{202e}cba", "cba"), ("a\u{200d}b", "ab"), ("비 트", "비 트"), ("é🚀", "é🚀"),
        ]
    )
    func typed(text: String, taken: String) {
        var state = ScreenSample.search.state
        state.searchText = ""
        let effects = MarketListReducer.reduce(&state, .typeSearch(text))
        #expect(Array(state.searchText.unicodeScalars) == Array(taken.unicodeScalars))
        #expect(effects == (taken.isEmpty ? [] : [.reorder]))
    }

    @Test(
        "The text is bounded at once, in parts, and with endless accents",
        arguments: [
            ("x", 64, 64), (String(repeating: "가", count: 1_000), 64, 64), ("e\u{301}", 64, 128),
            ("\u{1112}\u{1161}\u{11ab}", 64, 192), ("🇰🇷", 64, 128), ("\u{301}", 1, 192),
            ("e\u{301}\u{302}\u{303}", 48, 192),
        ]
    )
    func bound(piece: String, characterCount: Int, scalarCount: Int) {
        var state = ScreenSample.search.state
        state.searchText = ""
        for _ in 0..<200 { _ = MarketListReducer.reduce(&state, .typeSearch(piece)) }
        #expect(state.searchText.count == characterCount)
        #expect(state.searchText.unicodeScalars.count == scalarCount)
        let full = state
        #expect(MarketListReducer.reduce(&state, .typeSearch(piece)).isEmpty)
        #expect(state == full)
    }

    @Test("Typing selects the first match; deleting keeps the selected coin")
    func mark() {
        var state = ScreenSample.search.state
        let hits = Array(ScreenSample.order[4...6])
        _ = MarketListReducer.reduce(&state, .typeSearch("x"))
        _ = MarketListReducer.reduce(&state, .ordered(hits, now: SampleBoard.start))
        #expect(state.selected == hits[0])
        _ = MarketListReducer.reduce(&state, .move(2))
        _ = MarketListReducer.reduce(&state, .deleteSearch(.character))
        _ = MarketListReducer.reduce(&state, .ordered(ScreenSample.order, now: SampleBoard.start))
        #expect(state.selected == hits[2] && state.window.contains(6))
    }
}

@Suite(
    "The order changes when due, never during movement, and keeps the selected coin"
)
struct MarketListOrderingTests {
    private let start = SampleBoard.start

    @Test("An order stays for two seconds")
    func interval() {
        var state = ScreenSample.list.state
        let cases: [(Int64, [MarketListEffect])] = [
            (0, []), (1_999_999, []), (2_000_000, [.reorder]), (60_000_000, [.reorder]),
        ]
        for (microseconds, effects) in cases {
            let now = start.advanced(by: .microseconds(microseconds))
            #expect(MarketListReducer.reduce(&state, .refresh(now: now)) == effects)
        }
    }

    @Test("An empty list reorders with the next data")
    func emptyOrder() {
        var state = ScreenSample.empty.state
        #expect(MarketListReducer.reduce(&state, .refresh(now: start)) == [.reorder])
        _ = MarketListReducer.reduce(&state, .ordered([], now: start))
        #expect(MarketListReducer.reduce(&state, .refresh(now: start)) == [.reorder])
    }

    @Test(
        "Moving the selection freezes the order for two seconds",
        arguments: [MarketListAction.move(1), .movePage(1), .moveToLast, .moveToFirst, .move(0)]
    )
    func frozen(action: MarketListAction) {
        var state = ScreenSample.list.state
        // Held down: by the third second the order would long be due.
        for second in 1...4 {
            #expect(MarketListReducer.reduce(&state, action).isEmpty)
            let now = start.advanced(by: .seconds(second))
            #expect(MarketListReducer.reduce(&state, .refresh(now: now)).isEmpty)
        }
        // The last move was made on the screen of the third second.
        #expect(state.movedAt == start.advanced(by: .seconds(3)))
        let almost = start.advanced(by: .microseconds(4_999_999))
        #expect(MarketListReducer.reduce(&state, .refresh(now: almost)).isEmpty)
        let free = start.advanced(by: .seconds(5))
        #expect(MarketListReducer.reduce(&state, .refresh(now: free)) == [.reorder])
    }

    @Test("A requested order applies immediately")
    func asked() {
        var state = ScreenSample.list.state
        _ = MarketListReducer.reduce(&state, .move(1))
        for action in [
            MarketListAction.nextSort, .reverseSort, .reload, .nextTab, .typeSearch("x"),
        ] {
            #expect(MarketListReducer.reduce(&state, action).contains(.reorder))
        }
    }

    @Test("A clock set back freezes nothing")
    func clockSetBack() {
        var state = ScreenSample.list.state
        _ = MarketListReducer.reduce(&state, .move(1))
        let now = start.advanced(by: .seconds(-3_600))
        #expect(MarketListReducer.reduce(&state, .refresh(now: now)) == [.reorder])
    }

    @Test("In any new order the selection stays on its market and visible")
    func identity() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            var state = ScreenSample.list.state
            _ = MarketListReducer.reduce(&state, .move(.random(in: 0...7, using: &generator)))
            let marked = state.selected
            let order = ScreenSample.order.shuffled(using: &generator)
            _ = MarketListReducer.reduce(&state, .ordered(order, now: start))
            #expect(state.selected == marked)
            #expect(order[state.window].contains { $0 == marked })
        }
    }

    @Test("While scrolled, the selected row keeps its screen line")
    func line() {
        var state = ScreenSample.list.state
        _ = MarketListReducer.reduce(&state, .move(4))
        #expect(state.firstVisible == 3 && state.selected == ScreenSample.order[5])
        // The selected market rises by one row.
        var order = ScreenSample.order
        order.swapAt(4, 5)
        _ = MarketListReducer.reduce(&state, .ordered(order, now: start))
        #expect(state.firstVisible == 2 && state.selected == ScreenSample.order[5])
    }

    @Test("If the selected market leaves the list, the row in its place is selected")
    func gone() {
        var state = ScreenSample.list.state
        _ = MarketListReducer.reduce(
            &state,
            .ordered(ScreenSample.order.filter { $0 != state.selected }, now: start)
        )
        #expect(state.selected == ScreenSample.order[2])
        _ = MarketListReducer.reduce(&state, .moveToLast)
        _ = MarketListReducer.reduce(&state, .ordered(Array(ScreenSample.order[..<2]), now: start))
        #expect(state.selected == ScreenSample.order[1] && state.firstVisible == 0)
        _ = MarketListReducer.reduce(&state, .ordered([], now: start))
        #expect(state.selected == nil && state.window.isEmpty)
        _ = MarketListReducer.reduce(&state, .ordered(ScreenSample.order, now: start))
        #expect(state.selected == ScreenSample.order[0])
    }
}
