import DataSourceContracts

/// Candles of one interval of one feed, in key order, each key once.
///
/// One statement can write them, and all writers lock rows in the same order.
struct CandleBatch: Sendable {
    let feed: String
    let interval: String
    /// In order of market and open time.
    let rows: [MinuteCandleBatchDTO.Row]

    /// Sorts candles.
    ///
    /// Of two with one key the one fetched later is kept, or the later one in the list if both were
    /// fetched at the same time.
    ///
    /// - Throws: ``StoreError``: `refused` for a number or time that cannot be stored.
    init(
        feed: String,
        interval: String,
        _ rows: [MinuteCandleBatchDTO.Row]
    ) throws(StoreError) {
        self.feed = feed
        self.interval = interval
        for row in rows { try Self.check(row.candle) }
        guard !zip(rows, rows.dropFirst()).allSatisfy({ Self.order($0, $1) == .before }) else {
            self.rows = rows
            return
        }
        // The sort is stable: of rows with one key the later in the list comes last.
        let sorted = rows.sorted { Self.order($0, $1) == .before }
        var kept: [MinuteCandleBatchDTO.Row] = []
        kept.reserveCapacity(sorted.count)
        for row in sorted {
            if let last = kept.last, Self.order(last, row) == .same {
                if row.candle.fetchedAt >= last.candle.fetchedAt { kept[kept.count - 1] = row }
            } else {
                kept.append(row)
            }
        }
        self.rows = kept
    }

    /// The parameters of ``Statements/writeCandles`` after the lease.
    var values: [PostgreSQLValue] {
        [
            .text(feed), .text(interval), .texts(rows.map(\.market)),
            .times(rows.map(\.candle.openTime)), .decimals(rows.map(\.candle.open)),
            .decimals(rows.map(\.candle.high)), .decimals(rows.map(\.candle.low)),
            .decimals(rows.map(\.candle.close)), .decimals(rows.map(\.candle.volume)),
            .times(rows.map(\.candle.fetchedAt)),
        ]
    }

    // MARK: Keys

    private enum Order {
        case before
        case same
        case after
    }

    private static func order(
        _ left: MinuteCandleBatchDTO.Row,
        _ right: MinuteCandleBatchDTO.Row
    ) -> Order {
        if !left.market.hasSameBytes(as: right.market) {
            return left.market.precedes(right.market) ? .before : .after
        }
        let times = (left.candle.openTime, right.candle.openTime)
        return times.0 < times.1 ? .before : times.0 == times.1 ? .same : .after
    }

    private static func check(_ row: StoredCandlesDTO.Row) throws(StoreError) {
        try CanonicalValues.check(time: row.openTime, "the open time of a candle")
        try CanonicalValues.check(time: row.fetchedAt, "the time of reading a candle")
        for price in [row.open, row.high, row.low, row.close] {
            try CanonicalValues.check(decimal: price, "the price of a candle")
        }
        try CanonicalValues.check(decimal: row.volume, "the volume of a candle")
    }
}
