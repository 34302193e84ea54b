extension Statements {
    /// Locks candle writes until the transaction ends, after the lease.
    ///
    /// Spans and roll-ups then stay unchanged while they are read.
    static let lockCandles = NamedStatement(
        name: "lock_candles",
        sql: "SELECT id FROM hoga.candle_writing FOR UPDATE"
    )

    /// Writes candles of one interval as the holder of the lease, in key order, each key once.
    ///
    /// Locks the lease and ``lockCandles`` itself, after the server has received all candles.
    static let writeCandles = NamedStatement(
        name: "write_candles",
        sql: """
            SELECT hoga.write_candles(
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
            )
            """
    )

    /// Joins spans of a series with those they overlap or touch.
    static let joinSpans = NamedStatement(
        name: "join_spans",
        sql: """
            WITH given AS (
                SELECT from_time, to_time
                FROM unnest($4::timestamptz[], $5::timestamptz[]) AS given (from_time, to_time)
            ), touched AS (
                DELETE FROM hoga.candle_spans AS old USING given
                WHERE old.feed = $1 AND old.market = $2 AND old."interval" = $3
                    AND old.from_time <= given.to_time AND old.to_time >= given.from_time
                RETURNING old.from_time, old.to_time
            ), parts AS (SELECT * FROM given UNION ALL SELECT * FROM touched)
            INSERT INTO hoga.candle_spans (feed, market, "interval", from_time, to_time)
            SELECT $1, $2, $3, lower(joined.span), upper(joined.span) FROM (
                SELECT unnest(range_agg(tstzrange(from_time, to_time))) AS span FROM parts
            ) AS joined
            """
    )

    /// Like ``joinSpans``, for the coverage of a feed.
    static let joinCoverage = NamedStatement(
        name: "join_coverage",
        sql: """
            WITH given AS (
                SELECT from_time, to_time
                FROM unnest($2::timestamptz[], $3::timestamptz[]) AS given (from_time, to_time)
            ), touched AS (
                DELETE FROM hoga.candle_coverage AS old USING given
                WHERE old.feed = $1
                    AND old.from_time <= given.to_time AND old.to_time >= given.from_time
                RETURNING old.from_time, old.to_time
            ), parts AS (SELECT * FROM given UNION ALL SELECT * FROM touched)
            INSERT INTO hoga.candle_coverage (feed, from_time, to_time)
            SELECT $1, lower(joined.span), upper(joined.span) FROM (
                SELECT unnest(range_agg(tstzrange(from_time, to_time))) AS span FROM parts
            ) AS joined
            """
    )

    static let candleWriting = [lockCandles, writeCandles, joinSpans, joinCoverage]

    // MARK: Reading

    /// The newest candles of a series, newest first, and all of its spans, without numbers.
    static let readCandles = NamedStatement(
        name: "read_candles",
        sql: """
            (
                SELECT open_time AS from_time, fetched_at AS to_time,
                    trim_scale(open)::text, trim_scale(high)::text, trim_scale(low)::text,
                    trim_scale(close)::text, trim_scale(volume)::text
                FROM hoga.candles
                WHERE feed = $1 AND market = $2 AND "interval" = $3
                    AND open_time < coalesce($5::timestamptz, 'infinity')
                ORDER BY open_time DESC LIMIT $4
            )
            UNION ALL
            SELECT from_time, to_time, NULL, NULL, NULL, NULL, NULL
            FROM hoga.candle_spans WHERE feed = $1 AND market = $2 AND "interval" = $3
            UNION ALL
            SELECT from_time, to_time, NULL, NULL, NULL, NULL, NULL
            FROM hoga.candle_coverage WHERE feed = $1 AND $3 = '1m'
            UNION ALL
            SELECT from_time, to_time, NULL, NULL, NULL, NULL, NULL
            FROM hoga.candle_rollups
            WHERE feed = $1 AND market IN ('', $2) AND "interval" = $3
            """
    )

    static let readCoverage = NamedStatement(
        name: "read_coverage",
        sql: "SELECT from_time, to_time FROM hoga.candle_coverage WHERE feed = $1 ORDER BY 1"
    )

    static let candleReading = [readCandles, readCoverage]
}
