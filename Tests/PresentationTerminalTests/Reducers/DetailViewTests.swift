import TestSupport
import Domain
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("z gives a pane the whole screen, L steps through the layouts")
struct DetailViewTests {
    private typealias Samples = DetailScreenSamples

    @Test("z maximizes the focused pane, and shows all again")
    func maximize() {
        var state = Samples.screen(.trades)
        state.apply(.toggleMaximized)
        #expect(state.detail?.view.panes == [.trades])
        state.apply(.focusNext)
        #expect(state.detail?.view.panes == [.book])
        state.apply(.toggleMaximized)
        #expect(state.detail?.view.panes == Set(DetailPane.allCases))
    }

    @Test("L shows chart and book, the chart alone, and all; the focus stays visible")
    func layouts() {
        var state = Samples.screen(.trades)
        state.apply(.toggleMaximized, .nextLayout)
        #expect(state.detail?.view == DetailView(focus: .book, layout: .chartAndBook))
        #expect(state.detail?.view.panes == [.chart, .book])
        state.apply(.nextLayout)
        #expect(state.detail?.view.panes == [.chart])
        state.apply(.nextLayout)
        #expect(state.detail?.view == DetailView(focus: .chart, layout: .all))
    }

    @Test("The next market opens with the layout, not maximized")
    func next() {
        var state = Samples.screen(.book, .nextLayout, .toggleMaximized)
        _ = ScreenReducer.reduce(&state, .open("ETH_KRW"))
        #expect(state.detail?.view == DetailView(layout: .chartAndBook))
    }

    @Test("The pane sizes follow focus and layout")
    func room() {
        var state = Samples.screen(.book)
        let size = TerminalSize(columns: 120, rows: 36)
        let resize = ScreenAction.resize(
            visibleRows: 3,
            room: MarketDetailRenderer.room(in: size)
        )
        _ = ScreenReducer.reduce(&state, resize)
        #expect(state.detail?.room.bookRows == 19)
        #expect(state.detail?.room.chartColumns == 107)
        state.apply(.focus(.chart))
        #expect(state.detail?.room.bookRows == 10)
        state.apply(.focus(.book), .toggleMaximized)
        #expect(state.detail?.room.bookRows == 31)
        #expect(state.detail?.room.chartColumns == 107, "hidden, but asked for")
    }
}
