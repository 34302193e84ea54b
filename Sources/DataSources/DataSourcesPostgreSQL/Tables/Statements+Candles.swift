extension Statements {
    /// Locks candle writes until the transaction ends, after the lease.
    ///
    /// Spans and roll-ups then stay unchanged while they are read.
    static let lockCandles = NamedStatement(
        name: "lock_candles",
        sql: "SELECT id FROM hoga.candle_writing FOR UPDATE"
    )

    /// Writes candles of one interval, in key order, each key once.
    static let saveCandles = NamedStatement(
        name: "keep_candles",
        sql: """
            INSERT INTO hoga.candles AS kept (
                feed, market, "interval", open_time, open, high, low, close, volume, fetched_at
            )
            SELECT $1, given.market, $2, given.open_time, given.open::numeric,
                given.high::numeric, given.low::numeric, given.close::numeric,
                given.volume::numeric, given.fetched_at
            FROM unnest(
                $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[],
                $9::text[], $10::timestamptz[]
            ) AS given (market, open_time, open, high, low, close, volume, fetched_at)
            ON CONFLICT (feed, market, "interval", open_time) DO UPDATE SET
                open = excluded.open, high = excluded.high, low = excluded.low,
                close = excluded.close, volume = excluded.volume,
                fetched_at = excluded.fetched_at
            WHERE excluded.fetched_at >= kept.fetched_at
            """
    )

    /// Records hours whose longer candles were built before.
    static let noteLate = NamedStatement(
        name: "note_late",
        sql: """
            INSERT INTO hoga.candle_late (feed, market, hour)
            SELECT DISTINCT $1, given.market,
                date_bin('1 hour', given.open_time, timestamptz '0001-01-01 00:00+00')
            FROM unnest($2::text[], $3::timestamptz[]) AS given (market, open_time)
            WHERE EXISTS (
                SELECT FROM hoga.candle_rollups AS made
                WHERE made.feed = $1 AND made.market IN ('', given.market)
                    AND made.from_time <= given.open_time AND made.to_time > given.open_time
            )
            ON CONFLICT DO NOTHING
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

    static let candleWriting = [lockCandles, saveCandles, noteLate, joinSpans, joinCoverage]

    // MARK: Many at once

    /// A temporary table of this transaction, which needs no shared lock.
    static let stageCandles = NamedStatement(
        name: "stage_candles",
        sql: """
            CREATE TEMPORARY TABLE staged_candles (
                market text COLLATE "C" NOT NULL, open_time timestamptz NOT NULL,
                open numeric NOT NULL, high numeric NOT NULL, low numeric NOT NULL,
                close numeric NOT NULL, volume numeric NOT NULL, fetched_at timestamptz NOT NULL
            ) ON COMMIT DROP
            """
    )

    /// Memory for the keys of half a million candles; whether this role may create
    /// ``stageCandles``.
    static let settleMemory = NamedStatement(
        name: "settle_memory",
        sql: """
            SELECT set_config('work_mem', '64MB', true),
                has_database_privilege(current_database(), 'TEMPORARY')
            """
    )

    static let copyCandles: StaticString = """
        COPY pg_temp.staged_candles (
            market, open_time, open, high, low, close, volume, fetched_at
        ) FROM STDIN (FORMAT binary)
        """

    /// Removes the candles of a time that staged candles replace.
    ///
    /// Deleting and inserting takes the server three quarters of the time of ON CONFLICT DO UPDATE,
    /// and inserting alone half. ``lockCandles`` prevents concurrent inserts.
    static let removeSuperseded = NamedStatement(
        name: "remove_superseded",
        sql: """
            DELETE FROM hoga.candles AS kept USING pg_temp.staged_candles AS staged
            WHERE kept.feed = $1 AND kept.market = staged.market AND kept."interval" = $2
                AND kept.open_time = staged.open_time
                AND kept.open_time >= $3 AND kept.open_time <= $4
                AND kept.fetched_at <= staged.fetched_at
            """
    )

    /// Writes staged candles except those fetched before the stored ones.
    static let keepStaged = NamedStatement(
        name: "keep_staged",
        sql: """
            INSERT INTO hoga.candles (
                feed, market, "interval", open_time, open, high, low, close, volume, fetched_at
            )
            SELECT $1, market, $2, open_time, open, high, low, close, volume, fetched_at
            FROM pg_temp.staged_candles AS staged
            WHERE NOT EXISTS (
                SELECT FROM hoga.candles AS kept
                WHERE kept.feed = $1 AND kept.market = staged.market AND kept."interval" = $2
                    AND kept.open_time = staged.open_time
                    AND kept.open_time >= $3 AND kept.open_time <= $4
            )
            """
    )

    /// Writes all staged candles after the stored ones were removed, so there are no conflicts.
    static let keepAllStaged = NamedStatement(
        name: "keep_all_staged",
        sql: """
            INSERT INTO hoga.candles (
                feed, market, "interval", open_time, open, high, low, close, volume, fetched_at
            )
            SELECT $1, market, $2, open_time, open, high, low, close, volume, fetched_at
            FROM pg_temp.staged_candles
            """
    )

    static let noteStagedLate = NamedStatement(
        name: "note_staged_late",
        sql: """
            INSERT INTO hoga.candle_late (feed, market, hour)
            SELECT DISTINCT $1, given.market,
                date_bin('1 hour', given.open_time, timestamptz '0001-01-01 00:00+00')
            FROM pg_temp.staged_candles AS given
            WHERE EXISTS (
                SELECT FROM hoga.candle_rollups AS made
                WHERE made.feed = $1 AND made.market IN ('', given.market)
                    AND made.from_time <= given.open_time AND made.to_time > given.open_time
            )
            ON CONFLICT DO NOTHING
            """
    )

    static let candleStaging = [
        settleMemory, stageCandles, removeSuperseded, keepStaged, keepAllStaged,
        noteStagedLate,
    ]

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
