extension Statements {
    /// The lock that every writer of candles has until its transaction ends, after the lease: what
    /// it reads of spans and roll-ups stays as it is.
    static let lockCandles = NamedStatement(
        name: "lock_candles",
        sql: "SELECT id FROM hoga.candle_writing FOR UPDATE"
    )

    /// Keeps candles of one interval; they come in the order of their keys, each once.
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

    /// Notes the hours of which longer candles have been made before.
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

    /// Joins spans of a series with those that they overlap or touch.
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

    /// As ``joinSpans``, for the coverage of a feed.
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

    /// A table of this transaction alone, which needs no lock of anybody.
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

    /// Room for the keys of half a million candles; whether this role may make ``stageCandles``.
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

    /// Removes what staged candles replace, of a time.
    ///
    /// Removing and inserting takes the server three quarters of what updating by way of a conflict
    /// does, and inserting alone half. With ``lockCandles``
    /// nobody inserts in between.
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

    /// Keeps staged candles but for those that were fetched before what is there.
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

    /// Keeps all staged candles, after as many were removed: nothing stands in their way.
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

    /// The newest candles of a series, newest first, and all of its spans: without numbers.
    static let readCandles = NamedStatement(
        name: "read_candles",
        sql: """
            (
                SELECT open_time AS from_time, fetched_at AS to_time,
                    trim_scale(open)::text, trim_scale(high)::text, trim_scale(low)::text,
                    trim_scale(close)::text, trim_scale(volume)::text
                FROM hoga.candles
                WHERE feed = $1 AND market = $2 AND "interval" = $3
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
