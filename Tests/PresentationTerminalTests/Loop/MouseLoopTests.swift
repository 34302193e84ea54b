import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("The mouse acts on the visible screen")
struct MouseLoopTests {
    private let clock = ScriptedClock()
    private let model: ScriptedModel

    init() { model = ScriptedModel(clock: clock) }

    private func run(
        columns: Int = 80,
        _ steps: [ScriptedScreen.Step]
    ) throws -> (last: Frame, state: ScreenState, ending: TerminalEnding) {
        let screen = ScriptedScreen(columns: columns, rows: 24, clock: clock, steps)
        var loop = TerminalLoop(
            model: model,
            screen: screen,
            state: ScreenState()
        )
        let ending = loop.run()
        return (try #require(screen.drawings.last?.frame), loop.state, ending)
    }

    private func click(_ row: Int, _ column: Int = 10) -> ScriptedScreen.Step {
        .mouse([MouseEvent(.click, row: row, column: column)])
    }

    @Test("A click selects a row, a second one opens it, even in one batch")
    func opening() throws {
        let marked = try run([click(5)])
        #expect(marked.last.lines[5].hasPrefix("›"))
        #expect(marked.state.list.selected?.symbol == "C2")
        #expect(try run([click(5), click(5)]).state.detail?.market.symbol == "C2")
        let event = MouseEvent(.click, row: 5, column: 10)
        #expect(try run([.mouse([event, event])]).state.detail?.market.symbol == "C2")
    }

    @Test("In the detail a click focuses a pane and the wheel scrolls under the pointer")
    func panes() throws {
        let opened: [ScriptedScreen.Step] = [.keys([.enter])]
        let narrow = try run(opened)
        let tabs = narrow.last.lines[2]
        let range = try #require(tabs.firstRange(of: "차트"))
        let column = TextWidth.columns(String(tabs[..<range.lowerBound]))
        #expect(try run(opened + [click(2, column)]).state.detail?.focus == .chart)
        // Beside the list, a click gives the keys to either side.
        for columns in [160, 440] {
            let wide = try run(columns: columns, opened)
            let row = try #require(wide.last.lines.firstIndex { $0.contains("차트") })
            let line = wide.last.lines[row]
            let place = try #require(line.firstRange(of: "차트"))
            let column = TextWidth.columns(String(line[..<place.lowerBound]))
            let charted = try run(columns: columns, opened + [click(row, column)])
            #expect(charted.state.focusedDetail?.focus == .chart)
        }
        let back = try run(columns: 440, opened + [click(6)])
        #expect(back.state.isSplit && back.state.focusedDetail == nil)
        #expect(back.state.list.selected?.symbol == "C3")
        let other = try run(columns: 440, opened + [click(6), click(6)])
        #expect(other.state.focusedDetail?.market.symbol == "C3")
    }

    @Test("A word of the bottom line is its key, and can quit")
    func hints() throws {
        let first = try run([])
        let line = first.last.lines[23]
        let range = try #require(line.firstRange(of: "종료"))
        let column = TextWidth.columns(String(line[..<range.lowerBound]))
        #expect(try run([click(23, column)]).ending == .quit)
        #expect(first.ending == .hangUp)
    }

    @Test("A click without a target draws nothing")
    func nothing() throws {
        let screen = ScriptedScreen(clock: clock, [click(0, 40)])
        var loop = TerminalLoop(
            model: model,
            screen: screen,
            state: ScreenState()
        )
        _ = loop.run()
        #expect(screen.drawings.count == 1)
    }
}
