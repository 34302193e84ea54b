import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("The loop draws on changes and sleeps otherwise")
struct TerminalLoopTests {
    private let clock = ScriptedClock()
    private let model: ScriptedModel

    init() {
        model = ScriptedModel(clock: clock)
    }

    /// Runs a script to its end.
    private func run(
        columns: Int = 80,
        rows: Int = 24,
        _ steps: [ScriptedScreen.Step]
    ) -> (screen: ScriptedScreen, state: MarketListScreenState, ending: TerminalEnding) {
        let screen = ScriptedScreen(columns: columns, rows: rows, clock: clock, steps)
        var loop = TerminalLoop(
            model: model,
            screen: screen,
            state: ScreenState()
        )
        let ending = loop.run()
        return (screen, loop.state.list, ending)
    }

    private func milliseconds(_ screen: ScriptedScreen) -> [Int64] {
        screen.drawings.map { $0.at.wholeMicroseconds / 1_000 }
    }

    @Test("The first frame is immediate, with as many rows as fit")
    func firstPicture() throws {
        let result = run([])
        let frame = try #require(result.screen.drawings.first?.frame)
        #expect(result.screen.drawings.count == 1)
        #expect(frame.lines[3].contains("코인0 C0/KRW"))
        #expect(frame.lines[22].contains("코인19 C19/KRW"))
        #expect(result.state.visibleRows == 20)
        #expect(result.ending == .hangUp)
    }

    @Test("A key draws immediately; a batch of keys draws once")
    func keys() {
        let result = run([
            .keys([.down], after: .milliseconds(10)),
            .keys([.down, .down], after: .milliseconds(3)),
        ])
        #expect(milliseconds(result.screen) == [0, 10, 13])
        #expect(result.state.selected?.symbol == "C3")
    }

    @Test("Data draws at most every 100 ms")
    func dataAreCoalesced() {
        let changes = (1...60).map { step in
            ScriptedScreen.Step.wake(after: .milliseconds(5)) { [model] in
                model.change(step % 20, to: Int64(2_000 + step))
            }
        }
        let result = run(changes)
        #expect(milliseconds(result.screen) == [0, 100, 200, 300])
    }

    @Test("The first change after a pause draws immediately")
    func dataAfterPause() {
        let result = run([
            .wake(after: .milliseconds(640)) { [model] in model.change(0, to: 1_001) }
        ])
        #expect(milliseconds(result.screen) == [0, 640])
    }

    @Test("A wake-up without new data draws nothing")
    func idleWakes() {
        let wakes = (0..<50).map { _ in ScriptedScreen.Step.wake(after: .milliseconds(10)) }
        #expect(milliseconds(run(wakes).screen) == [0])
    }

    @Test("Without input and data the loop wakes once per second for the clock")
    func clockTicks() throws {
        clock.advance(by: .milliseconds(400))
        let result = run([.pass(.seconds(10))])
        let seconds: [Int64] = (0...9).map { 600 + $0 * 1_000 }
        #expect(milliseconds(result.screen) == [0] + seconds)
        #expect(result.screen.waits <= 13)
        let last = try #require(result.screen.drawings.last)
        #expect(last.frame.lines[0].contains("21:03:21 KST"))
    }

    @Test("While loading, the spinner turns four times per second")
    func spinnerTurns() {
        model.change(to: .loading)
        let result = run([.pass(.seconds(1))])
        #expect(milliseconds(result.screen) == [0, 250, 500, 750, 1_000])
    }

    @Test("A changed price is reversed for 250 ms")
    func flash() throws {
        let result = run([
            .wake(after: .milliseconds(300)) { [model] in model.change(1, to: 1_001) },
            .pass(.milliseconds(600)),
        ])
        #expect(milliseconds(result.screen) == [0, 300, 550])
        let styles = result.screen.drawings.dropFirst().map {
            $0.frame.style(of: "1001", row: 4)
        }
        #expect(styles == [CellStyle(emphasis: .reverse), .plain])
    }

    @Test("Rows scrolled into view do not flash")
    func scrollingDoesNotFlash() {
        let result = run([
            .wake(after: .milliseconds(10)) { [model] in model.change(50, to: 1_001) },
            .keys([.end], after: .milliseconds(200)), .keys([.home]), .keys([.pageDown]),
        ])
        for drawing in result.screen.drawings {
            for row in 3..<23 where !drawing.frame.lines[row].hasPrefix("›") {
                let reversed = (0..<80).contains {
                    drawing.frame.style(row: row, column: $0).emphasis.contains(.reverse)
                }
                #expect(!reversed)
            }
        }
    }

    @Test("A batch of typed text requests one reorder")
    func typing() {
        let text = "C11".unicodeScalars.map { Key.character($0) }
        let result = run([.keys([.character("/")]), .keys(text), .keys([.enter])])
        #expect(result.state.searchText == "C11")
        #expect(result.state.order.map(\.symbol) == ["C11"])
        #expect(!result.state.isSearching)
        // One for the first frame, one for the text.
        #expect(model.orders == 2)
    }

