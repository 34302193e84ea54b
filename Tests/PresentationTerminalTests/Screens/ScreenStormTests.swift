import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite(
    "Random resizes, keys and data keep positions, and frames match the state",
    .tags(.manyCases)
)
struct ScreenStormTests {
    private let clock = ScriptedClock()
    private let model: ScriptedModel

    init() {
        model = ScriptedModel(clock: clock)
        let record = PageSamples.personal {
            $0.holdings = Revised(PageSamples.held, revision: 2)
            $0.alerts = Revised(AlertSamples.alerts, revision: 5)
        }
        model.keep(record)
    }

    private func run(
        _ state: ScreenState,
        _ size: TerminalSize,
        _ steps: [ScriptedScreen.Step]
    ) -> (screen: ScriptedScreen, state: ScreenState) {
        let screen = ScriptedScreen(
            columns: size.columns,
            rows: size.rows,
            clock: clock,
            steps
        )
        var loop = TerminalLoop(model: model, screen: screen, state: state)
        _ = loop.run()
        return (screen, loop.state)
    }

    @Test(
        "Every frame fills the screen; the last equals a fresh drawing",
        arguments: Cases.seeds(12, of: 30)
    )
    func storm(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var steps = (0..<30).map { _ in step(&generator) }
        let last = size(&generator)
        // After all flashes, the frame shows the current time.
        steps += [.resize(last), .pass(.seconds(1)), .resume]
        let stormy = run(ScreenState(), size(&generator), steps)
        for drawing in stormy.screen.drawings {
            let size = drawing.frame.size
            for line in drawing.frame.lines { #expect(TextWidth.columns(line) == size.columns) }
            if let cursor = drawing.frame.cursor {
                #expect(cursor.row < size.rows && cursor.column < size.columns)
            }
        }
        let calm = run(stormy.state, last, [])
        let picture = try #require(stormy.screen.drawings.last?.frame)
        #expect(picture.size == last)
        #expect(calm.screen.drawings.first?.frame == picture)
        check(stormy.state)
    }

    @Test("Resizes alone change no position", arguments: Cases.seeds(12, of: 30))
    func resizes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = size(&generator)
        let before = run(
            ScreenState(),
            TerminalSize(columns: 200, rows: 40),
            (0..<25).map { _ in keys(&generator) }
        ).state
        let sizes = (0..<12).map { _ in ScriptedScreen.Step.resize(self.size(&generator)) }
        let after = run(before, size, sizes).state
        #expect(Places(after) == Places(before))
        check(after)
    }

    /// The selection is visible, and no list is scrolled beyond its end.
    private func check(_ state: ScreenState) {
        let list = state.list
        #expect(list.selected.map { list.order.contains($0) } ?? list.order.isEmpty)
        if let selected = list.selected, let index = list.order.firstIndex(of: selected) {
            #expect(list.window.contains(index))
        }
        let rows = state.assets.rows
        if let selected = rows.selected, let index = rows.order.firstIndex(of: selected) {
            #expect(rows.window.contains(index))
        }
        let held = state.portfolio.rows
        if let selected = held.selected, let index = held.order.firstIndex(of: selected) {
            #expect(held.window.contains(index))
        }
    }

    private func size(_ generator: inout SeededGenerator) -> TerminalSize {
        TerminalSize(
            columns: Int.random(in: 1...250, using: &generator),
            rows: Int.random(in: 1...80, using: &generator)
        )
    }

    private func step(_ generator: inout SeededGenerator) -> ScriptedScreen.Step {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2: return .resize(size(&generator))
        case 3:
            let index = Int.random(in: 0..<100, using: &generator)
            return .wake(after: .milliseconds(60)) { [model] in model.change(index, to: 2_000) }
        case 4:
            let phases: [HealthViewState.Phase] = [.loading, .ready, .stale, .failed]
            let phase = phases.randomElement(using: &generator) ?? .ready
            return .wake(after: .milliseconds(60)) { [model] in model.change(to: phase) }
        case 5: return .pass(.milliseconds(300))
        default: return keys(&generator)
        }
    }

    /// Any keys but those that end the program.
    private func keys(_ generator: inout SeededGenerator) -> ScriptedScreen.Step {
        let named: [Key] = [
            .up, .down, .left, .right, .enter, .escape, .tab, .backTab, .pageDown, .pageUp, .home,
            .end, .backspace, .down, .enter, .character("w"), .character("w"),
        ]
        let letters = "12345wsSfFpr/?idxtl%gG+-=aAcejkKJ ynC0비".unicodeScalars
            .map { Key.character($0) }
        let count = Int.random(in: 1...3, using: &generator)
        return .keys(
            (0..<count).map { _ in
                (Bool.random(using: &generator) ? named : letters)
                    .randomElement(using: &generator) ?? .down
            }
        )
    }
}

/// Everything of the screens that a user would miss if it were another after a resize.
private struct Places: Equatable {
    let page: ScreenPage
    let selected: MarketID?
    let tab: MarketListTab
    let search: String
    let market: MarketID?
    let pane: DetailPane?
    let isListFocused: Bool
    let crosshair: Timestamp?
    let coin: Asset?
    let holding: PortfolioScreenState.RowID?
    let alert: Int64?
    let rule: Int64?
    let overlay: MarketListScreenState.Overlay?
    let form: ScreenForm?

    init(_ state: ScreenState) {
        page = state.page
        selected = state.list.selected
        tab = state.list.tab
        search = state.list.searchText + "|" + state.assets.searchText
        market = state.detail?.market
        pane = state.detail?.focus
        isListFocused = state.isListFocused
        crosshair = state.detail?.chart.crosshair
        coin = state.assets.rows.selected
        holding = state.portfolio.rows.selected
        alert = state.alerts.log.selected
        rule = state.alerts.rules.selected
        overlay = state.list.overlay
        form = state.form
    }
}
