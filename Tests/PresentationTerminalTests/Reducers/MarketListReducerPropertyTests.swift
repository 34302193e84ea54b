import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("No action sequence makes the list invalid")
struct MarketListReducerPropertyTests {
    @Test("Random actions keep all invariants", arguments: 20...39)
    func invariants(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var state = MarketListScreenState()
        var now = SampleBoard.start
        for _ in 0..<1_000 {
            let action = randomAction(&now, &generator)
            let before = state
            let effects = MarketListReducer.reduce(&state, action)
            check(state, after: action, from: before)
            // A program answers a reorder at once, a broken one perhaps never.
            if effects.contains(.reorder), Int.random(in: 0..<10, using: &generator) > 0 {
                let before = state
                let answer = MarketListAction.ordered(randomOrder(&generator), now: now)
                #expect(MarketListReducer.reduce(&state, answer).isEmpty)
                check(state, after: answer, from: before)
            }
        }
    }

    private func check(
        _ state: MarketListScreenState,
        after action: MarketListAction,
        from before: MarketListScreenState
    ) {
        let count = state.order.count
        let window = state.window
        #expect((0...count).contains(window.lowerBound), "\(action)")
        #expect((0...count).contains(window.upperBound), "\(action)")
        #expect((0...max(count - state.visibleRows, 0)).contains(state.firstVisible), "\(action)")
        #expect((1...MarketListReducer.visibleRowsMax).contains(state.visibleRows), "\(action)")
        if let selected = state.selected {
            #expect(state.order[window].contains(selected), "\(action)")
        }
        let scalars = state.searchText.unicodeScalars
        #expect(scalars.count <= MarketListReducer.searchScalarsMax)
        #expect(state.searchText.count <= MarketListReducer.searchLengthMax)
        #expect(scalars.allSatisfy { $0.properties.generalCategory != .control })
        if case .ordered(let order, _) = action {
            #expect(state.order == order)
            // With rows there is a selection, on the same market while it exists.
            #expect(order.isEmpty == (state.selected == nil))
            if let marked = before.selected, order.contains(marked) {
                let isAtTop =
                    marked == before.order.first && before.sortInForce != nil
                    && before.overlay == nil
                #expect(state.selected == (isAtTop ? order.first : marked))
            }
        } else {
            #expect(state.order == before.order, "\(action)")
        }
    }

    private func randomOrder(_ generator: inout SeededGenerator) -> [MarketID] {
        let count = Int.random(in: 0...ScreenSample.order.count, using: &generator)
        return Array(ScreenSample.order.shuffled(using: &generator).prefix(count))
    }

    private func randomAction(
        _ now: inout Timestamp,
        _ generator: inout SeededGenerator
    ) -> MarketListAction {
        let step = randomStep(&generator)
        let text = randomText(length: Int.random(in: 0...5, using: &generator), using: &generator)
        now = now.advanced(by: .milliseconds(Int.random(in: -500...1_500, using: &generator)))
        let actions: [MarketListAction] = [
            .nextTab, .previousTab, .nextSort, .reverseSort, .openPeriods,
            .chooseTab(MarketListTab.allCases.randomElement(using: &generator) ?? .btc),
            .chooseSort(MarketSortKey.allCases.randomElement(using: &generator) ?? .name),
            .select(ScreenSample.order.randomElement(using: &generator) ?? ScreenSample.order[0]),
            .scroll(step), .scroll(step),
            .choosePeriod(ChangePeriod.allCases.randomElement(using: &generator) ?? .hour1),
            .deleteSearch(FieldPart.allCases.randomElement(using: &generator) ?? .all),
            .beginSearch, .typeSearch(text), .move(step), .move(step), .move(step),
            .movePage(step), .moveToFirst, .moveToLast, .confirm, .dismiss, .reload, .toggleHelp,
            .togglePopularityRule, .resize(visibleRows: step), .refresh(now: now),
            .ordered(randomOrder(&generator), now: now), .quit,
        ]
        return actions.randomElement(using: &generator) ?? .quit
    }

    /// Mostly small, sometimes as large as a number can be.
    private func randomStep(_ generator: inout SeededGenerator) -> Int {
        let small = Int.random(in: -4...4, using: &generator)
        return [small, small, small, .max, .min, -.max].randomElement(using: &generator) ?? small
    }
}