    @Test("A key after typed text sees the new order")
    func typingThenMoving() {
        let keys = "C1".unicodeScalars.map { Key.character($0) } + [.down, .down]
        let result = run([.keys([.character("/")] + keys)])
        #expect(result.state.selected?.symbol == "C11")
    }

    @Test("A paste fills the search field, bounded, and is ignored elsewhere")
    func paste() {
        let long = String(repeating: "C\u{7}\u{1B}", count: 500)
        let result = run([.paste("q"), .keys([.character("/")]), .paste(long)])
        #expect(result.ending == .hangUp)
        #expect(result.state.searchText.count == MarketListReducer.searchLengthMax)
    }

    @Test(
        "q and Ctrl-C quit; in the search field only Ctrl-C",
        arguments: [
            ([Key.character("q")], true), ([.control("c")], true),
            ([.character("/"), .character("q")], false),
            ([.character("/"), .control("c")], true), ([.character("?"), .character("q")], true),
        ]
    )
    func quit(keys: [Key], ends: Bool) {
        #expect(run([.keys(keys), .pass(.zero)]).ending == (ends ? .quit : .hangUp))
    }

    @Test("r reloads and reorders")
    func reload() {
        let result = run([.keys([.character("r")])])
        #expect(model.reloads == 1)
        #expect(model.orders == 2)
        #expect(result.screen.drawings.count == 2)
    }

    @Test("A resize draws immediately, a storm of resizes every 40 ms")
    func resizing() throws {
        let sizes = (0..<50).map { step in
            [
                ScriptedScreen.Step.resize(TerminalSize(columns: 40 + step, rows: 10 + step)),
                .wake(after: .milliseconds(2)),
            ]
        }
        let result = run(
            [.pass(.milliseconds(150))] + sizes.flatMap { $0 } + [.pass(.milliseconds(100))]
        )
        let times = milliseconds(result.screen)
        #expect(Array(times.prefix(4)) == [0, 150, 190, 230])
        let last = try #require(result.screen.drawings.last)
        #expect(last.frame.size == TerminalSize(columns: 89, rows: 59))
        #expect(result.state.visibleRows == 55)
    }

    @Test("A window that shrinks and grows back before it is measured is drawn completely")
    func resizedThereAndBack() {
        let size = TerminalSize(columns: 80, rows: 24)
        let result = run([.pass(.milliseconds(50)), .resize(size), .pass(.milliseconds(50))])
        #expect(result.screen.drawings.count == 2)
        #expect(result.screen.invalidations == 1)
    }

    @Test("A stop by key or signal repaints everything afterwards")
    func suspending() {
        let result = run([
            .keys([.control("z")], after: .milliseconds(5)), .stop, .resume,
            .keys([.control("l")]),
        ])
        #expect(result.screen.stops == [true, false])
        #expect(result.screen.invalidations == 4)
        #expect(milliseconds(result.screen) == [0, 5, 5, 5, 5])
    }

    @Test(
        "The loop returns the reason for its end",
        arguments: [TerminalEnding.signal(15), .hangUp, .cancelled]
    )
    func endings(ending: TerminalEnding) {
        #expect(run([.keys([.down]), .end(ending), .keys([.down])]).ending == ending)
    }
}

@Suite("A visible price flashes for 250 ms when it changes")
struct FlashBookTests {
    private func rows(_ prices: [String: Int64]) -> [MarketRowViewState] {
        prices.map { symbol, price in
            var row = Samples.row(symbol, nil)
            row.price = FixedDecimal(price)
            return row
        }
    }

    @Test("Only changed prices of visible rows flash, each for its own time")
    func flashes() {
        var book = FlashTimer()
        book.apply(rows(["A": 1, "B": 1]), at: .zero)
        #expect(book.flashing.isEmpty)
        #expect(book.nextEnd == nil)
        book.apply(rows(["A": 2, "B": 1, "C": 9]), at: .milliseconds(100))
        #expect(book.flashing == ["A_KRW"])
        book.apply(rows(["A": 2, "B": 2, "C": 9]), at: .milliseconds(200))
        #expect(book.flashing == ["A_KRW", "B_KRW"])
        #expect(book.nextEnd == .milliseconds(350))
        book.apply(rows(["A": 2, "B": 2, "C": 9]), at: .milliseconds(350))
        #expect(book.flashing == ["B_KRW"])
        book.apply(rows(["A": 2, "C": 9]), at: .milliseconds(360))
        #expect(book.flashing.isEmpty)
        book.apply(rows(["B": 3]), at: .milliseconds(370))
        #expect(book.flashing.isEmpty)
    }

    @Test("A change during a flash extends it")
    func again() {
        var book = FlashTimer()
        for (step, price) in [1, 2, 3].enumerated() {
            book.apply(rows(["A": Int64(price)]), at: .milliseconds(100 * step))
        }
        #expect(book.nextEnd == .milliseconds(450))
    }
}
