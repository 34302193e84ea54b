import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("The loop opens markets, holds their data while visible and redraws them")
struct MarketDetailLoopTests {
    private let clock = ScriptedClock()
    private let model: ScriptedModel

    init() {
        model = ScriptedModel(clock: clock)
    }

    private func run(
        columns: Int = 80,
        rows: Int = 24,
        _ steps: [ScriptedScreen.Step]
    ) -> (screen: ScriptedScreen, state: ScreenState, ending: TerminalEnding) {
        let screen = ScriptedScreen(columns: columns, rows: rows, clock: clock, steps)
        var loop = TerminalLoop(
            model: model,
            screen: screen,
            state: ScreenState()
        )
        let ending = loop.run()
        return (screen, loop.state, ending)
    }

    private func milliseconds(_ screen: ScriptedScreen) -> [Int64] {
        screen.drawings.map { $0.at.wholeMicroseconds / 1_000 }
    }

    private func keys(_ text: String) -> ScriptedScreen.Step {
        .keys(text.unicodeScalars.map { .character($0) })
    }

    @Test("Enter opens and holds the selected market; Esc releases it and returns to the list")
    func openAndClose() throws {
        let result = run([.keys([.down, .enter]), .keys([.escape])])
        let frames = result.screen.drawings.map(\.frame)
        #expect(frames.count == 3)
        #expect(frames[1].lines[2].contains("[호가]"))
        #expect(frames[2].lines[1].contains("[원화]"))
        #expect(result.state.list.selected?.symbol == "C1")
        let market = try #require(MarketID(name: "C1_KRW"))
        #expect(model.queries.map(\.market) == [market])
        #expect(
            model.held.map { $0.map(\.market.symbol).sorted() } == [
                [], ["C1", "C1", "C1"], [], [],
            ]
        )
    }

    @Test("A search typed at once with Enter opens its result")
    func openFromSearch() {
        let text = "C11".unicodeScalars.map { Key.character($0) }
        let result = run([.keys([.character("/")] + text + [.enter])])
        #expect(result.state.detail?.market.symbol == "C11")
    }

    @Test("Quitting releases an open market", arguments: [true, false])
    func quit(isByKey: Bool) {
        _ = run([.keys([.enter]), isByKey ? .keys([.character("q")]) : .end(.signal(15))])
        #expect(model.held.last == [])
        #expect(model.held.count == 3)
    }

    @Test("Data redraws at most every 100 ms, keys immediately")
    func schedule() {
        let changes = (1...30).map { step in
            ScriptedScreen.Step.wake(after: .milliseconds(5)) { [model] in
                model.changeDetail { $0.orderBook.heals = step }
            }
        }
        let result = run(
            [.keys([.enter], after: .milliseconds(10))] + changes
                + [.keys([.tab], after: .milliseconds(1))]
        )
        #expect(milliseconds(result.screen) == [0, 10, 110, 161])
    }

    @Test("A changed price and quantity are reversed for 250 ms")
    func flash() throws {
        let result = run([
            .keys([.enter]),
            .wake(after: .milliseconds(300)) { [model] in
                model.changeDetail { state in
                    state.header.price = FixedDecimal(143_211_000)
                    state.header.priceText = "143,211,000"
                    state.orderBook.bids[0].quantity = .one
                    state.orderBook.bids[0].quantityText = "1.0000"
                }
            },
            .pass(.milliseconds(600)),
        ])
        #expect(milliseconds(result.screen) == [0, 0, 300, 550])
        let frames = result.screen.drawings.suffix(3).map(\.frame)
        let row = try #require(frames[1].row(of: "▶143,210,000◀"))
        func isReversed(_ frame: Frame, _ text: String, _ row: Int) -> Bool? {
            frame.style(of: text, row: row)?.emphasis.contains(.reverse)
        }
        #expect(frames.map { isReversed($0, "143,21", 1) } == [false, true, false])
        #expect(frames.dropFirst().map { isReversed($0, "1.", row) } == [true, false])
        #expect(isReversed(frames[1], "0.1738", row + 1) == false)
    }

    @Test("Opening another market causes no flash")
    func noFlashOnOpening() {
        let result = run([
            .keys([.enter]), .keys([.escape, .down]),
            .wake(after: .zero) { [model] in
                model.changeDetail { $0.header.price = .one }
            },
            .keys([.enter]),
        ])
        let last = result.screen.drawings.last?.frame
        #expect(last?.style(row: 1, column: 0).emphasis.contains(.reverse) == false)
    }

    @Test("Pane keys change the query")
    func queries() throws {
        _ = run([
            .keys([.enter]), keys("+g"), .keys([.tab, .character("[")]),
            .keys([.tab, .character("d")]),
        ])
        let queries = model.queries
        #expect(queries[0].depth == 9)
        #expect(queries[1].depth == 10)
        #expect(queries[1].group == FixedDecimal(2_000))
        #expect(queries[2].interval == .hours12)
        // The list of days is a separate query.
        #expect(queries.count == 5)
        #expect(queries[4].interval == .day1)
        #expect(model.held.count == 5)
        // A group holds more levels than it shows.
        #expect(model.held.map { $0.contains { $0.facet == .deepBook } }.contains(true))
    }

    @Test("r reloads everything; the period menu works over the detail")
    func reloadAndPeriod() {
        let result = run([.keys([.enter]), keys("r"), keys("p"), .keys([.down, .enter])])
        #expect(model.reloads == 1)
        #expect(result.state.list.period == .midnight)
        #expect(model.queries.last?.period == .midnight)
        let menu = result.screen.drawings[3].frame
        #expect(menu.row(of: "변동률 기간") != nil)
    }

    @Test("The help lists the keys of the focused pane")
    func help() {
        let result = run(rows: 30, [.keys([.enter]), .keys([.tab]), keys("?")])
        let frame = result.screen.drawings.last?.frame
        #expect(frame?.row(of: "십자선") != nil)
        #expect(frame?.row(of: "호가 모아보기") == nil)
    }

    @Test("A resize changes the pane sizes")
    func resizing() throws {
        let result = run([
            .keys([.enter]), .resize(TerminalSize(columns: 200, rows: 60)),
            .pass(.milliseconds(50)),
        ])
        let frame = try #require(result.screen.drawings.last?.frame)
        #expect(frame.lines[2].contains("차트"))
        let row = try #require(frame.row(of: "▸ 호가"))
        #expect(frame.lines[row].contains("시세"))
        #expect(model.queries.last?.depth == 13)
    }

    @Test("The spinner turns while a block loads; otherwise only the clock changes")
    func spinner() {
        model.changeDetail { $0.chart.health = Samples.health(.loading, ageSeconds: nil) }
        let result = run([.keys([.enter]), .pass(.milliseconds(600))])
        #expect(milliseconds(result.screen) == [0, 0, 250, 500])
    }
}
