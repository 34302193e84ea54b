extension Statements {
    /// Spans of single markets' one minute candles.
    static let readMinuteSpans = NamedStatement(
        name: "read_minute_spans",
        sql: """
            SELECT market, from_time, to_time FROM hoga.candle_spans
            WHERE feed = $1 AND "interval" = '1m' ORDER BY market, from_time
            """
    )

    static let readRolled = NamedStatement(
        name: "read_rolled",
        sql: """
            SELECT market, "interval", from_time, to_time FROM hoga.candle_rollups
            WHERE feed = $1 ORDER BY market, "interval", from_time
            """
    )

    static let readLate = NamedStatement(
        name: "read_late",
        sql: """
            SELECT market, hour FROM hoga.candle_late
            WHERE feed = $1 ORDER BY hour, market LIMIT $2
            """
    )

    static let removeLate = NamedStatement(
        name: "remove_late",
        sql: """
            DELETE FROM hoga.candle_late AS late
            USING unnest($2::text[], $3::timestamptz[]) AS done (market, hour)
            WHERE late.feed = $1 AND late.market = done.market AND late.hour = done.hour
            """
    )

    /// Makes the planner read candles by their key until the transaction ends.
    ///
    /// Statistics of a partition that is being filled are old: they know no row of the last hours,
    /// and a scan of all rows would look as cheap as one step of an index.
    static let planByKey = NamedStatement(
        name: "plan_by_key",
        sql: """
            SELECT set_config('enable_seqscan', 'off', true),
                set_config('enable_bitmapscan', 'off', true)
            """
    )

    /// The markets with a minute in a span, `$2` to `$3`: two index steps for each market that has
    /// one in the days `$4` to `$5`.
    ///
    /// The days have whole partitions, so each step to the next market ends at the first entry.
    static let readMarkets = NamedStatement(
        name: "read_markets",
        sql: """
            WITH RECURSIVE named (market) AS (
                (
                    SELECT market FROM hoga.candles
                    WHERE feed = $1 AND "interval" = '1m'
                        AND open_time >= $4 AND open_time < $5
                    ORDER BY market LIMIT 1
                )
                UNION ALL
                SELECT (
                    SELECT next.market FROM hoga.candles AS next
                    WHERE next.feed = $1 AND next.market > named.market
                        AND next."interval" = '1m'
                        AND next.open_time >= $4 AND next.open_time < $5
                    ORDER BY next.market LIMIT 1
                )
                FROM named WHERE named.market IS NOT NULL
            )
            SELECT named.market
            FROM named CROSS JOIN LATERAL (
                SELECT minute.open_time FROM hoga.candles AS minute
                WHERE minute.feed = $1 AND minute.market = named.market
                    AND minute."interval" = '1m'
                    AND minute.open_time >= $2 AND minute.open_time < $3
                LIMIT 1
            ) AS first
            """
    )

    /// Builds the candles of one longer interval of some markets from the minutes of a span.
    ///
    /// Buckets are counted from midnight in Seoul, and all fit into a day.
    static let rollUp = NamedStatement(
        name: "roll_up",
        sql: """
            INSERT INTO hoga.candles AS kept (
                feed, market, "interval", open_time, open, high, low, close, volume, fetched_at
            )
            SELECT $1, rolled.market, $2, rolled.bucket, rolled.open, rolled.high, rolled.low,
                rolled.close, rolled.volume, rolled.fetched_at
            FROM (
                SELECT named.market, bucket.*
                FROM unnest($3::text[]) AS named (market)
                CROSS JOIN LATERAL (
                    SELECT date_bin(
                            $4 * interval '1 microsecond', minute.open_time,
                            timestamptz '0001-01-01 15:00+00'
                        ) AS bucket,
                        (array_agg(minute.open ORDER BY minute.open_time))[1] AS open,
                        max(minute.high) AS high, min(minute.low) AS low,
                        (array_agg(minute.close ORDER BY minute.open_time DESC))[1] AS close,
                        trim_scale(sum(minute.volume)) AS volume,
                        max(minute.fetched_at) AS fetched_at
                    FROM hoga.candles AS minute
                    WHERE minute.feed = $1 AND minute.market = named.market
                        AND minute."interval" = '1m'
                        AND minute.open_time >= $5 AND minute.open_time < $6
                    GROUP BY 1
                ) AS bucket
            ) AS rolled
            ORDER BY rolled.market, rolled.bucket
            ON CONFLICT (feed, market, "interval", open_time) DO UPDATE SET
                open = excluded.open, high = excluded.high, low = excluded.low,
                close = excluded.close, volume = excluded.volume,
                fetched_at = excluded.fetched_at
            WHERE excluded.fetched_at >= kept.fetched_at AND (
                excluded.open, excluded.high, excluded.low, excluded.close, excluded.volume,
                excluded.fetched_at
            ) IS DISTINCT FROM (
                kept.open, kept.high, kept.low, kept.close, kept.volume, kept.fetched_at
            )
            """
    )

    /// Records built spans; an empty name stands for all markets.
    static let joinRolled = NamedStatement(
        name: "join_rolled",
        sql: """
            WITH touched AS (
                DELETE FROM hoga.candle_rollups AS old
                WHERE old.feed = $1 AND old.market = $2 AND old."interval" = $3
                    AND old.from_time <= $5 AND old.to_time >= $4
                RETURNING old.from_time, old.to_time
            )
            INSERT INTO hoga.candle_rollups (feed, market, "interval", from_time, to_time)
            SELECT $1, $2, $3, least($4, min(from_time)), greatest($5, max(to_time)) FROM touched
            """
    )

    static let rolling = [
        readMinuteSpans, readRolled, readLate, removeLate, planByKey, readMarkets, rollUp,
        joinRolled,
    ]

    // MARK: Room, and what is too old

    static let preparePartitions = NamedStatement(
        name: "prepare_partitions",
        sql: "SELECT hoga.prepare_partitions($1, $2, $3, $4)"
    )

    /// Fails at once, rather than block other readers, while a reader uses the table.
    static let dropPartition = NamedStatement(
        name: "drop_partition",
        sql: "SELECT hoga.drop_partition($1, $2, $3, $4, $5)"
    )

    static let removeRestOfMinute = NamedStatement(
        name: "remove_rest_of_1m",
        sql: "DELETE FROM hoga.candles_1m_rest WHERE open_time < $1"
    )

    static let removeRestOfMinutes = NamedStatement(
        name: "remove_rest_of_minutes",
        sql: "DELETE FROM hoga.candles_minutes_rest WHERE open_time < $1"
    )

    static let removeCandles = NamedStatement(
        name: "remove_candles",
        sql: "DELETE FROM hoga.candles WHERE \"interval\" = ANY ($1) AND open_time < $2"
    )

    static let removeSpans = NamedStatement(
        name: "remove_spans",
        sql: "DELETE FROM hoga.candle_spans WHERE \"interval\" = ANY ($1) AND to_time <= $2"
    )

    static let cutSpans = NamedStatement(
        name: "cut_spans",
        sql: """
            UPDATE hoga.candle_spans SET from_time = $2
            WHERE "interval" = ANY ($1) AND from_time < $2
            """
    )

    static let removeRolled = NamedStatement(
        name: "remove_rolled",
        sql: "DELETE FROM hoga.candle_rollups WHERE \"interval\" = ANY ($1) AND to_time <= $2"
    )

    static let cutRolled = NamedStatement(
        name: "cut_rolled",
        sql: """
            UPDATE hoga.candle_rollups SET from_time = $2
            WHERE "interval" = ANY ($1) AND from_time < $2
            """
    )

    static let removeCoverage = NamedStatement(
        name: "remove_coverage",
        sql: "DELETE FROM hoga.candle_coverage WHERE to_time <= $1"
    )

    static let cutCoverage = NamedStatement(
        name: "cut_coverage",
        sql: "UPDATE hoga.candle_coverage SET from_time = $1 WHERE from_time < $1"
    )

    /// Removes journal rows that are not kept any more, of the next users after one.
    static let pruneJournals = NamedStatement(
        name: "prune_journals",
        sql: "SELECT last_user, pruned FROM hoga.prune_journals($1, $2, $3, $4, $5)"
    )

    static let removal = [
        preparePartitions, dropPartition, removeRestOfMinute, removeRestOfMinutes, removeCandles,
        removeSpans, cutSpans, removeRolled, cutRolled, removeCoverage, cutCoverage, pruneJournals,
    ]
}
