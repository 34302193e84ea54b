import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Detail panes scroll, count and change their query")
struct MarketDetailReducerTests {
    private typealias Samples = DetailScreenSamples

    @Test("Panes are focused by number and in cycles")
    func focus() {
        var state = Samples.screen()
        let panes = (0..<4).map { _ in
            state.apply(.focusNext)
            return state.detail?.focus
        }
        #expect(panes == [.chart, .trades, .book, .chart])
        state.apply(.focusPrevious, .focusPrevious)
        #expect(state.detail?.focus == .trades)
        state.apply(.focus(.book))
        #expect(state.detail?.focus == .book)
    }

    // MARK: Book

    @Test("Levels are as many as fit, as set, or all while scrolled")
    func depth() {
        var state = Samples.screen()
        #expect(Samples.query(state)?.depth == 5)
        state.apply(.scroll(1))
        #expect(Samples.query(state)?.depth == 30)
        state.apply(.recenter, .changeDepth(3))
        #expect(Samples.query(state)?.depth == 8)
        state.apply(.changeDepth(.max))
        #expect(Samples.query(state)?.depth == 30)
        state.apply(.changeDepth(.min))
        #expect(Samples.query(state)?.depth == 1)
    }

    @Test("A depth that fits follows the screen size again")
    func depthOfRoom() {
        var state = Samples.screen()
        state.apply(.changeDepth(1))
        state.apply(.changeDepth(-1))
        #expect(state.detail?.book.depth == nil)
        state.apply(.changeDepth(-1))
        #expect(state.detail?.book.depth == 4)
        state.apply(.changeDepth(1))
        #expect(state.detail?.book.depth == nil)
    }

    @Test(
        "Depth keys change one level, scrolled or not",
        arguments: [0, 1, -1, 3, -3]
    )
    func depthWhileScrolled(rows: Int) throws {
        var state = Samples.screen(.book, .scroll(rows))
        var depth = try #require(Samples.query(state)?.depth)
        #expect(depth == (rows == 0 ? 5 : 30))
        for step in [-1, 1] {
            while depth + step >= 1, depth + step <= 30 {
                var facts = Samples.facts(levels: depth + step)
                facts.levelsKept = 30
                state.apply(.changeDepth(step), .shown(facts))
                #expect(Samples.query(state)?.depth == depth + step)
                depth += step
            }
        }
    }

    @Test(
        "Levels scroll to their far ends and no farther",
        arguments: [
            (30, 25), (6, 1), (5, 0), (0, 0),
        ]
    )
    func bookBounds(levels: Int, farthest: Int) {
        var state = Samples.screen()
        state.apply(.shown(Samples.facts(levels: levels)), .scrollToLast)
        #expect(state.detail?.book.offset == farthest)
        state.apply(.scrollToFirst)
        #expect(state.detail?.book.offset == -farthest)
        state.apply(.scroll(.max), .shown(Samples.facts(levels: 5)))
        #expect(state.detail?.book.offset == 0)
    }

    @Test("Esc centers the spread before it leaves, as does the pane's number")
    func recenter() {
        for action in [MarketDetailAction.dismiss, .focus(.book), .recenter] {
            var state = Samples.screen(.book, .scroll(4))
            state.apply(action)
            #expect(state.detail?.book.offset == 0)
        }
    }

    @Test("The price step cycles through the market's factors")
    func groups() {
        var state = Samples.screen()
        var steps: [FixedDecimal?] = []
        for _ in 0..<6 {
            steps.append(Samples.query(state)?.group)
            state.apply(.nextGroup)
            // A coarser step in force is not the market's own step.
            var facts = Samples.facts()
            facts.group = Samples.query(state)?.group ?? FixedDecimal(1_000)
            state.apply(.shown(facts))
        }
        #expect(steps == [nil] + [2, 5, 10, 50, 100].map { FixedDecimal($0 * 1_000) })
        #expect(Samples.query(state)?.group == nil)
        state.apply(.previousGroup)
        #expect(Samples.query(state)?.group == FixedDecimal(100_000))
    }

