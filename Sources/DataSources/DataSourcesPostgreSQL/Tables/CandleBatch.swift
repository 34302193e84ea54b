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

    /// The parameters of ``Statements/saveCandles``.
    var values: [PostgreSQLValue] {
        [
            .text(feed), .text(interval), .texts(rows.map(\.market)),
            .times(rows.map(\.candle.openTime)), .texts(rows.map(\.candle.open)),
            .texts(rows.map(\.candle.high)), .texts(rows.map(\.candle.low)),
            .texts(rows.map(\.candle.close)), .texts(rows.map(\.candle.volume)),
            .times(rows.map(\.candle.fetchedAt)),
        ]
    }

    /// The parameters of ``Statements/noteLate``.
    var keys: [PostgreSQLValue] {
        [.text(feed), .texts(rows.map(\.market)), .times(rows.map(\.candle.openTime))]
    }

    /// The rows as ``Statements/copyCandles`` reads them.
    var copied: [UInt8] {
        var bytes = BinaryCopyEncoder(rowBytes: 128, count: rows.count)
        for row in rows {
            bytes.beginRow(columns: 8)
            bytes.append(text: row.market)
            bytes.append(time: row.candle.openTime)
            bytes.append(decimal: row.candle.open)
            bytes.append(decimal: row.candle.high)
            bytes.append(decimal: row.candle.low)
            bytes.append(decimal: row.candle.close)
            bytes.append(decimal: row.candle.volume)
            bytes.append(time: row.candle.fetchedAt)
        }
        return bytes.finished()
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
