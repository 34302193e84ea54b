-- runs-with: 5
-- A user's record is read, and a change of it recorded, by functions that keep their plans: parsing
-- and planning were three quarters of the server's work for a change, and poolers in transaction
-- mode let no program keep prepared statements.

-- The record of a user as of one moment, as rows of one form. Part 0 is the row of hoga.users with
-- its revisions, 1 a favorite with its position, 2 the settings, 3 a holding, 4 the cash.
CREATE FUNCTION hoga.user_record(of_user bigint)
RETURNS TABLE (
    part bigint, number_1 bigint, number_2 bigint, number_3 bigint, number_4 bigint,
    number_5 bigint, flag boolean, text_1 text, text_2 text, text_3 text, text_4 text, text_5 text,
    text_6 text, text_7 text, text_8 text, text_9 text, text_10 text, text_11 text
)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
BEGIN
    RETURN QUERY
        SELECT 0::bigint, profile_revision, favorites_revision, settings_revision,
            holdings_revision, cash_revision, false, name, display_name, NULL::text, NULL::text,
            NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text
        FROM hoga.users WHERE id = of_user
        UNION ALL
        SELECT 1, position, NULL, NULL, NULL, NULL, false, market,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM hoga.favorites WHERE user_id = of_user
        UNION ALL
        SELECT 2, depth, NULL, NULL, NULL, NULL, pin_favorites, sort, sort_direction, quote,
            tab, change_period, "interval", chart_style, averages, theme, colors, lang
        FROM hoga.settings WHERE user_id = of_user
        UNION ALL
        SELECT 3, NULL, NULL, NULL, NULL, NULL, false, asset,
            trim_scale(quantity)::text, trim_scale(average_price)::text,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM hoga.holdings WHERE user_id = of_user
        UNION ALL
        SELECT 4, NULL, NULL, NULL, NULL, NULL, false, trim_scale(amount)::text,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM hoga.cash WHERE user_id = of_user;
