import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("List and market side by side: one has focus, and the list never reloads")
struct SplitScreenTests {
    private typealias Samples = DetailScreenSamples
    private static let beside = PaneSizes(bookRows: 9, tradeRows: 4, chartColumns: 30)
    private let order = ScreenSample.order

    /// The list with its second market selected, on a screen with room for both.
    private func list(beside: PaneSizes? = beside) -> ScreenState {
        var state = ScreenState(list: ScreenSample.list.state)
        let resize = ScreenAction.resize(
            visibleRows: 3,
            room: DetailRoom(Samples.room),
            besideList: beside.map { DetailRoom($0) }
        )
        _ = ScreenReducer.reduce(&state, resize)
        return state
    }

    @discardableResult
    private func apply(_ state: inout ScreenState, _ actions: ScreenAction...) -> [ScreenEffect] {
        actions.flatMap { ScreenReducer.reduce(&state, $0) }
    }

    private func interests(_ market: MarketID) -> ScreenInterests {
        ScreenInterests(
            details: MarketDetailQuery(market: market).interests,
            assetStates: true
        )
    }

    @Test("Enter opens the selected market beside the list with focus")
    func opening() {
        var state = list()
        #expect(!state.isSplit)
        #expect(apply(&state, .openSelected) == [.hold(interests(order[1]))])
        #expect(state.isSplit)
        #expect(state.focusedDetail?.market == order[1])
        #expect(
            state.detail?.bookDepth
                == MarketDetailScreenState(
                    market: order[1],
                    room: Self.beside
                ).bookDepth
        )
    }

    @Test("Focus cycles: book, chart, trades, list, book; and back")
    func round() {
        var state = list()
        apply(&state, .openSelected)
        var focus: [DetailPane?] = []
        for _ in 0..<5 {
            focus.append(state.focusedDetail?.focus)
            apply(&state, state.focusedDetail == nil ? .focusDetail : .detail(.focusNext))
        }
        #expect(focus == [.book, .chart, .trades, nil, .book])
        apply(&state, .detail(.focus(.book)), .detail(.focusPrevious))
        #expect(state.focusedDetail == nil)
        #expect(state.detail?.market == order[1])
    }

    @Test("Esc undoes movement, focuses the list, then closes the market")
    func escape() {
        var state = list()
        apply(&state, .openSelected, .detail(.focus(.chart)), .detail(.toggleCrosshair))
        apply(&state, .detail(.shown(Samples.facts())))
        let seen = state.interests
        while state.focusedDetail?.chart.crosshair != nil { apply(&state, .detail(.dismiss)) }
        while state.focusedDetail != nil { apply(&state, .detail(.dismiss)) }
        #expect(state.isSplit)
        #expect(state.interests == seen)
        apply(&state, .list(.typeSearch("비")), .list(.dismiss))
        #expect(state.list.searchText.isEmpty)
        #expect(state.isSplit)
        #expect(apply(&state, .list(.dismiss)) == [.hold(ScreenInterests())])
        #expect(state.detail == nil)
    }

    @Test("Moving the list's selection loads nothing; Enter opens")
    func moving() {
        var state = list()
        apply(&state, .openSelected, .detail(.scroll(3)), .detail(.focus(.trades)))
        apply(&state, .detail(.focusNext))
        let open = state.detail
        #expect(apply(&state, .list(.move(2)), .list(.moveToLast), .list(.move(-1))).isEmpty)
        #expect(state.list.selected == order[6])
        #expect(state.detail == open)
        #expect(apply(&state, .openSelected) == [.hold(interests(order[6]))])
        #expect(state.focusedDetail?.market == order[6])
    }

    @Test("Enter on the open market only focuses it")
    func same() {
        var state = list()
        apply(&state, .openSelected, .detail(.changeDepth(2)), .detail(.focusPrevious))
        let open = state.detail
        #expect(apply(&state, .openSelected).isEmpty)
        #expect(state.focusedDetail == open)
    }

    @Test("List keys apply to the selection, market keys to the open market")
    func candidates() {
        var state = list()
        apply(&state, .openSelected, .detail(.focusPrevious), .list(.move(1)))
        #expect(state.favoriteTarget == order[2])
        apply(&state, .focusDetail)
        #expect(state.favoriteTarget == order[1])
    }

    @Test("While the market has focus the list reorders, and nothing else moves it")
    func orderGoesOn() {
        var state = list()
        apply(&state, .openSelected)
        let later = SampleBoard.start.advanced(by: .seconds(3))
        #expect(apply(&state, .list(.refresh(now: later))) == [.reorder])
        let before = state
        #expect(apply(&state, .list(.move(1)), .list(.nextTab), .list(.beginSearch)).isEmpty)
        #expect(state == before)
    }

    @Test("A narrow screen shows the focused side; a wide one both again, unchanged")
    func resizing() {
        let narrow = ScreenAction.resize(visibleRows: 3, room: DetailRoom(Samples.room))
        let wide = ScreenAction.resize(
            visibleRows: 3,
            room: DetailRoom(Samples.room),
            besideList: DetailRoom(Self.beside)
        )
        var state = list()
        apply(&state, .openSelected, .detail(.focus(.trades)))
        let inDetail = state
        #expect(apply(&state, narrow).isEmpty)
        #expect(state.visibleDetail?.market == order[1])
        #expect(!state.isSplit)
        apply(&state, wide)
        #expect(state == inDetail)

        apply(&state, .detail(.focusNext), .list(.move(1)))
        let inList = state
        #expect(apply(&state, narrow) == [.hold(ScreenInterests())])
        #expect(state.visibleDetail == nil)
        #expect(apply(&state, wide) == [.hold(interests(order[1]))])
        #expect(state == inList)
    }

    @Test("A market behind the list is focused by its key or closed by Esc")
    func behind() {
        var state = list()
        apply(&state, .openSelected, .detail(.focus(.chart)), .detail(.focusNext))
        apply(&state, .detail(.focusNext))
        #expect(state.focusedDetail == nil)
        apply(&state, .resize(visibleRows: 3, room: DetailRoom(Samples.room)))
        var front = state
        #expect(apply(&front, .focusDetail) == [.hold(interests(order[1]))])
        #expect(front.visibleDetail?.focus == .trades)
        apply(&state, .list(.dismiss))
        #expect(state.detail == nil)
    }

    @Test("Without an open market its key opens the selected one")
    func noMarket() {
        var state = list()
        #expect(apply(&state, .focusDetail) == [.hold(interests(order[1]))])
        #expect(state.focusedDetail?.market == order[1])
        var empty = ScreenState()
        #expect(apply(&empty, .focusDetail).isEmpty)
        #expect(empty.detail == nil)
    }

    @Test("Another page hides the market, and the list shows it again")
    func pages() {
        var state = list()
        apply(&state, .openSelected, .show(.assets))
        #expect(state.page == .assets && state.focusedDetail == nil)
        apply(&state, .show(.more))
        #expect(state.page == .more)
        #expect(state.visibleDetail == nil)
        #expect(state.interests == ScreenInterests())
        apply(&state, .show(.market))
        #expect(state.isSplit)
        #expect(state.focusedDetail == nil)
    }

    @Test("On another page a market covers the screen")
    func overPage() {
        var state = list()
        apply(&state, .show(.assets), .open(order[4]))
        #expect(!state.isSplit)
        #expect(state.focusedDetail?.visibleBuckets == Samples.room.chartColumns)
        apply(&state, .detail(.dismiss))
        #expect(state.detail == nil)
        #expect(state.page == .assets)
    }
}
