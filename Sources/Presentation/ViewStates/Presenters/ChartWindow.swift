import Domain

/// The requested candles of a series, and the span in which gaps are reported.
struct ChartWindow {
    /// The candles' indices in the series.
    let places: Range<Int>
    /// From the first requested bucket to the end of the last.
    let span: Range<Timestamp>

    init(_ series: CandleSeries?, _ query: MarketDetailQuery, now: Timestamp) {
        guard let series else {
            places = 0..<0
            span = now..<now
            return
        }
        switch query.candles {
        case .newest(let count, let before):
            let end = before.map { series.index(openingAtOrAfter: $0) } ?? series.count
            places = max(0, end - Self.bounded(count))..<end
            var start = places.isEmpty ? before ?? now : series[places.lowerBound].openTime
            // Too few candles: the span tells how far back that is known.
            if places.count < Self.bounded(count) { start = min(start, series.pastStart ?? start) }
            span = start..<max(start, min(before ?? now, now))
        case .at(let time):
            let start = query.interval.bucketStart(of: time)
            let end = query.interval.nextBucket(after: start)
            places = series.index(openingAtOrAfter: start)..<series.index(openingAtOrAfter: end)
            span = start..<end
        case .span(let wanted, _):
            let end = series.index(openingAtOrAfter: wanted.upperBound)
            let start = min(series.index(openingAtOrAfter: wanted.lowerBound), end)
            places = max(start, end - MarketDetailQuery.candlesMax)..<end
            let isCut = places.lowerBound > start
            let from = isCut ? series[places.lowerBound].openTime : wanted.lowerBound
            span = from..<max(from, wanted.upperBound)
        }
    }

    private static func bounded(_ count: Int) -> Int {
        min(max(count, 0), MarketDetailQuery.candlesMax)
    }
}
