public import Domain
import ViewStates

/// The window of the chart: zoom, movement in time and the cross-hair.
extension MarketDetailReducer {
    static func changeInterval(_ state: inout MarketDetailScreenState, by step: Int) {
        let intervals = CandleInterval.allCases
        let index = intervals.firstIndex(of: state.chart.interval) ?? 0
        let interval = intervals[min(max(index + step, 0), intervals.count - 1)]
        guard interval != state.chart.interval else { return }
        state.chart.interval = interval
        state.chart.grab = nil
        state.chart.showsTicks = false
        // The same time stays at the right edge, in the bucket that holds it.
        state.chart.lastBucket = state.chart.lastBucket.map { interval.bucketStart(of: $0) }
        state.chart.crosshair = state.chart.crosshair.map { interval.bucketStart(of: $0) }
        state.facts?.firstBucket = nil
        state.facts?.isChartRead = false
        boundChart(&state)
    }

    static func moveToNewest(_ state: inout MarketDetailScreenState) {
        state.chart.lastBucket = nil
        if state.chart.crosshair != nil, let now = state.facts?.now {
            state.chart.crosshair = state.chart.interval.bucketStart(of: now)
        }
    }

    /// Shows or removes the cross-hair; ticks have none.
    static func toggleCrosshair(_ state: inout MarketDetailScreenState) {
        guard !state.chart.showsTicks else { return }
        guard state.chart.crosshair == nil, let now = state.facts?.now else {
            state.chart.crosshair = nil
            return
        }
        state.chart.crosshair =
            state.chart.lastBucket ?? state.chart.interval.bucketStart(of: now)
    }

    /// Switches between line and candles; while ticks are shown, returns to the previous style.
    static func toggleLine(_ chart: inout ChartScreenState) {
        guard !chart.showsTicks else {
            chart.showsTicks = false
            return
        }
        chart.style = chart.style == .line ? .candles : .line
    }

    /// Adds or removes an indicator.
    static func toggle(_ row: IndicatorRow, _ chart: inout ChartScreenState) {
        switch row {
        case .average(let average): chart.averages.formSymmetricDifference([average])
        case .study(let study): chart.studies.formSymmetricDifference([study])
        case .volume: chart.showsVolume.toggle()
        case .add: break
        }
    }

    static func growVolume(_ state: inout MarketDetailScreenState, by rows: Int) {
        guard state.chart.showsVolume, let possible = state.room.volumeRows else { return }
        let present = state.chart.volumeRows ?? state.room.volumeRowsUsual
        let wanted = present + bounded(rows, by: stepMax)
        state.chart.volumeRows = min(max(wanted, possible.lowerBound), possible.upperBound)
    }

    /// Keeps the window out of the future, and a cross-hair within the window.
    static func boundChart(_ state: inout MarketDetailScreenState) {
        guard let now = state.facts?.now else { return }
        let interval = state.chart.interval
        if let last = state.chart.lastBucket, last >= interval.bucketStart(of: now) {
            state.chart.lastBucket = nil
        }
        guard let crosshair = state.chart.crosshair else { return }
        let span = state.chartSpan(now: now)
        let last = interval.advanced(span.upperBound, by: -1)
        state.chart.crosshair = min(max(crosshair, span.lowerBound), last)
    }

    /// Changes the number of visible buckets.
    ///
    /// A bucket `later` buckets before the last visible one keeps its place, by default the one
    /// under the cross-hair, else the last one itself.
    static func zoom(
        _ state: inout MarketDetailScreenState,
        to buckets: Int,
        about later: Int? = nil
    ) {
        let range = ChartScreenState.bucketsRange
        let interval = state.chart.interval
        let before = state.visibleBuckets
        state.chart.buckets = min(max(buckets, range.lowerBound), range.upperBound)
        if let now = state.facts?.now {
            let newest = interval.bucketStart(of: now)
            let last = state.chart.lastBucket ?? newest
            let crossed = state.chart.crosshair.map { interval.bucketCount(from: $0, to: last) }
            let distance = min(max(later ?? crossed ?? 0, 0), before - 1)
            let moved = distance * state.visibleBuckets / before - distance
            let kept = interval.advanced(last, by: moved)
            state.chart.lastBucket = kept >= newest ? nil : kept
        }
        boundChart(&state)
    }

