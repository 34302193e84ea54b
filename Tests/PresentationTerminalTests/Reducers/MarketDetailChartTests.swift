import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The chart window is bound to time, the bucket grid and the present")
struct MarketDetailChartTests {
    private typealias Samples = DetailScreenSamples

    private func day(_ month: Int, _ day: Int, hour: Int = 0) -> Timestamp {
        SeoulTime.timestamp(year: 2026, month: month, day: day, hour: hour)
    }

    private func span(_ state: ScreenState, now: Timestamp = Samples.now) -> Range<Timestamp>? {
        state.detail?.chartSpan(now: now)
    }

    @Test("One bucket per column up to the current one, as queried")
    func newest() {
        let state = Samples.screen(.chart)
        #expect(span(state) == day(10, 12)..<day(11, 21))
        #expect(Samples.query(state)?.candles == .span(day(10, 12)..<day(11, 21), isNewest: true))
        // A new day moves the window.
        #expect(span(state, now: day(11, 21)) == day(10, 13)..<day(11, 22))
    }

    @Test("A moved window stays when new data arrives")
    func moved() {
        var state = Samples.screen(.chart, .moveInTime(-3))
        #expect(span(state) == day(10, 9)..<day(11, 18))
        state.apply(.shown(Samples.facts(now: day(11, 25))))
        #expect(span(state, now: day(11, 25)) == day(10, 9)..<day(11, 18))
        state.apply(.moveInTime(.max))
        #expect(state.detail?.chart.lastBucket == nil)
        state.apply(.pageInTime(-1))
        #expect(state.detail?.chart.lastBucket == day(10, 17))
        state.apply(.dismiss)
        #expect(state.detail?.chart.lastBucket == nil)
    }

    @Test("Scrolling stops at the known past")
    func past() {
        var state = Samples.screen(.chart)
        var facts = Samples.facts()
        facts.firstBucket = day(10, 20)
        state.apply(.shown(facts), .moveInTime(-1))
        #expect(state.detail?.chart.lastBucket == nil)
        facts.firstBucket = day(10, 12)
        state.apply(.shown(facts), .moveInTime(-1))
        #expect(state.detail?.chart.lastBucket == day(11, 19))
        facts.firstBucket = nil
        state.apply(.shown(facts), .moveInTime(-1))
        #expect(state.detail?.chart.lastBucket == day(11, 19))
    }

    @Test("The zoom is bounded")
    func zoom() {
        var state = Samples.screen(.chart, .zoomIn)
        #expect(state.detail?.visibleBuckets == 20)
        for _ in 0..<20 { state.apply(.zoomIn) }
        #expect(state.detail?.visibleBuckets == 20)
        for _ in 0..<30 { state.apply(.zoomOut) }
        #expect(state.detail?.visibleBuckets == 365)
    }

