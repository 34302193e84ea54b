import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("A market opens over the list and is held while open")
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
        "Enter opens the selected market, from the list and from the search",
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

    @Test("Without a selection Enter opens nothing and ends the search")
    func nothingMarked() {
        var list = ScreenSample.empty.state
        list.isSearching = true
        var state = ScreenState(list: list)
        #expect(ScreenReducer.reduce(&state, .openSelected).isEmpty)
        #expect(state.detail == nil)
        #expect(!state.list.isSearching)
    }

    @Test("A market opens by identity, replacing the open one")
    func openByName() {
        var state = ScreenState(list: ScreenSample.list.state)
        _ = ScreenReducer.reduce(&state, .open("X_BTC"))
        #expect(state.detail?.market == "X_BTC")
        let effects = ScreenReducer.reduce(&state, .open("Y_KRW"))
        #expect(state.detail?.market == "Y_KRW")
        #expect(effects == [.hold(interests("Y_KRW"))])
    }

    @Test("Opening uses identity, even if the order changed")
    func identity() {
        var state = ScreenState(list: ScreenSample.list.state)
        let reversed = Array(ScreenSample.order.reversed())
        _ = ScreenReducer.reduce(&state, .list(.ordered(reversed, now: Samples.now)))
        _ = ScreenReducer.reduce(&state, .openSelected)
        #expect(state.detail?.market == ScreenSample.order[1])
    }

    @Test("Esc returns to the unchanged list and releases the market")
    func closing() {
        var state = Samples.screen()
        #expect(state.apply(.dismiss) == [.hold(ScreenInterests())])
        #expect(state.detail == nil)
        var list = ScreenSample.list.state
        _ = MarketListReducer.reduce(&list, .resize(visibleRows: 3))
        #expect(state.list == list)
        #expect(state.apply(.dismiss).isEmpty)
    }

    @Test("A new interval replaces the held one")
    func interval() {
        var state = Samples.screen(.chart)
        #expect(state.apply(.shorterInterval) == [.hold(interests(Samples.market, .hours12))])
        #expect(state.apply(.longerInterval) == [.hold(interests(Samples.market, .day1))])
    }

    @Test(
        "Under a detail the list does not move",
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

    @Test("Period menu and help open over a detail")
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

    @Test("Reload reloads everything; the list reorders when visible again")
    func reload() {
        var state = Samples.screen()
        #expect(ScreenReducer.reduce(&state, .list(.reload)) == [.reload])
        #expect(ScreenReducer.reduce(&state, .list(.quit)) == [.quit])
    }

    @Test("The next market opens with the last settings at its own start")
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
        #expect(detail.chart.buckets == 20)
        #expect(detail.chart.lastBucket == nil)
        #expect(detail.chart.crosshair == nil)
        #expect(detail.book.groupIndex == 0)
    }

    @Test("Pane sizes measured before a market opens apply to it")
    func room() {
        var state = ScreenState()
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: 3, room: DetailRoom(Samples.room)))
        _ = ScreenReducer.reduce(&state, .open(Samples.market))
        #expect(state.detail?.bookDepth == 5)
        let wide = PaneSizes(bookRows: 41, tradeRows: 9, chartColumns: 120)
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: 3, room: DetailRoom(wide)))
        #expect(state.detail?.bookDepth == 20)
        #expect(state.detail?.visibleBuckets == 120)
    }
}
