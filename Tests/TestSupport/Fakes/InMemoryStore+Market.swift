public import DataSourceContracts

extension InMemoryStore {
    /// Saves candles and joins spans that overlap or touch.
    public func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try market { $0.keep(candles) }
    }

    /// The newest candles, ascending, with all spans.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) async throws(StoreError) -> StoredCandlesDTO {
        try market { data in
            StoredCandlesDTO(
                series: series,
                rows: (data.candles[series] ?? [:]).values
                    .filter { $0.openTime < end ?? .max }
                    .sorted { $0.openTime < $1.openTime }
                    .suffix(max(0, count)),
                spans: data.spans[series] ?? []
            )
        }
    }

    /// Removes candles and what of the spans lies before a moment.
    public func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try market { $0.removeCandles(intervals: intervals, openingBefore: time) }
    }

    /// Keeps prices unless a later one is there.
    public func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        try market { $0.keep(closes, feed: feed) }
    }

    /// All prices of a feed, by market.
    public func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO] {
        try market { $0.closes(feed: feed) }
    }

    /// Replaces all names of a feed.
    public func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try market { $0.keep(names, feed: feed) }
    }

    /// The names of a feed; nil if none were ever kept.
    public func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try market { $0.names[feed] }
    }

    /// Replaces all warnings of a feed.
    public func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        try market { $0.keep(marks, feed: feed) }
    }

    /// The warnings of a feed; nil if none were ever kept.
    public func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO? {
        try market { $0.marks[feed] }
    }
}

/// The stored market data.
struct StoredMarketData {
    var candles: [CandleSeriesDTO: [Int64: StoredCandlesDTO.Row]] = [:]
    var spans: [CandleSeriesDTO: [StoredCandlesDTO.Span]] = [:]
    var closes: [String: [[UInt8]: StoredPriceDTO]] = [:]
    var names: [String: StoredNamesDTO] = [:]
    var marks: [String: StoredWarningsDTO] = [:]

    mutating func keep(_ reading: StoredCandlesDTO) {
        for row in reading.rows {
            let old = candles[reading.series, default: [:]][row.openTime]
            guard row.fetchedAt >= old?.fetchedAt ?? .min else { continue }
            candles[reading.series, default: [:]][row.openTime] = row
        }
        spans[reading.series] = ((spans[reading.series] ?? []) + reading.spans).joined
    }

    mutating func keep(_ closes: [StoredPriceDTO], feed: String) {
        for close in closes {
            let old = self.closes[feed, default: [:]][close.market.bytes]
            guard close.at >= old?.at ?? .min else { continue }
            self.closes[feed, default: [:]][close.market.bytes] = close
        }
    }

    func closes(feed: String) -> [StoredPriceDTO] {
        (closes[feed] ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
    }

    mutating func keep(_ names: StoredNamesDTO, feed: String) {
        var rows: [[UInt8]: StoredNamesDTO.Row] = [:]
        for row in names.rows { rows[row.symbol.bytes] = row }
        self.names[feed] = StoredNamesDTO(
            rows: rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value),
            readAt: names.readAt
        )
    }

    mutating func keep(_ marks: StoredWarningsDTO, feed: String) {
        var kept = marks
        kept.warned = Set(marks.warned.map(\.bytes)).sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
        self.marks[feed] = kept
    }

    mutating func removeCandles(intervals: [String], openingBefore time: Int64) -> Int {
        var removed = 0
        for (series, rows) in candles where intervals.contains(series.interval) {
            let kept = rows.filter { $0.key >= time }
            removed += rows.count - kept.count
            candles[series] = kept
        }
        for (series, old) in spans where intervals.contains(series.interval) {
            spans[series] = old.filter { $0.to > time }
                .map { StoredCandlesDTO.Span(from: max($0.from, time), to: $0.to) }
        }
        return removed
    }
}
