import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Number keys open pages, pages keep their state, and Esc returns to the list")
struct ScreenPagesTests {
    private typealias Samples = UserScreenSamples

    @Test("A key opens its page; the list is unchanged", arguments: ScreenPage.allCases)
    func opening(page: ScreenPage) {
        var state = Samples.screen()
        let list = state.list
        guard page != .market else { return }
        _ = ScreenReducer.reduce(&state, .show(page))
        #expect(state.page == page)
        #expect(state.list == list)
        #expect(ScreenReducer.reduce(&state, .show(.market)).contains(.reorder))
        #expect(state.page == .market)
    }

    @Test("The key of the open page scrolls to its first row")
    func again() {
        var state = Samples.screen()
        _ = ScreenReducer.reduce(&state, .rows(.move(4)))
        _ = ScreenReducer.reduce(&state, .show(.market))
        #expect(state.list.selected == ScreenSample.order.first)
        state.open(.assets)
        _ = ScreenReducer.reduce(&state, .rows(.moveToLast))
        #expect(state.assets.rows.selected?.symbol == "XRP")
        _ = ScreenReducer.reduce(&state, .show(.assets))
        #expect(state.assets.rows.selected?.symbol == "BTC")
    }

    @Test(
        "A page opens from a market that fills the screen, which is closed",
        arguments: ScreenPage.allCases
    )
    func fromDetail(page: ScreenPage) {
        var state = Samples.screen()
        _ = ScreenReducer.reduce(&state, .openSelected)
        #expect(state.focusedDetail != nil)
        let selected = state.list.selected
        #expect(selected != nil && selected != state.list.order.first)
        _ = ScreenReducer.reduce(&state, .show(page))
        #expect(state.page == page && state.detail == nil)
        #expect(state.list.selected == selected)
    }

    @Test(
        "Deposits and withdrawals are held while visible, on their page or beside a price",
        arguments: [
            (ScreenPage.market, false), (.assets, true), (.portfolio, true), (.more, false),
            (.alerts, false),
        ]
    )
    func holding(page: ScreenPage, isWanted: Bool) {
        var state = Samples.screen()
        let effects = ScreenReducer.reduce(&state, .show(page))
        let interests = ScreenInterests(assetStates: isWanted)
        #expect(state.interests == interests)
        #expect(effects.contains(.hold(interests)) == isWanted)
        _ = ScreenReducer.reduce(&state, .open("B_KRW"))
        #expect(state.interests.assetStates)
        _ = ScreenReducer.reduce(&state, .detail(.dismiss))
        #expect(state.interests == interests)
        #expect(state.page == page)
    }

    @Test("A new filter starts at its top; search and sort stay")
    func filter() {
        var state = Samples.screen()
        state.open(.assets)
        state.browse(.nextSort, .typeSearch("비"), .nextFilter, .nextFilter)
        #expect(state.assets.filter == .suspended)
        #expect(state.assets.sort == .deposit)
        #expect(state.assets.searchText == "비")
        #expect(state.assets.rows.selected == nil)
        state.browse(.reverseSort)
        let query = state.assets.query(language: .english)
        #expect(query.filter == .suspended && query.sort == .deposit)
        #expect(query.direction == .descending && query.searchText == "비")
        #expect(query.language == .english)
        state.browse(.previousFilter, .previousFilter, .previousFilter)
        #expect(state.assets.filter == .suspended)
    }

    @Test("Esc leaves the search field, then clears the search, then leaves the page")
    func dismissing() {
        var state = Samples.screen()
        state.open(.assets)
        state.browse(.beginSearch, .typeSearch("ㅂㅌ"))
        state.browse(.dismiss)
        #expect(!state.assets.isSearching && state.assets.searchText == "ㅂㅌ")
        state.browse(.dismiss)
        #expect(state.assets.searchText.isEmpty && state.page == .assets)
        state.browse(.dismiss)
        #expect(state.page == .market)
    }

    @Test("Enter opens the market of the selected coin by identity")
    func openingCoins() {
        var state = Samples.screen()
        state.open(.assets)
        _ = ScreenReducer.reduce(&state, .rows(.move(1)))
        // The order changes between the frame and the key.
        state.showAssets(["XRP", "ETH", "BTC"], after: .seconds(9))
        #expect(state.browse(.open) == [.openMarket(of: Samples.asset("ETH"))])
        state.open(.portfolio)
        _ = ScreenReducer.reduce(&state, .rows(.moveToLast))
        #expect(ScreenReducer.reduce(&state, .portfolio(.open)).isEmpty)
    }