    @Test("Without a book there is no step to choose")
    func noStep() {
        var state = ScreenState(list: ScreenSample.list.state)
        _ = ScreenReducer.reduce(&state, .openSelected)
        state.apply(.nextGroup)
        #expect(state.detail?.book.groupIndex == 0)
    }

    // MARK: Trades

    @Test("The top trade keeps its position while newer ones are counted")
    func newTrades() throws {
        var state = Samples.screen(.trades, .scroll(3))
        #expect(state.detail?.trades.top == Samples.trade(3))
        #expect(state.detail?.trades.lastSeen == Samples.trade(0))
        #expect(Samples.query(state)?.tradeLimit == 500)
        state.apply(.shown(Samples.facts(trades: 62, newer: 12)))
        #expect(state.detail?.trades.top == Samples.trade(3))
        let rows = (0..<62).map { row(Samples.trade($0 - 12)) }
        let detail = try #require(state.detail)
        #expect(detail.firstTrade(of: rows) == 15)
        #expect(detail.newTrades(of: rows) == 12)
        state.apply(.scrollToFirst)
        #expect(state.detail?.trades.top == nil)
        #expect(state.detail?.newTrades(of: rows) == 0)
        #expect(Samples.query(state)?.tradeLimit == 22)
    }

    @Test("If the top trade leaves the tape, the oldest trades are shown")
    func lostTop() {
        var state = Samples.screen(.trades, .scrollToLast)
        #expect(state.detail?.trades.top == Samples.trade(40))
        state.apply(.shown(Samples.facts(trades: 30, newer: 100)))
        #expect(state.detail?.trades.top == Samples.trade(-80))
        state.apply(.shown(Samples.facts(trades: 4)))
        #expect(state.detail?.trades.top == nil)
        state.apply(.shown(Samples.facts(trades: 0)), .scroll(1))
        #expect(state.detail?.trades.top == nil)
    }

    @Test("Trades that fit do not scroll; a page is one row less than visible")
    func pages() {
        var state = Samples.screen(.trades, .scrollPage(1))
        #expect(state.detail?.trades.top == Samples.trade(9))
        state.apply(.scrollPage(.min))
        #expect(state.detail?.trades.top == nil)
        state.apply(.shown(Samples.facts(trades: 10)), .scroll(5))
        #expect(state.detail?.trades.top == nil)
    }

    @Test("Days scroll separately and query a daily chart")
    func days() throws {
        var state = Samples.screen(.trades, .toggleDays, .scroll(7))
        #expect(state.detail?.trades.dayOffset == 7)
        #expect(state.detail?.trades.top == nil)
        let query = try #require(state.detail?.daysQuery(language: .english))
        #expect(query.interval == .day1)
        #expect(query.candles == .newest(count: 366, before: nil))
        #expect(query.language == .english)
        state.apply(.scrollToLast)
        #expect(state.detail?.trades.dayOffset == 80)
        // A frame without days keeps their position.
        var others = Samples.facts()
        others.days = 0
        others.areDaysRead = false
        state.apply(.toggleDays, .shown(others))
        state.apply(.toggleDays)
        #expect(state.detail?.trades.dayOffset == 80)
        state.apply(.dismiss)
        #expect(state.detail?.trades.dayOffset == 0)
        state.apply(.toggleDays)
        #expect(state.detail?.daysQuery(language: .korean) == nil)
    }

    private func row(_ id: TradeID) -> TradesViewState.Row {
        TradesViewState.Row(
            id: id.text,
            at: id.at,
            timeText: "",
            price: .one,
            priceText: "1",
            quantity: .one,
            quantityText: "1",
            amount: .one,
            amountText: "1",
            side: .buy,
            tickDirection: nil
        )
    }
}