END
$$;
REVOKE ALL ON FUNCTION hoga.user_record(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.user_record(bigint) TO hoga_app;

-- Ends a change of the transaction's user: adds to the revisions, appends to the journal, and
-- prunes the journal at each sixteenth change, because at each one it would be a fifth of the
-- server's work. Returns the new revisions. Row policies refuse the rows of other users.
CREATE FUNCTION hoga.record_change(
    of_user bigint, changed_at timestamptz, change_kind text, change_subject text,
    INOUT profile bigint, INOUT favorites bigint, INOUT settings bigint, INOUT holdings bigint,
    INOUT cash bigint
) RETURNS record
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
DECLARE
    following bigint;
BEGIN
    UPDATE hoga.users SET
        profile_revision = profile_revision + profile,
        favorites_revision = favorites_revision + favorites,
        settings_revision = settings_revision + settings,
        holdings_revision = holdings_revision + holdings,
        cash_revision = cash_revision + cash
    WHERE id = of_user
    RETURNING profile_revision, favorites_revision, settings_revision, holdings_revision,
        cash_revision
    INTO profile, favorites, settings, holdings, cash;
    following := 1 + coalesce(
        (
            SELECT newest.number FROM hoga.journal AS newest WHERE newest.user_id = of_user
            ORDER BY newest.number DESC LIMIT 1
        ),
        0
    );
    INSERT INTO hoga.journal (user_id, number, at, kind, subject)
    VALUES (of_user, following, changed_at, change_kind, change_subject);
    IF following % 16 = 0 THEN
        PERFORM hoga.prune_journal();
    END IF;
END
$$;
REVOKE ALL ON FUNCTION hoga.record_change(
    bigint, timestamptz, text, text, bigint, bigint, bigint, bigint, bigint
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.record_change(
    bigint, timestamptz, text, text, bigint, bigint, bigint, bigint, bigint
) TO hoga_app;

-- Partitions wait 40 ms for a lock instead of 50: with the server's own delay readers behind them
-- waited for up to 51 ms.
DO $$
DECLARE
    waiting regprocedure;
BEGIN
    FOREACH waiting IN ARRAY ARRAY[
        'hoga.prepare_partitions(timestamptz)', 'hoga.drop_oldest_partition(text, timestamptz)'
    ]::regprocedure[] LOOP
        EXECUTE replace(pg_get_functiondef(waiting), '''50ms''', '''40ms''');
    END LOOP;
END
$$;

-- Removing old rows takes an index: a volatile function in the condition forbade it, and 100,000
-- users added at once read the growing audit trail 100,000 times.
CREATE OR REPLACE FUNCTION hoga.note_audit(
    done text, of_user bigint, named text, token bigint DEFAULT NULL, details jsonb DEFAULT '{}'
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
DECLARE
    oldest CONSTANT timestamptz := clock_timestamp() - interval '3 years';
BEGIN
    DELETE FROM hoga.audit AS old WHERE old.at < oldest;
    INSERT INTO hoga.audit (action, user_id, subject, token_id, details)
    VALUES (done, of_user, named, token, jsonb_strip_nulls(note_audit.details));
END
$$;

CREATE INDEX access_changes_by_time ON hoga.access_changes (at);

CREATE OR REPLACE FUNCTION hoga.note_access() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
DECLARE
    oldest CONSTANT timestamptz := clock_timestamp() - interval '1 day';
BEGIN
    IF TG_TABLE_NAME = 'users' THEN
        INSERT INTO hoga.access_changes (user_id) VALUES (OLD.id);
    ELSE
        INSERT INTO hoga.access_changes (user_id) VALUES (OLD.user_id);
    END IF;
    DELETE FROM hoga.access_changes WHERE at < oldest;
    -- Programs of 0.1.0 expect the number of a user and ignore this; they look tokens up anyway.
    PERFORM pg_notify('hoga_personal', 'access');
    RETURN NULL;
END
$$;

-- Whether longer candles were built of a minute is asked once for each time, not for each candle:
-- with thirty gaps in the recording, 493 candles took 27 ms instead of 6.
CREATE OR REPLACE FUNCTION hoga.write_candles(
    lease_name text, lease_holder text, lease_epoch bigint, of_feed text, of_interval text,
    markets text[], open_times timestamptz[], opens numeric[], highs numeric[], lows numeric[],
    closes numeric[], volumes numeric[], fetched timestamptz[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET work_mem = '64MB'
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
DECLARE
    oldest timestamptz;
    newest timestamptz;
    changed bigint;
BEGIN
    IF lease_name <> 'candles-' || of_feed THEN
        RAISE SQLSTATE 'HG001' USING MESSAGE = 'the lease belongs to another feed';
    END IF;
    PERFORM hoga.hold_lease(lease_name, lease_holder, lease_epoch);
    PERFORM FROM hoga.candle_writing FOR UPDATE;
    IF cardinality(markets) <= 4096 THEN
        -- The index finds each candle, whatever the statistics say.
        INSERT INTO hoga.candles AS kept (
            feed, market, "interval", open_time, open, high, low, close, volume, fetched_at
        )
        SELECT of_feed, given.market, of_interval, given.open_time, given.open, given.high,
            given.low, given.close, given.volume, given.fetched_at
        FROM unnest(markets, open_times, opens, highs, lows, closes, volumes, fetched)
            AS given (market, open_time, open, high, low, close, volume, fetched_at)
        ON CONFLICT (feed, market, "interval", open_time) DO UPDATE SET
            open = excluded.open, high = excluded.high, low = excluded.low,
            close = excluded.close, volume = excluded.volume, fetched_at = excluded.fetched_at
        WHERE excluded.fetched_at >= kept.fetched_at;
    ELSE
        -- Half the time of that. The lock prevents concurrent inserts.
        SELECT min(given.open_time), max(given.open_time) INTO oldest, newest
        FROM unnest(open_times) AS given (open_time);
        DELETE FROM hoga.candles AS kept
        USING unnest(markets, open_times, fetched) AS given (market, open_time, fetched_at)
        WHERE kept.feed = of_feed AND kept.market = given.market
            AND kept."interval" = of_interval AND kept.open_time = given.open_time
            AND kept.open_time >= oldest AND kept.open_time <= newest
            AND kept.fetched_at <= given.fetched_at;
        INSERT INTO hoga.candles (
            feed, market, "interval", open_time, open, high, low, close, volume, fetched_at
        )
        SELECT of_feed, given.market, of_interval, given.open_time, given.open, given.high,
            given.low, given.close, given.volume, given.fetched_at
        FROM unnest(markets, open_times, opens, highs, lows, closes, volumes, fetched)
            AS given (market, open_time, open, high, low, close, volume, fetched_at)
        WHERE NOT EXISTS (
            SELECT FROM hoga.candles AS newer
            WHERE newer.feed = of_feed AND newer.market = given.market
                AND newer."interval" = of_interval AND newer.open_time = given.open_time
                AND newer.open_time >= oldest AND newer.open_time <= newest
        );
    END IF;
    GET DIAGNOSTICS changed = ROW_COUNT;
    -- Longer candles that were built of these minutes before are built again.
    IF of_interval = '1m' THEN
        INSERT INTO hoga.candle_late (feed, market, hour)
        SELECT DISTINCT of_feed, given.market,
            date_bin('1 hour', given.open_time, timestamptz '0001-01-01 00:00+00')
        FROM (
            -- Many candles share few times.
            SELECT DISTINCT made.market, times.open_time
            FROM (SELECT DISTINCT unnest(open_times) AS open_time) AS times
            JOIN hoga.candle_rollups AS made
                ON made.feed = of_feed AND made.market = ANY (array_append(markets, ''))
                AND made.from_time <= times.open_time AND made.to_time > times.open_time
        ) AS rolled
        JOIN unnest(markets, open_times) AS given (market, open_time)
            ON given.open_time = rolled.open_time AND rolled.market IN ('', given.market)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN changed;
END
$$;
