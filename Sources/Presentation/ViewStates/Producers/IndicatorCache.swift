public import Domain
import Synchronization

/// The indicators of the chart on the screen, computed once for each change of its candles.
///
/// Holds one table, that of the last chart; another market, interval or selection replaces it.
public final class IndicatorCache: Sendable {
    private struct Key: Equatable {
        var market: MarketID
        var interval: CandleInterval
        var selection: IndicatorSelection
    }

    private let last = Mutex<(key: Key, table: IndicatorSeries)?>(nil)

    /// Makes an empty cache.
    public init() {}

    /// The indicators of a presented chart, from all candles of its series.
    ///
    /// - Parameters:
    ///   - chart: what ``MarketDetailPresenter/chart(_:_:)`` made of the snapshot and the query.
    ///   - snapshot: the snapshot.
    ///   - query: the query, whose selection decides.
    /// - Returns: nil without a selection.
    public func indicators(
        of chart: ChartViewState,
        in snapshot: BoardSnapshot,
        _ query: MarketDetailQuery
    ) -> ChartIndicators? {
        if query.indicators.isEmpty { return nil }
        let board = snapshot.board
        let pastSpan = query.pastSpan(at: board.exchangeTime(at: snapshot.capturedAt))
        let series = board.details[query.market]?.series(query.interval, reaching: pastSpan)
        guard let series, let first = chart.candles.first?.openTime else {
            return ChartIndicators(of: [], query.indicators)
        }
        return table(query, count: series.count, shown: chart.candles.count, first: first) {
            (series[$0].openTime, series[$0].close)
        }
    }

    /// The indicators of some candles of a document, from all of them.
    ///
    /// - Parameters:
    ///   - chart: the chart that is shown; its candles are some of those.
    ///   - candles: the candles of the document, ascending.
    ///   - query: the query, whose selection decides.
    /// - Returns: nil without a selection.
    public func indicators(
        of chart: ChartViewState,
        among candles: [ChartViewState.Candle],
        _ query: MarketDetailQuery
    ) -> ChartIndicators? {
        if query.indicators.isEmpty { return nil }
        guard let first = chart.candles.first?.openTime else {
            return ChartIndicators(of: [], query.indicators)
        }
        return table(query, count: candles.count, shown: chart.candles.count, first: first) {
            (candles[$0].openTime, candles[$0].close)
        }
    }

    private func table(
        _ query: MarketDetailQuery,
        count: Int,
        shown: Int,
        first: Timestamp,
        candle: (Int) -> (open: Timestamp, close: FixedDecimal)
    ) -> ChartIndicators {
        let key = Key(
            market: query.market,
            interval: query.interval,
            selection: query.indicators
        )
        return last.withLock { last in
            var table = IndicatorSeries(query.indicators)
            if let known = last, known.key == key { table = known.table }
            // Moved out during the update: a copy would cost its size.
            last = nil
            table.update(count: count, candle: candle)
            last = (key, table)
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if candle(middle).open < first { low = middle + 1 } else { high = middle }
            }
            return ChartIndicators(table, low..<(low + shown))
        }
    }
}