    /// Takes hold of a bucket; ticks have none.
    static func grab(_ state: inout MarketDetailScreenState, later: Int) {
        guard !state.chart.showsTicks, let now = state.facts?.now else { return }
        let interval = state.chart.interval
        let last = state.chart.lastBucket ?? interval.bucketStart(of: now)
        state.chart.grab = ChartGrab(
            bucket: interval.advanced(last, by: -later),
            later: later,
            lastBucket: state.chart.lastBucket
        )
    }

    /// Moves the window so that the held bucket is under the mouse, as far as there are candles.
    static func drag(_ state: inout MarketDetailScreenState, later: Int) {
        guard let grab = state.chart.grab, let now = state.facts?.now else { return }
        let interval = state.chart.interval
        if later == grab.later {
            // A click without a movement lets the chart go on following the newest bucket.
            state.chart.lastBucket = grab.lastBucket
        } else {
            let last = state.chart.lastBucket ?? interval.bucketStart(of: now)
            let wanted = interval.advanced(grab.bucket, by: later)
            let buckets = interval.bucketCount(from: last, to: wanted)
            if buckets != 0 { moveWindow(&state, by: buckets, now: now) }
        }
        boundChart(&state)
    }

    /// Moves the cross-hair if shown, else the visible window.
    static func moveInTime(_ state: inout MarketDetailScreenState, by buckets: Int) {
        guard let now = state.facts?.now, buckets != 0 else { return }
        let interval = state.chart.interval
        guard let crosshair = state.chart.crosshair else {
            moveWindow(&state, by: buckets, now: now)
            return
        }
        let span = state.chartSpan(now: now)
        let target = interval.advanced(crosshair, by: buckets)
        // The window follows the cross-hair beyond its edges.
        if target < span.lowerBound {
            let beyond = interval.bucketCount(from: target, to: span.lowerBound)
            moveWindow(&state, by: -beyond, now: now)
        } else if target >= span.upperBound {
            let beyond = interval.bucketCount(from: span.upperBound, to: target) + 1
            moveWindow(&state, by: beyond, now: now)
        }
        state.chart.crosshair = target
        boundChart(&state)
    }

    /// Moves the right edge; into the past only while the left edge is known.
    private static func moveWindow(
        _ state: inout MarketDetailScreenState,
        by buckets: Int,
        now: Timestamp
    ) {
        let interval = state.chart.interval
        let newest = interval.bucketStart(of: now)
        if buckets < 0 {
            let start = state.chartSpan(now: now).lowerBound
            guard let first = state.facts?.firstBucket, first <= start else { return }
        }
        let last = interval.advanced(state.chart.lastBucket ?? newest, by: buckets)
        state.chart.lastBucket = last >= newest ? nil : last
    }
}

extension MarketDetailScreenState {
    /// How many buckets are visible: as many as fill the chart with equally wide candles, or share
    /// its columns evenly.
    public var visibleBuckets: Int {
        let range = ChartScreenState.bucketsRange
        let columns = max(room.chartColumns, 1)
        let wanted = min(max(chart.buckets ?? columns, range.lowerBound), range.upperBound)
        // The chart leaves a column in ten free rather than show nothing beyond.
        let shared = wanted * 10 / 9 / columns
        let visible = wanted < columns ? columns / (columns / wanted) : columns * shared
        return min(max(visible, range.lowerBound), range.upperBound)
    }

    /// How many buckets the next zoom inwards asks for: one fewer a column, then each one column
    /// wider.
    var bucketsZoomedIn: Int {
        let columns = max(room.chartColumns, 1)
        let shared = visibleBuckets / columns
        return shared > 1 ? columns * (shared - 1) : columns / (columns / visibleBuckets + 1)
    }

    /// How many buckets the next zoom outwards asks for: each one column narrower, then one more a
    /// column.
    var bucketsZoomedOut: Int {
        let columns = max(room.chartColumns, 1)
        let width = columns / visibleBuckets
        return width > 1 ? columns / (width - 1) : columns * (visibleBuckets / columns + 1)
    }

    /// The visible buckets: from the opening of the first to the opening of the one behind the
    /// last.
    public func chartSpan(now: Timestamp) -> Range<Timestamp> {
        let last = chart.lastBucket ?? chart.interval.bucketStart(of: now)
        let end = chart.interval.advanced(last, by: 1)
        return chart.interval.advanced(last, by: 1 - visibleBuckets)..<end
    }
}
