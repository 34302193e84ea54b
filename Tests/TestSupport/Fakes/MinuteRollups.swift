import DataSourceContracts
import Domain

/// The one-minute candles of a store: the times that they cover, and the longer candles that were
/// rolled up from them.
struct MinuteRollups {
    private typealias Row = StoredCandlesDTO.Row
    private typealias Span = StoredCandlesDTO.Span

    /// The number of a write by the bucket's open time: one dictionary for each series, whose names
    /// would be hashed for each minute.
    private typealias Writes = [Int64: Int]

    /// The times whose minutes were recorded for all markets, by feed.
    private(set) var coverage: [String: [StoredCandlesDTO.Span]] = [:]
    /// The buckets that were rolled up; an empty market name means all markets.
    private var made: [CandleSeriesDTO: [Span]] = [:]
    private var writeCount = 0
    /// The number of the last write of each minute and of the last roll-up of each bucket.
    private var written: [CandleSeriesDTO: Writes] = [:]
    private var madeAt: [CandleSeriesDTO: Writes] = [:]

    mutating func cover(_ spans: [StoredCandlesDTO.Span], of feed: String) {
        coverage[feed] = ((coverage[feed] ?? []) + spans).joined
    }

    mutating func note(_ candles: StoredCandlesDTO) {
        guard candles.series.interval == RolledInterval.source else { return }
        writeCount += 1
        for row in candles.rows {
            written[candles.series, default: [:]][row.openTime] = writeCount
        }
    }

    mutating func remove(intervals: [String], before time: Int64) {
        let cut = { (spans: [Span]) in
            spans.filter { $0.to > time }.map { Span(from: max($0.from, time), to: $0.to) }
        }
        if intervals.contains(RolledInterval.source) { coverage = coverage.mapValues(cut) }
        for (series, spans) in made where intervals.contains(series.interval) {
            made[series] = cut(spans)
        }
        for series in madeAt.keys where intervals.contains(series.interval) {
            madeAt[series] = madeAt[series]?.filter { $0.key >= time }
        }
    }

    /// The spans of a series that follow from recorded minutes.
    func spans(of series: CandleSeriesDTO) -> [StoredCandlesDTO.Span] {
        if series.interval == RolledInterval.source { return coverage[series.feed] ?? [] }
        var allMarkets = series
        allMarkets.market = ""
        return (made[series] ?? []) + (made[allMarkets] ?? [])
    }

    /// Rolls minutes up into longer candles and returns how many were written.
    mutating func rollUp(_ market: inout StoredMarketData, feed: String, until: Int64) -> Int {
        var count = 0
        let own = market.spans.filter { $0.key.feed == feed }
        let minutes = market.candles.filter {
            $0.key.feed == feed && $0.key.interval == RolledInterval.source
        }
        for interval in RolledInterval.allCases {
            let all = CandleSeriesDTO(feed: feed, market: "", interval: interval.rawValue)
            let recorded = interval.wholeBuckets(in: coverage[feed] ?? [], closedBy: until)
            made[all] = ((made[all] ?? []) + recorded).joined
            for source in Set(minutes.keys).union(own.keys)
            where source.interval == RolledInterval.source {
                var series = source
                series.interval = interval.rawValue
                let spans = ((coverage[feed] ?? []) + (own[source] ?? [])).joined
                let whole = interval.wholeBuckets(in: spans, closedBy: until)
                made[series] = ((made[series] ?? []) + whole).joined
                let writes = written[source] ?? [:]
                var buckets: [Int64: [Row]] = [:]
                for row in (minutes[source] ?? [:]).values {
                    let openTime = interval.bucketStart(of: row.openTime)
                    if whole.contains(where: { $0.from <= openTime && openTime < $0.to }) {
                        buckets[openTime, default: []].append(row)
                    }
                }
                for (openTime, rows) in buckets {
                    let newest = rows.compactMap { writes[$0.openTime] }.max() ?? 0
                    if let last = madeAt[series]?[openTime], last >= newest { continue }
                    madeAt[series, default: [:]][openTime] = newest
                    let old = market.candles[series]?[openTime]
                    let row = Self.fold(rows, openTime: openTime)
                    if row == old || row.fetchedAt < old?.fetchedAt ?? .min { continue }
                    market.candles[series, default: [:]][openTime] = row
                    count += 1
                }
            }
        }
        return count
    }

    /// Combines minutes into one candle.
    private static func fold(_ rows: [Row], openTime: Int64) -> Row {
        let rows = rows.sorted { $0.openTime < $1.openTime }
        guard var folded = rows.first else { preconditionFailure("A bucket has a minute.") }
        folded.openTime = openTime
        for row in rows.dropFirst() {
            if decimal(row.high) > decimal(folded.high) { folded.high = row.high }
            if decimal(row.low) < decimal(folded.low) { folded.low = row.low }
            folded.close = row.close
            let units = decimal(folded.volume).units + decimal(row.volume).units
            folded.volume = FixedDecimal(units: units).canonicalText
            folded.fetchedAt = max(folded.fetchedAt, row.fetchedAt)
        }
        return folded
    }

    private static func decimal(_ text: String) -> FixedDecimal {
        guard let value = try? FixedDecimal(parsing: text) else {
            preconditionFailure("Candles of one minute have decimals.")
        }
        return value
    }
}
