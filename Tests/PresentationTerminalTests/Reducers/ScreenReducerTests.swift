import Domain
@testable import PresentationTerminal
import TestSupport
import Testing
import ViewStates

@Suite("A market opens over the list, which stays as it was, and is followed while it is open")
struct ScreenReducerTests {
    private typealias Samples = DetailScreenSamples

    private func interests(
        _ market: MarketID = Samples.market,
        _ interval: CandleInterval = .day1
    ) -> ScreenInterests {
        let facets: [DetailFacet] = [.book, .trades, .candles(interval), .candles(.day1)]
        return ScreenInterests(
            details: Set(facets.map { DetailInterest(market: market, facet: $0) }),
            assetStates: true
        )
    }

    @Test(
        "Enter opens the marked market, from the list and from the search",
        arguments: [
            ScreenSample.list, .search, .help,
        ]
    )
    func opening(sample: ScreenSample) {
        var state = ScreenState(list: sample.state)
        let effects = ScreenReducer.reduce(&state, .openSelected)
        #expect(state.detail?.market == ScreenSample.order[1])
        #expect(effects == [.hold(interests(ScreenSample.order[1]))])
        #expect(state.list.selected == sample.state.selected)
        #expect(state.list.order == sample.state.order)
        #expect(state.list.searchText == sample.state.searchText)
        #expect(!state.list.isSearching)
        #expect(state.list.overlay == nil)
    }

    @Test("With nothing marked Enter opens nothing, and still ends the search field")
    func nothingMarked() {
        var list = ScreenSample.empty.state
        list.isSearching = true
        var state = ScreenState(list: list)
        #expect(ScreenReducer.reduce(&state, .openSelected).isEmpty)
        #expect(state.detail == nil)
        #expect(!state.list.isSearching)
    }

    @Test("A market opens by its name, whatever is marked, and another one in its place")
    func openByName() {
        var state = ScreenState(list: ScreenSample.list.state)
        _ = ScreenReducer.reduce(&state, .open("X_BTC"))
        #expect(state.detail?.market == "X_BTC")
        let effects = ScreenReducer.reduce(&state, .open("Y_KRW"))
        #expect(state.detail?.market == "Y_KRW")
        #expect(effects == [.hold(interests("Y_KRW"))])
    }

    @Test("Opening goes by identity: the order may change between the picture and the key")
    func identity() {
        var state = ScreenState(list: ScreenSample.list.state)
        let reversed = Array(ScreenSample.order.reversed())
        _ = ScreenReducer.reduce(&state, .list(.ordered(reversed, now: Samples.now)))
        _ = ScreenReducer.reduce(&state, .openSelected)
        #expect(state.detail?.market == ScreenSample.order[1])
    }

    @Test("Esc goes back to the list where it was, and nothing is followed any more")
    func closing() {
        var state = Samples.screen()
        #expect(state.apply(.dismiss) == [.hold(ScreenInterests())])
        #expect(state.detail == nil)
        var list = ScreenSample.list.state
        _ = MarketListReducer.reduce(&list, .resize(visibleRows: 3))
        #expect(state.list == list)
        #expect(state.apply(.dismiss).isEmpty)
    }

    @Test("Another interval is followed in place of the one before")
    func interval() {
        var state = Samples.screen(.chart)
        #expect(state.apply(.shorterInterval) == [.hold(interests(Samples.market, .hours12))])
        #expect(state.apply(.longerInterval) == [.hold(interests(Samples.market, .day1))])
    }

    @Test(
        "Under a detail the list does not move, whatever is asked of it",
        arguments: [
            MarketListAction.nextTab, .previousTab, .nextSort, .reverseSort, .beginSearch,
            .typeSearch("x"), .deleteSearch(.character), .move(1), .movePage(1), .moveToFirst,
            .moveToLast, .confirm, .dismiss, .togglePopularityRule, .refresh(now: Samples.now),
        ]
    )
    func listStays(action: MarketListAction) {
        let before = Samples.screen()
        var state = before
        #expect(ScreenReducer.reduce(&state, .list(action)).isEmpty)
        #expect(state == before)
    }

    @Test("The menu of periods and the help lie over a detail as over the list")
    func overlays() {
        var state = Samples.screen()
        _ = ScreenReducer.reduce(&state, .list(.openPeriods))
        #expect(state.list.overlay == .periods(.hours24))
        _ = ScreenReducer.reduce(&state, .list(.move(1)))
        #expect(ScreenReducer.reduce(&state, .list(.confirm)).isEmpty)
        #expect(state.list.period == .midnight)
        #expect(Samples.query(state)?.period == .midnight)
        _ = ScreenReducer.reduce(&state, .list(.toggleHelp))
        #expect(state.list.overlay == .help)
        _ = ScreenReducer.reduce(&state, .list(.dismiss))
        #expect(state.list.overlay == nil)
        #expect(state.detail != nil)
    }

    @Test("Reload reads everything anew; the list is ordered when it is seen again")
    func reload() {
        var state = Samples.screen()
        #expect(ScreenReducer.reduce(&state, .list(.reload)) == [.reload])
        #expect(ScreenReducer.reduce(&state, .list(.quit)) == [.quit])
    }

    @Test("The next market opens with the settings of the last, but at its own beginning")
    func settings() throws {
        var state = Samples.screen(.chart)
        state.apply(.shorterInterval, .toggleLine, .zoomIn, .moveInTime(-5), .toggleCrosshair)
        state.apply(.dismiss, .dismiss, .dismiss)
        #expect(state.detail == nil)
        _ = ScreenReducer.reduce(&state, .open("X_KRW"))
        let detail = try #require(state.detail)
        #expect(detail.focus == .chart)
        #expect(detail.chart.interval == .hours12)
        #expect(detail.chart.style == .line)
        #expect(detail.chart.buckets == 32)
        #expect(detail.chart.lastBucket == nil)
        #expect(detail.chart.crosshair == nil)
        #expect(detail.book.groupIndex == 0)
    }

    @Test("A room that was measured before a market opens is its room")
    func room() {
        var state = ScreenState()
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: 3, room: Samples.room))
        _ = ScreenReducer.reduce(&state, .open(Samples.market))
        #expect(state.detail?.bookDepth == 5)
        let wide = PaneSizes(bookRows: 41, tradeRows: 9, chartColumns: 120)
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: 3, room: wide))
        #expect(state.detail?.bookDepth == 20)
        #expect(state.detail?.visibleBuckets == 120)
    }
}
