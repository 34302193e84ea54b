import DataSourceContracts

/// The candle tables, within one transaction.
struct CandleTables {
    let connection: SQLiteConnection

    /// Writes the candles of one REST answer.
    func keep(_ candles: StoredCandlesDTO) throws(StoreError) {
        let series = candles.series.values
        try connection.run(
            """
            INSERT INTO candles (
                feed, market, "interval", open_time, open, high, low, close, volume, fetched_at
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (feed, market, "interval", open_time) DO UPDATE SET
                open = excluded.open, high = excluded.high, low = excluded.low,
                close = excluded.close, volume = excluded.volume, fetched_at = excluded.fetched_at
            WHERE excluded.fetched_at >= fetched_at
            """,
            each: candles.rows.lazy.map { row in
                series + [
                    .integer(row.openTime), .text(row.open), .text(row.high), .text(row.low),
                    .text(row.close), .text(row.volume), .integer(row.fetchedAt),
                ]
            }
        )
        for span in candles.spans where span.from < span.to {
            try join(span, to: candles.series)
        }
    }

    /// The newest candles, ascending, and all spans.
    func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) throws(StoreError) -> StoredCandlesDTO {
        let rows = try connection.rows(
            """
            SELECT open_time, open, high, low, close, volume, fetched_at FROM candles
            WHERE feed = ?1 AND market = ?2 AND "interval" = ?3 AND open_time < ?5
            ORDER BY open_time DESC LIMIT ?4
            """,
            series.values + [.integer(Int64(max(0, count))), .integer(end ?? .max)]
        ) { row throws(StoreError) in
            StoredCandlesDTO.Row(
                openTime: row.integer(0),
                open: try row.text(1),
                high: try row.text(2),
                low: try row.text(3),
                close: try row.text(4),
                volume: try row.text(5),
                fetchedAt: row.integer(6)
            )
        }
        return StoredCandlesDTO(series: series, rows: rows.reversed(), spans: try spans(of: series))
    }

    /// Open times of a series, ascending.
    func opens(of series: CandleSeriesDTO) throws(StoreError) -> [Int64] {
        try connection.rows(
            """
            SELECT open_time FROM candles
            WHERE feed = ?1 AND market = ?2 AND "interval" = ?3 ORDER BY open_time
            """,
            series.values
        ) { $0.integer(0) }
    }

    /// Covered spans, ascending.
    func spans(of series: CandleSeriesDTO) throws(StoreError) -> [StoredCandlesDTO.Span] {
        try connection.rows(
            """
            SELECT from_time, to_time FROM candle_spans
            WHERE feed = ?1 AND market = ?2 AND "interval" = ?3 ORDER BY from_time
            """,
            series.values
        ) { StoredCandlesDTO.Span(from: $0.integer(0), to: $0.integer(1)) }
    }

    /// Removes candles of an interval that open before `time`, and the spans before it.
    ///
    /// - Returns: the number of removed candles.
    func remove(_ interval: String, openingBefore time: Int64) throws(StoreError) -> Int {
        var removed = 0
        for series in try allSeries() where series.interval.utf8.elementsEqual(interval.utf8) {
            try connection.run(
                """
                DELETE FROM candles
                WHERE feed = ?1 AND market = ?2 AND "interval" = ?3 AND open_time < ?4
                """,
                series.values + [.integer(time)]
            )
            removed += connection.changedRows
        }
        try connection.run(
            "DELETE FROM candle_spans WHERE \"interval\" = ?1 AND to_time <= ?2",
            [.text(interval), .integer(time)]
        )
        try connection.run(
            "UPDATE candle_spans SET from_time = ?2 WHERE \"interval\" = ?1 AND from_time < ?2",
            [.text(interval), .integer(time)]
        )
        return removed
    }

    /// Every series that has a candle: one index step for each, not one for each row.
    func allSeries() throws(StoreError) -> [CandleSeriesDTO] {
        var all: [CandleSeriesDTO] = []
        while let next = try series(after: all.last) { all.append(next) }
        return all
    }

    private func series(after last: CandleSeriesDTO?) throws(StoreError) -> CandleSeriesDTO? {
        let sql: StaticString =
            last == nil
            ? """
            SELECT feed, market, "interval" FROM candles
            ORDER BY feed, market, "interval" LIMIT 1
            """
            : """
            SELECT feed, market, "interval" FROM candles
            WHERE (feed, market, "interval") > (?1, ?2, ?3)
            ORDER BY feed, market, "interval" LIMIT 1
            """
        return try connection.first(sql, last?.values ?? []) { row throws(StoreError) in
            CandleSeriesDTO(
                feed: try row.text(0),
                market: try row.text(1),
                interval: try row.text(2)
            )
        }
    }

    /// Replaces all spans that a span overlaps or touches by their union.
    private func join(
        _ span: StoredCandlesDTO.Span,
        to series: CandleSeriesDTO
    ) throws(StoreError) {
        let ends = series.values + [.integer(span.from), .integer(span.to)]
        let joined = try connection.first(
            """
            SELECT min(from_time), max(to_time) FROM candle_spans
            WHERE feed = ?1 AND market = ?2 AND "interval" = ?3
                AND from_time <= ?5 AND to_time >= ?4
            """,
            ends
        ) { ($0.optionalInteger(0), $0.optionalInteger(1)) }
        try connection.run(
            """
            DELETE FROM candle_spans
            WHERE feed = ?1 AND market = ?2 AND "interval" = ?3
                AND from_time <= ?5 AND to_time >= ?4
            """,
            ends
        )
        try connection.run(
            """
            INSERT INTO candle_spans (feed, market, "interval", from_time, to_time)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            series.values + [
                .integer(min(span.from, joined?.0 ?? span.from)),
                .integer(max(span.to, joined?.1 ?? span.to)),
            ]
        )
    }
}

/// Not sendable, like its connection.
@available(*, unavailable)
extension CandleTables: Sendable {}

extension CandleSeriesDTO {
    /// Values of the key columns.
    fileprivate var values: [SQLiteValue] { [.text(feed), .text(market), .text(interval)] }
}
