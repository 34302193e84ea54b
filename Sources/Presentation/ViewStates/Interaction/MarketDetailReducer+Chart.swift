public import Domain

extension MarketDetailReducer {
    static func changeInterval(_ state: inout MarketDetailScreenState, by step: Int) {
        let intervals = CandleInterval.allCases
        let index = intervals.firstIndex(of: state.chart.interval) ?? 0
        let interval = intervals[min(max(index + step, 0), intervals.count - 1)]
        guard interval != state.chart.interval else { return }
        state.chart.interval = interval
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

    /// Sets and takes away the cross-hair; ticks have none.
    static func toggleCrosshair(_ state: inout MarketDetailScreenState) {
        guard !state.chart.showsTicks else { return }
        guard state.chart.crosshair == nil, let now = state.facts?.now else {
            state.chart.crosshair = nil
            return
        }
        state.chart.crosshair =
            state.chart.lastBucket ?? state.chart.interval.bucketStart(of: now)
    }

    /// Draws a line or candles; where ticks are shown it only goes back to what was before them.
    static func toggleLine(_ chart: inout ChartScreenState) {
        guard !chart.showsTicks else {
            chart.showsTicks = false
            return
        }
        chart.style = chart.style == .line ? .candles : .line
    }

    static func cycleAverages(_ chart: inout ChartScreenState) {
        let windows = CandleSeries.averageWindows
        if chart.averages.count > 1 {
            chart.averages = []
        } else if let only = chart.averages.first, let place = windows.firstIndex(of: only) {
            chart.averages = place + 1 < windows.count ? [windows[place + 1]] : Set(windows)
        } else {
            chart.averages = Set(windows.prefix(1))
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

    static func zoom(_ state: inout MarketDetailScreenState, to buckets: Int) {
        let range = ChartScreenState.bucketsRange
        state.chart.buckets = min(max(buckets, range.lowerBound), range.upperBound)
        boundChart(&state)
    }

    /// Moves the cross-hair if there is one, else the window.
    static func moveInTime(_ state: inout MarketDetailScreenState, by buckets: Int) {
        guard let now = state.facts?.now, buckets != 0 else { return }
        let interval = state.chart.interval
        guard let crosshair = state.chart.crosshair else {
            moveWindow(&state, by: buckets, now: now)
            return
        }
        let span = state.chartSpan(now: now)
        let target = interval.advanced(crosshair, by: buckets)
        // Beyond an edge the window goes along.
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

    /// Moves the right edge; into the past only as long as something is known of the left one.
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
    /// How many buckets are visible.
    public var visibleBuckets: Int {
        let range = ChartScreenState.bucketsRange
        return min(max(chart.buckets ?? room.chartColumns, range.lowerBound), range.upperBound)
    }

    /// The visible buckets: from the opening of the first to the opening of the one behind the
    /// last.
    public func chartSpan(now: Timestamp) -> Range<Timestamp> {
        let last = chart.lastBucket ?? chart.interval.bucketStart(of: now)
        let end = chart.interval.advanced(last, by: 1)
        return chart.interval.advanced(last, by: 1 - visibleBuckets)..<end
    }
}
