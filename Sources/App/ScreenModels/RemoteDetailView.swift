import Domain
import ViewStates

/// The part of a received detail that answers a query.
///
/// The detail may have more data, or belong to an earlier query.
enum RemoteDetailView {
    /// Makes the answer.
    ///
    /// - Parameters:
    ///   - read: a received detail of the same market.
    ///   - query: the query.
    ///   - blank: the view state without data.
    /// - Returns: header, order book and trades as received; candles only of the requested interval
    ///   and time span.
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
        if case .span(let span, _) = query.candles { view.chart = cut(read.chart, to: span) }
        return view
    }

    /// The candles that open in a time span, and gaps.
    private static func cut(_ chart: ChartViewState, to span: Range<Timestamp>) -> ChartViewState {
        let candles = chart.candles
        let start = place(of: span.lowerBound, in: candles)
        let places = start..<max(start, place(of: span.upperBound, in: candles))
        var chart = chart
        chart.candles = Array(candles[places])
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

    /// The index of the first candle that opens at a time or later.
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
