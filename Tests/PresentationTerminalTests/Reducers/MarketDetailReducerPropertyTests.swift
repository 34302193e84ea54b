import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("No action sequence makes a detail invalid")
struct MarketDetailReducerPropertyTests {
    @Test("Random actions keep all invariants", arguments: 0..<20)
    func invariants(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var state = ScreenState(list: ScreenSample.list.state)
        let list = state.list
        _ = ScreenReducer.reduce(&state, .openSelected)
        var held = state.interests
        var now = DetailScreenSamples.now
        for _ in 0..<800 {
            let action = randomAction(&now, &generator)
            for effect in ScreenReducer.reduce(&state, action) {
                if case .hold(let interests) = effect { held = interests }
            }
            #expect(held == state.interests, "\(action)")
            if state.detail == nil { _ = ScreenReducer.reduce(&state, .openSelected) }
            held = state.interests
            let detail = try #require(state.detail)
            check(detail, after: action, now: now)
            #expect(state.list.order == list.order)
            #expect(state.list.selected == list.selected)
        }
    }

    private func check(
        _ detail: MarketDetailScreenState,
        after action: ScreenAction,
        now: Timestamp
    ) {
        let query = detail.query(period: .hours24, language: .korean, now: now)
        #expect((1...30).contains(query.depth), "\(action)")
        #expect((1...500).contains(query.tradeLimit), "\(action)")
        #expect(query.group.map { $0.sign > 0 } ?? true)
        // Past candles are those of the last document's time.
        let interests = [query.interests, detail.interests].map { all in
            all.filter { interest in
                switch interest.facet {
                case .pastCandles, .newestCandles: false
                case .book, .deepBook, .trades, .candles: true
                }
            }
        }
        #expect(interests[0] == interests[1])
        let span = detail.chartSpan(now: now)
        let interval = detail.chart.interval
        #expect(
            interval.bucketCount(from: span.lowerBound, to: span.upperBound)
                == detail.visibleBuckets
        )
        #expect(interval.bucketStart(of: span.lowerBound) == span.lowerBound)
        #expect(ChartScreenState.bucketsRange.contains(detail.visibleBuckets))
        #expect(detail.trades.dayOffset >= 0)
        #expect((detail.trades.top == nil) == (detail.trades.lastSeen == nil), "\(action)")
        guard case .detail(.shown(let facts)) = action else { return }
        // After a document all positions are within its bounds.
        #expect(span.upperBound <= interval.advanced(interval.bucketStart(of: now), by: 1))
        if let crosshair = detail.chart.crosshair { #expect(span.contains(crosshair)) }
        #expect(detail.trades.dayOffset <= max(facts.days - 1, 0))
        #expect(abs(detail.book.offset) <= 30)
        if let top = detail.trades.top { #expect(facts.trades.contains(top)) }
    }

    private func randomAction(
        _ now: inout Timestamp,
        _ generator: inout SeededGenerator
    ) -> ScreenAction {
        now = now.advanced(by: .seconds(Int.random(in: 0...40_000, using: &generator)))
        let small = Int.random(in: -5...5, using: &generator)
        let step = [small, small, small, .max, .min].randomElement(using: &generator) ?? small
        let pane = DetailPane.allCases.randomElement(using: &generator) ?? .book
        let room = PaneSizes(
            bookRows: Int.random(in: -1...60, using: &generator),
            tradeRows: Int.random(in: -1...60, using: &generator),
            chartColumns: Int.random(in: -9...400, using: &generator),
            volumeRows: Bool.random(using: &generator) ? nil : 4...9,
            volumeRowsUsual: 5
        )
        let shown = MarketDetailAction.shown(randomFacts(now, &generator))
        let actions: [MarketDetailAction] = [
            .focus(pane), .focusNext, .focusPrevious, .toggleMaximized, .nextLayout,
            .scroll(step), .scroll(step),
            .scrollPage(step), .scrollToFirst, .scrollToLast, .changeDepth(step), .nextGroup,
            .previousGroup, .recenter, .toggleDays, .longerInterval, .shorterInterval, .zoomIn,
            .zoomOut, .moveInTime(step), .moveInTime(step), .pageInTime(step), .moveToNewest,
            .toggleCrosshair, .toggleIndicator(.study(.strength)), .toggleVolume, .growVolume(step),
            .toggleLine,
            .toggleTicks, .togglePercent, .dismiss, shown, shown, shown, shown,
        ]
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: return .resize(visibleRows: 3, room: DetailRoom(room))
        case 1: return .list(.toggleHelp)
        default: return .detail(actions.randomElement(using: &generator) ?? shown)
        }
    }

    private func randomFacts(_ now: Timestamp, _ generator: inout SeededGenerator) -> DetailExtent {
        var facts = DetailScreenSamples.facts(
            trades: Int.random(in: 0...90, using: &generator),
            newer: Int.random(in: 0...200, using: &generator),
            now: now,
            levels: Int.random(in: 0...30, using: &generator)
        )
        facts.days = Int.random(in: 0...200, using: &generator)
        if Bool.random(using: &generator) { facts.firstBucket = nil }
        if Bool.random(using: &generator) { facts.group = nil }
        return facts
    }
}
