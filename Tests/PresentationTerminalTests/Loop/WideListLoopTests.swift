import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("The loop reads the facts of wide lists for visible rows only")
struct WideListLoopTests {
    private let clock = ScriptedClock()

    /// Runs a script to its end; returns the model.
    private func run(columns: Int, _ steps: [ScriptedScreen.Step]) -> ScriptedModel {
        let model = ScriptedModel(clock: clock)
        let screen = ScriptedScreen(columns: columns, rows: 12, clock: clock, steps)
        var loop = TerminalLoop(model: model, screen: screen, state: ScreenState())
        _ = loop.run()
        return model
    }

    @Test("Narrow lists read none; wide ones once a frame")
    func sizes() {
        #expect(run(columns: 119, []).wideQueries.isEmpty)
        let wide = run(columns: 140, []).wideQueries
        #expect(wide.count == 1)
        #expect(wide.first?.query == WideRowQuery(beside: .hours24, hasDay: true))
        #expect(wide.first?.markets.map(\.symbol) == (0..<8).map { "C\($0)" })
    }

    @Test("Scrolling reads those of the new rows, an open market none")
    func scrolling() {
        let model = run(columns: 120, [.keys([.end]), .keys([.enter]), .keys([.down])])
        #expect(model.wideQueries.count == 2)
        #expect(model.wideQueries.last?.markets.map(\.symbol) == (92..<100).map { "C\($0)" })
    }
}