    @Test("Each zoom step makes buckets a column wider, and the way out is the way in")
    func zoomSteps() {
        var state = Samples.screen(.chart)
        let wide = PaneSizes(bookRows: 9, tradeRows: 9, chartColumns: 107)
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: 9, room: DetailRoom(wide)))
        var counts: [Int?] = []
        for action in [MarketDetailAction.zoomIn, .zoomIn, .zoomIn, .zoomOut, .zoomOut, .zoomOut] {
            state.apply(action)
            counts.append(state.detail?.visibleBuckets)
        }
        #expect(counts == [53, 35, 26, 35, 53, 107])
        counts = []
        for action in [MarketDetailAction.zoomOut, .zoomOut, .zoomOut, .zoomIn, .zoomIn, .zoomIn] {
            state.apply(action)
            counts.append(state.detail?.visibleBuckets)
        }
        #expect(counts == [214, 321, 321, 214, 107, 53])
    }

    @Test("A zoom keeps the place of the bucket under the cross-hair, else the right edge")
    func zoomAnchor() {
        var state = Samples.screen(.chart, .toggleCrosshair, .moveInTime(-20), .zoomIn)
        #expect(state.detail?.chart.crosshair == day(10, 31))
        #expect(state.detail?.chart.lastBucket == day(11, 10))
        state.apply(.zoomOut)
        #expect(state.detail?.chart.crosshair == day(10, 31))
        #expect(state.detail?.chart.lastBucket == nil)
        state.apply(.toggleCrosshair, .zoomIn)
        #expect(state.detail?.chart.lastBucket == nil)
    }

    @Test("A zoom at the mouse keeps the place of the bucket there, with a cross-hair too")
    func zoomAtPointer() {
        for crosshair in [false, true] {
            var state = Samples.screen(.chart)
            if crosshair { state.apply(.toggleCrosshair) }
            state.apply(.zoomInAt(later: 30))
            // The thirtieth of forty buckets before the last is the fifteenth of twenty.
            #expect(span(state) == day(10, 17)..<day(11, 6))
            state.apply(.zoomOutAt(later: 15))
            #expect(span(state) == day(10, 12)..<day(11, 21))
            #expect(state.detail?.chart.lastBucket == nil)
            // Beyond the window the nearest bucket counts.
            state.apply(.zoomInAt(later: .max))
            #expect(span(state)?.lowerBound == day(10, 12))
            state.apply(.zoomOutAt(later: .min))
            #expect(span(state)?.upperBound == day(11, 1))
        }
    }

    @Test("A held bucket follows the mouse, and the chart follows the newest if nothing moved")
    func drag() {
        var state = Samples.screen(.chart, .grab(later: 10), .drag(later: 7))
        #expect(state.detail?.chart.lastBucket == day(11, 17))
        state.apply(.drag(later: 2))
        #expect(span(state) == day(10, 4)..<day(11, 13))
        // To the left is the future, which ends at the newest bucket.
        state.apply(.drag(later: 39))
        #expect(state.detail?.chart.lastBucket == nil)
        state.apply(.drag(later: 8), .release, .drag(later: 0))
        #expect(state.detail?.chart.lastBucket == day(11, 18))
        state.apply(.moveToNewest, .grab(later: 10), .drag(later: 8))
        state.apply(.shown(Samples.facts(now: day(11, 22))), .drag(later: 10), .release)
        #expect(state.detail?.chart.lastBucket == nil)
        state.apply(.drag(later: 3))
        #expect(state.detail?.chart.lastBucket == nil)
    }

    @Test("A drag ends at the known past, and a new interval or market lets go")
    func dragEnds() {
        var state = Samples.screen(.chart)
        var facts = Samples.facts()
        facts.firstBucket = day(10, 20)
        state.apply(.shown(facts), .grab(later: 10), .drag(later: 0))
        #expect(state.detail?.chart.lastBucket == nil)
        facts.firstBucket = day(10, 12)
        state.apply(.shown(facts), .drag(later: 0))
        #expect(state.detail?.chart.lastBucket == day(11, 10))
        state.apply(.shorterInterval)
        #expect(state.detail?.chart.grab == nil)
        var other = Samples.screen(.chart, .grab(later: 1))
        _ = ScreenReducer.reduce(&other, .open("X_KRW"))
        #expect(other.detail?.chart.grab == nil)
        #expect(Samples.screen(.chart, .toggleTicks, .grab(later: 1)).detail?.chart.grab == nil)
    }

    @Test("Eleven intervals from a minute to a month, without wrapping")
    func intervals() {
        var state = Samples.screen(.chart)
        for _ in 0..<20 { state.apply(.longerInterval) }
        #expect(state.detail?.chart.interval == .month1)
        #expect(span(state)?.upperBound == day(12, 1))
        #expect(
            span(state)?.lowerBound == SeoulTime.timestamp(year: 2023, month: 8, day: 1)
        )
        var seen: [CandleInterval?] = []
        for _ in 0..<20 {
            seen.append(state.detail?.chart.interval)
            state.apply(.shorterInterval)
        }
        #expect(seen.prefix(11).map { $0 } == CandleInterval.allCases.reversed().map { $0 })
        #expect(state.detail?.chart.interval == .minute1)
    }

    @Test("A new interval keeps the right edge of a moved window")
    func intervalOfMoved() {
        var state = Samples.screen(.chart, .moveInTime(-10))
        #expect(state.detail?.chart.lastBucket == day(11, 10))
        state.apply(.longerInterval)
        #expect(state.detail?.chart.lastBucket == day(11, 9))
        state.apply(.shorterInterval, .shorterInterval)
        #expect(state.detail?.chart.lastBucket == day(11, 9))
    }

    @Test("The cross-hair starts at the right edge, moves by buckets and moves the window")
    func crosshair() {
        var state = Samples.screen(.chart, .toggleCrosshair)
        #expect(state.detail?.chart.crosshair == day(11, 20))
        state.apply(.moveInTime(-4))
        #expect(state.detail?.chart.crosshair == day(11, 16))
        #expect(state.detail?.chart.lastBucket == nil)
        state.apply(.moveInTime(-37))
        #expect(state.detail?.chart.crosshair == day(10, 10))
        #expect(span(state) == day(10, 10)..<day(11, 19))
        state.apply(.moveInTime(.max))
        #expect(state.detail?.chart.crosshair == day(11, 20))
        #expect(state.detail?.chart.lastBucket == nil)
        state.apply(.moveInTime(1))
        #expect(state.detail?.chart.crosshair == day(11, 20))
        state.apply(.dismiss)
        #expect(state.detail?.chart.crosshair == nil)
        #expect(state.detail != nil)
    }

    @Test("A cross-hair outside the window stays at its edge")
    func crosshairAtEdge() {
        var state = Samples.screen(.chart, .toggleCrosshair, .moveInTime(-39))
        #expect(state.detail?.chart.crosshair == day(10, 12))
        state.apply(.shown(Samples.facts(now: day(11, 22, hour: 5))))
        #expect(state.detail?.chart.crosshair == day(10, 14))
        state.apply(.zoomIn)
        #expect(state.detail?.chart.crosshair == day(10, 14))
        #expect(state.detail?.chart.lastBucket == day(11, 2))
        state.apply(.toggleCrosshair)
        #expect(state.detail?.chart.crosshair == nil)
    }

    @Test("The divider leaves room for both plots and stays while the volume is hidden")
    func divider() {
        var state = Samples.screen(.chart, .growVolume(1))
        #expect(state.detail?.chart.volumeRows == 7)
        state.apply(.growVolume(.max))
        #expect(state.detail?.chart.volumeRows == 12)
        state.apply(.growVolume(.min))
        #expect(state.detail?.chart.volumeRows == 4)
        state.apply(.toggleVolume, .growVolume(1))
        #expect(state.detail?.chart.volumeRows == 4)
        #expect(state.detail?.chart.showsVolume == false)
    }

    @Test("Chart options toggle; ticks query the whole tape")
    func looks() {
        var state = Samples.screen(.chart, .toggleLine, .togglePercent, .toggleTicks)
        #expect(state.detail?.chart.style == .line)
        #expect(state.detail?.chart.isPercent == true)
        #expect(state.detail?.chart.showsTicks == true)
        #expect(Samples.query(state)?.tradeLimit == 500)
        // From ticks back to what was before them, and only then to candles.
        state.apply(.toggleLine)
        #expect(state.detail?.chart.style == .line)
        #expect(state.detail?.chart.showsTicks == false)
        state.apply(.toggleLine)
        #expect(state.detail?.chart.style == .candles)
    }

    @Test("Ticks have no cross-hair")
    func ticksWithoutCrosshair() {
        var state = Samples.screen(.chart, .toggleCrosshair)
        #expect(state.detail?.chart.crosshair != nil)
        state.apply(.toggleTicks)
        #expect(state.detail?.chart.crosshair == nil)
        state.apply(.toggleCrosshair)
        #expect(state.detail?.chart.crosshair == nil)
        state.apply(.toggleTicks, .toggleCrosshair)
        #expect(state.detail?.chart.crosshair != nil)
    }
}
