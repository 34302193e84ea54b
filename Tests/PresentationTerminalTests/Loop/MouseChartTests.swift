import Domain
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The mouse moves and zooms the chart")
struct MouseChartTests {
    private typealias Samples = DetailScreenSamples

    /// The screen of the chart alone, as the state asks for it.
    private func frame(_ state: ScreenState, columns: Int) throws -> Frame {
        let detail = try #require(state.detail)
        var options = ChartSamples.plainOptions
        options.span = detail.chartSpan(now: Samples.now)
        return ChartSamples.frame(
            ChartSamples.chart(ChartSamples.few),
            options,
            columns: columns,
            rows: 24
        )
    }

    /// The opening of the bucket that is drawn at a column.
    private func bucket(_ state: ScreenState, at column: Int, columns: Int) throws -> Timestamp {
        let detail = try #require(state.detail)
        let slots = ChartSlots(
            chart: ChartSamples.chart(ChartSamples.few),
            span: detail.chartSpan(now: Samples.now),
            width: try #require(frame(state, columns: columns).plot).columns.count
        )
        let slot = try #require(slots.slots.first { $0.columns.contains(column) })
        return slots.opens[slot.buckets.upperBound - 1]
    }

    private func apply(_ event: MouseEvent, _ frame: Frame, _ state: inout ScreenState) {
        guard case .actions(let actions) = MouseHandler.answer(to: event, on: frame, in: state)
        else { return }
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
    }

    @Test(
        "The bucket under the pointer stays under it while the button is down",
        arguments: [0, 1, 2, 4],
        [[60, 45, 20, 70], [30, 31], [50, 75, 50]]
    )
    func follows(zooms: Int, path: [Int]) throws {
        var state = Samples.screen(.chart)
        let room = PaneSizes(bookRows: 9, tradeRows: 9, chartColumns: 80)
        _ = ScreenReducer.reduce(&state, .resize(visibleRows: 9, room: DetailRoom(room)))
        for _ in 0..<zooms { state.apply(.zoomIn) }
        state.apply(.moveInTime(-60))
        let held = try bucket(state, at: path[0], columns: 90)
        apply(MouseEvent(.click, row: 8, column: path[0]), try frame(state, columns: 90), &state)
        for column in path.dropFirst() {
            // Above the plot, or on it.
            let row = column % 2 == 0 ? 0 : 9
            let drag = MouseEvent(.drag, row: row, column: column)
            apply(drag, try frame(state, columns: 90), &state)
            #expect(try bucket(state, at: column, columns: 90) == held, "\(column)")
        }
        let last = state.detail?.chart.lastBucket
        let end = MouseEvent(.release, row: 9, column: try #require(path.last))
        apply(end, try frame(state, columns: 90), &state)
        #expect(state.detail?.chart.lastBucket == last && state.detail?.chart.grab == nil)
        let stray = MouseEvent(.drag, row: 9, column: 5)
        apply(stray, try frame(state, columns: 90), &state)
        #expect(state.detail?.chart.lastBucket == last)
    }

    @Test("Without reports of movement the chart moves when the button goes up")
    func movesOnRelease() throws {
        var state = Samples.screen(.chart)
        let picture = try frame(state, columns: 53)
        apply(MouseEvent(.click, row: 8, column: 20), picture, &state)
        #expect(state.detail?.chart.lastBucket == nil)
        apply(MouseEvent(.release, row: 8, column: 25), picture, &state)
        let newest = CandleInterval.day1.bucketStart(of: Samples.now)
        let moved = CandleInterval.day1.advanced(newest, by: -5)
        #expect(state.detail?.chart.lastBucket == moved)
        // A click alone moves nothing, and its place on another target lets go.
        apply(MouseEvent(.click, row: 8, column: 20), picture, &state)
        apply(MouseEvent(.click, row: 0, column: 5), picture, &state)
        #expect(state.detail?.chart.grab == nil && state.detail?.chart.lastBucket == moved)
    }

    @Test("The wheel zooms about the bucket under the pointer")
    func wheel() throws {
        var state = Samples.screen(.chart)
        let picture = try frame(state, columns: 53)
        let column = try #require(picture.plot).columns.upperBound - 1 - 30
        apply(MouseEvent(.wheelUp, row: 8, column: column), picture, &state)
        var expected = Samples.screen(.chart, .zoomInAt(later: 30))
        #expect(state == expected)
        // Beside the plot the right edge stays.
        apply(MouseEvent(.wheelDown, row: 0, column: 3), picture, &state)
        expected.apply(.zoomOut)
        #expect(state == expected)
    }

    @Test("A chart beside a list has its plot where it is drawn")
    func beside() throws {
        var whole = Frame(size: TerminalSize(columns: 120, rows: 30))
        let part = try frame(Samples.screen(.chart), columns: 53)
        whole.put(part, row: 3, column: 60)
        let inner = try #require(part.plot)
        let outer = try #require(whole.plot)
        #expect(outer.grid == inner.grid)
        #expect(outer.columns.lowerBound == inner.columns.lowerBound + 60)
        #expect(outer.columns.count == inner.columns.count)
        #expect(inner.grid.later(than: inner.columns.upperBound + 2, in: inner.columns) == -3)
    }
}