    @Test("A text scrolls to its last line")
    func text() {
        var state = Samples.screen()
        _ = ScreenReducer.reduce(&state, .show(.more))
        _ = ScreenReducer.reduce(&state, .more(.shown(lines: 30, rows: 10)))
        for (action, offset) in [
            (RowsAction.move(3), 3), (.movePage(1), 12), (.move(.max), 20), (.move(.min), 0),
            (.moveToLast, 20), (.movePage(.max), 20), (.moveToFirst, 0),
        ] {
            _ = ScreenReducer.reduce(&state, .rows(action))
            #expect(state.more.offset == offset)
        }
        _ = ScreenReducer.reduce(&state, .rows(.moveToLast))
        _ = ScreenReducer.reduce(&state, .more(.shown(lines: 30, rows: 40)))
        #expect(state.more.offset == 0)
        _ = ScreenReducer.reduce(&state, .more(.dismiss))
        #expect(state.page == .market)
    }

    @Test("The help over a page scrolls instead of it")
    func help() {
        var state = Samples.screen()
        let selected = state.list.selected
        _ = ScreenReducer.reduce(&state, .list(.toggleHelp))
        _ = ScreenReducer.reduce(&state, .helpShown(lines: 17, rows: 10))
        _ = ScreenReducer.reduce(&state, .rows(.move(99)))
        #expect(state.list.help.offset == 7)
        #expect(state.list.selected == selected)
        _ = ScreenReducer.reduce(&state, .list(.toggleHelp))
        _ = ScreenReducer.reduce(&state, .list(.toggleHelp))
        #expect(state.list.help.offset == 0)
    }
}

@Suite("Rows are held by identity, and their order is stable during movement")
struct RowMarksTests {
    private typealias Samples = UserScreenSamples

    @Test("The order changes every two seconds, later during movement")
    func frozen() {
        var state = Samples.screen()
        state.open(.assets)
        func order() -> String { state.assets.rows.order.map(\.symbol).joined(separator: " ") }
        state.showAssets(["XRP", "ETH", "BTC"], after: .milliseconds(1_900))
        #expect(order() == "BTC ETH XRP")
        _ = ScreenReducer.reduce(&state, .rows(.move(1)))
        state.showAssets(["XRP", "ETH", "BTC"], after: .milliseconds(3_000))
        #expect(order() == "BTC ETH XRP")
        state.showAssets(["XRP", "ETH", "BTC"], after: .milliseconds(3_900))
        #expect(order() == "XRP ETH BTC")
        #expect(state.assets.rows.selected?.symbol == "ETH")
    }

    @Test("Added and removed coins apply immediately; the selection moves to the row in place")
    func members() {
        var state = Samples.screen()
        state.open(.assets)
        _ = ScreenReducer.reduce(&state, .rows(.move(1)))
        state.showAssets(["BTC", "XRP"], after: .milliseconds(1))
        #expect(state.assets.rows.order.map(\.symbol) == ["BTC", "XRP"])
        #expect(state.assets.rows.selected?.symbol == "XRP")
        state.showAssets([], after: .milliseconds(2))
        #expect(state.assets.rows.selected == nil)
        #expect(state.browse(.open).isEmpty)
    }

    @Test("Random row actions keep the selection valid and visible", arguments: 0..<40)
    func invariants(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var state = Samples.screen()
        state.open(.assets)
        var elapsed = Duration.zero
        let names = (0..<30).map { "C\($0)" }
        for _ in 0..<200 {
            let action: RowsAction =
                [
                    .move(Int.random(in: -40...40, using: &generator)), .move(.max), .move(.min),
                    .movePage(1), .movePage(-1), .movePage(.max), .moveToFirst, .moveToLast,
                ].randomElement(using: &generator) ?? .moveToLast
            _ = ScreenReducer.reduce(&state, .rows(action))
            elapsed += .milliseconds(Int.random(in: 0...900, using: &generator))
            let count = Int.random(in: 0...30, using: &generator)
            let rows = Int.random(in: -3...12, using: &generator)
            let order = Array(names.shuffled(using: &generator).prefix(count))
            state.showAssets(order, after: elapsed, visibleRows: rows)
            let marks = state.assets.rows
            #expect(Set(marks.order.map(\.symbol)) == Set(order))
            #expect((marks.selected == nil) == order.isEmpty)
            if let selected = marks.selected {
                #expect(marks.order[marks.window].contains(selected))
            }
        }
    }
}
