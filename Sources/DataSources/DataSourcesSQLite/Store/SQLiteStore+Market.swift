public import DataSourceContracts

extension SQLiteStore {
    /// Writes the candles of one REST answer, and joins its spans with those they overlap or touch.
    ///
    /// Empty spans are ignored.
    public func saveCandles(_ candles: StoredCandlesDTO) throws(StoreError) {
        try perform(.writing) { connection throws(StoreError) in
            try CandleTables(connection: connection).keep(candles)
        }
    }

    /// The newest candles of a market, ascending, with all spans of the series.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) throws(StoreError) -> StoredCandlesDTO {
        try perform(.reading) { connection throws(StoreError) in
            try CandleTables(connection: connection)
                .candles(of: series, newest: count, before: end)
        }
    }

    /// Removes candles of these intervals, in all feeds, that open before `time`, and the spans
    /// before it.
    ///
    /// - Returns: the number of removed candles.
    public func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) throws(StoreError) -> Int {
        try perform(.writing) { connection throws(StoreError) in
            var removed = 0
            for interval in intervals {
                removed += try CandleTables(connection: connection)
                    .remove(interval, openingBefore: time)
            }
            return removed
        }
    }

    /// Writes last prices unless the stored one is later.
    public func savePrices(_ closes: [StoredPriceDTO], feed: String) throws(StoreError) {
        try perform(.writing) { connection throws(StoreError) in
            try ReferenceTables(connection: connection).keep(closes, feed: feed)
        }
    }

    /// All last prices of a feed, by market.
    public func closes(feed: String) throws(StoreError) -> [StoredPriceDTO] {
        try perform(.reading) { connection throws(StoreError) in
            try ReferenceTables(connection: connection).closes(feed: feed)
        }
    }

    /// Replaces all names of coins of a feed.
    public func saveNames(_ names: StoredNamesDTO, feed: String) throws(StoreError) {
        try perform(.writing) { connection throws(StoreError) in
            try ReferenceTables(connection: connection).keep(names, feed: feed)
        }
    }

    /// The names of coins of a feed, alphabetical by code; nil if none were ever stored.
    public func names(feed: String) throws(StoreError) -> StoredNamesDTO? {
        try perform(.reading) { connection throws(StoreError) in
            try ReferenceTables(connection: connection).names(feed: feed)
        }
    }

    /// Replaces all warnings of a feed.
    public func saveWarnings(_ marks: StoredWarningsDTO, feed: String) throws(StoreError) {
        try perform(.writing) { connection throws(StoreError) in
            try ReferenceTables(connection: connection).keep(marks, feed: feed)
        }
    }

    /// The warnings of a feed; nil if none were ever stored.
    public func marks(feed: String) throws(StoreError) -> StoredWarningsDTO? {
        try perform(.reading) { connection throws(StoreError) in
            try ReferenceTables(connection: connection).marks(feed: feed)
        }
    }
}
