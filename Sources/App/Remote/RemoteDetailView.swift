import Domain
import ViewStates

/// What a screen's question takes of a detail that has more, or is of a question before.
enum RemoteDetailView {
    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - read: a detail of the same market.
    ///   - query: the question.
    ///   - blank: what is said where nothing is known.
    /// - Returns: header, book and trades as they were read; the candles only if they are of the
    ///   interval that is wanted, and those of the span that is seen.
    static func view(
        _ read: MarketDetailViewState,
        as query: MarketDetailQuery,
        else blank: MarketDetailViewState
    ) -> MarketDetailViewState {
        var view = read
        if view.trades.rows.count > query.tradeLimit {
            view.trades.rows.removeLast(view.trades.rows.count - query.tradeLimit)
        }
        guard read.chart.interval == query.interval.rawValue else {
            view.chart = blank.chart
            view.chart.interval = query.interval.rawValue
            view.chart.lastPrice = read.chart.lastPrice
            return view
        }
        if case .span(let span) = query.candles { view.chart = cut(read.chart, to: span) }
        return view
    }

    /// The candles that open in a span, with their averages, and the gaps in it.
    private static func cut(_ chart: ChartViewState, to span: Range<Timestamp>) -> ChartViewState {
        let candles = chart.candles
        let start = place(of: span.lowerBound, in: candles)
        let places = start..<max(start, place(of: span.upperBound, in: candles))
        var chart = chart
        chart.candles = Array(candles[places])
        chart.averages = .init(
            close: chart.averages.close.mapValues { Array($0[places.clamped(to: $0.indices)]) },
            volume: chart.averages.volume.mapValues { Array($0[places.clamped(to: $0.indices)]) }
        )
        chart.range = nil
        if let low = chart.candles.lazy.map(\.low).min(),
            let high = chart.candles.lazy.map(\.high).max()
        {
            chart.range = .init(low: low, high: high)
        }
        chart.gaps = chart.gaps.compactMap { gap in
            let from = max(gap.from, span.lowerBound)
            let to = min(gap.to, span.upperBound)
            return from < to ? GapViewState(from: from, to: to, reason: gap.reason) : nil
        }
        return chart
    }

    /// The place of the first candle that opens at a time or later.
    private static func place(
        of time: Timestamp,
        in candles: [ChartViewState.Candle]
    ) -> Int {
        var (low, high) = (0, candles.count)
        while low < high {
            let middle = (low + high) / 2
            if candles[middle].openTime < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
