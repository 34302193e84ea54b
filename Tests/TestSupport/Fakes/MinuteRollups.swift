import DataSourceContracts
import Domain

/// The one-minute candles of a store: the times that they cover, and the longer candles that were
/// rolled up from them.
struct MinuteRollups {
    private typealias Row = StoredCandlesDTO.Row
    private typealias Span = StoredCandlesDTO.Span

    /// A bucket of a longer interval, or of one minute.
    private struct Bucket: Hashable {
        var series: CandleSeriesDTO
        var openTime: Int64
    }

    /// The times whose minutes were recorded for all markets, by feed.
    private(set) var coverage: [String: [StoredCandlesDTO.Span]] = [:]
    /// The buckets that were rolled up; an empty market name means all markets.
    private var made: [CandleSeriesDTO: [Span]] = [:]
    private var writeCount = 0
    /// The number of the last write of each minute and of the last roll-up of each bucket.
    private var written: [Bucket: Int] = [:]
    private var madeAt: [Bucket: Int] = [:]

    mutating func cover(_ spans: [StoredCandlesDTO.Span], of feed: String) {
        coverage[feed] = ((coverage[feed] ?? []) + spans).joined
    }

    mutating func note(_ candles: StoredCandlesDTO) {
        guard candles.series.interval == RolledInterval.source else { return }
        writeCount += 1
        for row in candles.rows {
            written[Bucket(series: candles.series, openTime: row.openTime)] = writeCount
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
        madeAt = madeAt.filter {
            $0.key.openTime >= time || !intervals.contains($0.key.series.interval)
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
                let buckets = Dictionary(grouping: (minutes[source] ?? [:]).values) {
                    interval.bucketStart(of: $0.openTime)
                }
                for (openTime, rows) in buckets
                where whole.contains(where: { $0.from <= openTime && openTime < $0.to }) {
                    let bucket = Bucket(series: series, openTime: openTime)
                    let newest =
                        rows.compactMap {
                            written[Bucket(series: source, openTime: $0.openTime)]
                        }
                        .max() ?? 0
                    if let last = madeAt[bucket], last >= newest { continue }
                    madeAt[bucket] = newest
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
