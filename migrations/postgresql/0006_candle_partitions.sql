-- runs-with: 5
-- Candles without default partitions, functions that check lease and retention themselves, and a
-- journal that the service can only append to. Instances of 0.1.0 keep working beside it.

SET LOCAL TimeZone = 'UTC';

-- The kinds of candles: the unit of their partitions, how long they are kept (NULL: for ever), and
-- how far ahead their partitions are made. The leader makes them every hour.
CREATE FUNCTION hoga.candle_terms()
RETURNS TABLE (kind text, unit text, form text, kept interval, ahead interval)
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
    VALUES
        ('candles_1m', 'day', 'YYYY_MM_DD', interval '30 days', interval '7 days'),
        ('candles_minutes', 'month', 'YYYY_MM', interval '180 days', interval '2 months'),
        ('candles_hours', 'year', 'YYYY', NULL, interval '2 years')
$$;
REVOKE ALL ON FUNCTION hoga.candle_terms() FROM PUBLIC;

-- The partitions of a kind with their bounds. Together they cover all times up to the end of the
-- newest one: the partition called rest ends where the oldest of the others begins. Without a
-- default partition, attaching a new one blocks no reader and no writer, and the planner reads
-- partitions in the order of time.
CREATE FUNCTION hoga.candle_partitions(kind text)
RETURNS TABLE (name text, from_time timestamptz, to_time timestamptz)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO'
AS $$
    SELECT class.relname::text,
        CASE
            WHEN bound.words LIKE '%FROM (MINVALUE)%' THEN '-infinity'
            ELSE substring(bound.words FROM 'FROM \(''([^'']*)''\)')
        END::timestamptz,
        substring(bound.words FROM 'TO \(''([^'']*)''\)')::timestamptz
    FROM pg_inherits AS link
    JOIN pg_class AS class ON class.oid = link.inhrelid
    CROSS JOIN LATERAL pg_get_expr(class.relpartbound, class.oid) AS bound (words)
    WHERE link.inhparent = to_regclass(format('hoga.%I', kind))
    ORDER BY 2
$$;
REVOKE ALL ON FUNCTION hoga.candle_partitions(text) FROM PUBLIC;

-- Makes one partition of candles.
CREATE OR REPLACE FUNCTION hoga.make_partition(
    kind text, name text, from_time timestamptz, to_time timestamptz
) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    EXECUTE format('CREATE TABLE hoga.%I (LIKE hoga.%I INCLUDING ALL)', name, kind);
    EXECUTE format(
        'ALTER TABLE hoga.%I ATTACH PARTITION hoga.%I FOR VALUES FROM (%L) TO (%L)',
        kind, name, from_time, to_time
    );
    RETURN true;
END
$$;

-- Makes partitions of a kind, from the end of the newest one, for candles of a time and those ahead
-- of it; returns their number. Times that are not kept any more get one partition for all.
CREATE FUNCTION hoga.extend_partitions(wanted text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO'
AS $$
DECLARE
    term record;
    edge timestamptz;
    next timestamptz;
    made bigint := 0;
BEGIN
    SELECT * INTO STRICT term FROM hoga.candle_terms() AS terms WHERE terms.kind = wanted;
    SELECT max(parts.to_time) INTO edge FROM hoga.candle_partitions(wanted) AS parts;
    WHILE edge <= at + term.ahead LOOP
        next := greatest(
            date_trunc(term.unit, edge) + ('1 ' || term.unit)::interval,
            date_trunc(term.unit, at - term.kept)
        );
        PERFORM hoga.make_partition(
            wanted, wanted || '_' || to_char(edge, term.form), edge, next
        );
        edge := next;
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;
REVOKE ALL ON FUNCTION hoga.extend_partitions(text, timestamptz) FROM PUBLIC;

-- Requires that an instance holds a lease, for calls of 0.1.0, which do not name theirs.
CREATE FUNCTION hoga.require_lease() RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM hoga.instance_lease AS lease WHERE lease.expires_at > clock_timestamp()
    ) THEN
        RAISE SQLSTATE 'HG001' USING MESSAGE = 'the lease is not held';
    END IF;
END
$$;
REVOKE ALL ON FUNCTION hoga.require_lease() FROM PUBLIC;

-- Makes the partitions for candles of a time, and those ahead of it; returns their number. 0.1.0
-- calls it in this form.
CREATE OR REPLACE FUNCTION hoga.prepare_partitions(at timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    patience text := current_setting('lock_timeout');
    made bigint;
BEGIN
    PERFORM hoga.require_lease();
    IF at NOT BETWEEN '2013-01-01 00:00+00' AND clock_timestamp() + interval '400 days' THEN
        RAISE invalid_parameter_value USING MESSAGE = 'there is no market at that time';
    END IF;
    -- One call at a time.
    PERFORM FROM hoga.candle_writing FOR UPDATE;
    PERFORM set_config('lock_timeout', '50ms', true);
    SELECT sum(hoga.extend_partitions(terms.kind, at)) INTO made FROM hoga.candle_terms() AS terms;
    PERFORM set_config('lock_timeout', patience, true);
    RETURN made;
END
$$;

-- The same for the holder of a lease.
CREATE FUNCTION hoga.prepare_partitions(
    lease_name text, lease_holder text, lease_epoch bigint, at timestamptz
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM hoga.hold_lease(lease_name, lease_holder, lease_epoch);
    RETURN hoga.prepare_partitions(at);
END
$$;
REVOKE ALL ON FUNCTION hoga.prepare_partitions(text, text, bigint, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.prepare_partitions(text, text, bigint, timestamptz) TO hoga_app;

-- Drops the oldest partition of a kind if it ends before a moment and before the time that candles
-- of that kind are kept; returns the number of its candles, or NULL if no partition is that old.
--
-- Readers queue behind the wait for the parent's lock. It ends after 50 ms with lock_not_available;
-- the other locks are not waited for. Locks last until the transaction ends, so each transaction
-- drops one partition.
CREATE FUNCTION hoga.drop_oldest_partition(wanted text, before timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO'
AS $$
DECLARE
    rest text := wanted || '_rest';
    patience text := current_setting('lock_timeout');
    term record;
    part record;
    dropped bigint;
BEGIN
    SELECT * INTO term FROM hoga.candle_terms() AS terms
    WHERE terms.kind = wanted AND terms.kept IS NOT NULL;
    IF NOT FOUND THEN
        RAISE invalid_parameter_value USING MESSAGE = 'candles of this kind are never dropped';
    END IF;
    SELECT * INTO part FROM hoga.candle_partitions(wanted) AS parts
    WHERE parts.from_time > '-infinity'
        AND parts.to_time <= least(before, clock_timestamp() - term.kept)
    ORDER BY parts.from_time LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    EXECUTE format('SELECT count(*) FROM hoga.%I', part.name) INTO dropped;
    PERFORM set_config('lock_timeout', '50ms', true);
    EXECUTE format('LOCK TABLE ONLY hoga.%I IN ACCESS EXCLUSIVE MODE', wanted);
    EXECUTE format(
        'LOCK TABLE ONLY hoga.%I, ONLY hoga.%I IN ACCESS EXCLUSIVE MODE NOWAIT', part.name, rest
    );
    EXECUTE format('DROP TABLE hoga.%I', part.name);
    EXECUTE format('ALTER TABLE hoga.%I DETACH PARTITION hoga.%I', wanted, rest);
    EXECUTE format(
        'ALTER TABLE hoga.%I ATTACH PARTITION hoga.%I FOR VALUES FROM (MINVALUE) TO (%L)',
        wanted, rest, part.to_time
    );
    PERFORM set_config('lock_timeout', patience, true);
    RETURN dropped;
END
$$;
REVOKE ALL ON FUNCTION hoga.drop_oldest_partition(text, timestamptz) FROM PUBLIC;

-- The same for the holder of a lease.
CREATE FUNCTION hoga.drop_partition(
    lease_name text, lease_holder text, lease_epoch bigint, kind text, before timestamptz
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM hoga.hold_lease(lease_name, lease_holder, lease_epoch);
    PERFORM FROM hoga.candle_writing FOR UPDATE;
    RETURN hoga.drop_oldest_partition(kind, before);
END
$$;
REVOKE ALL ON FUNCTION hoga.drop_partition(text, text, bigint, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.drop_partition(text, text, bigint, text, timestamptz) TO hoga_app;

-- The same for 0.1.0: at most one partition a call, and none while a reader uses the table. 0.1.0
-- calls it every hour.
CREATE OR REPLACE FUNCTION hoga.drop_partitions(kind text, before timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM hoga.require_lease();
    PERFORM FROM hoga.candle_writing FOR UPDATE;
    BEGIN
        RETURN coalesce(hoga.drop_oldest_partition(kind, before), 0);
    EXCEPTION WHEN lock_not_available THEN
        RETURN 0;
    END;
END
$$;

-- Writes candles of one interval as the holder of the lease: each key once; of two readings of a
-- candle the later one stands. Returns the number of written candles.
--
-- The server has received all candles before it locks anything, so a process that is suspended
-- while it sends holds no lock.
CREATE FUNCTION hoga.write_candles(
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
        FROM unnest(markets, open_times) AS given (market, open_time)
        WHERE EXISTS (
            SELECT FROM hoga.candle_rollups AS made
            WHERE made.feed = of_feed AND made.market IN ('', given.market)
                AND made.from_time <= given.open_time AND made.to_time > given.open_time
        )
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN changed;
END
$$;
REVOKE ALL ON FUNCTION hoga.write_candles(
    text, text, bigint, text, text, text[], timestamptz[], numeric[], numeric[], numeric[],
    numeric[], numeric[], timestamptz[]
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.write_candles(
    text, text, bigint, text, text, text[], timestamptz[], numeric[], numeric[], numeric[],
    numeric[], numeric[], timestamptz[]
) TO hoga_app;

-- The default partitions become those of all times before the others. Gaps between the partitions
-- of 0.1.0, and times after them, get partitions of their own.
DO $$
DECLARE
    term record;
    hole record;
    rest text;
    lowest timestamptz;
    highest timestamptz;
    newest timestamptz;
BEGIN
    PERFORM FROM hoga.candle_writing FOR UPDATE;
    FOR term IN SELECT * FROM hoga.candle_terms() LOOP
        rest := term.kind || '_rest';
        EXECUTE format('LOCK TABLE ONLY hoga.%I IN ACCESS EXCLUSIVE MODE', term.kind);
        EXECUTE format('ALTER TABLE hoga.%I DETACH PARTITION hoga.%I', term.kind, rest);
        SELECT min(parts.from_time) INTO lowest FROM hoga.candle_partitions(term.kind) AS parts;
        IF lowest IS NULL THEN
            -- The exchange began in 2013.
            lowest := coalesce(
                date_trunc(term.unit, clock_timestamp() - term.kept), '2013-01-01 00:00+00'
            );
            PERFORM hoga.make_partition(
                term.kind, term.kind || '_' || to_char(lowest, term.form), lowest,
                lowest + ('1 ' || term.unit)::interval
            );
        END IF;
        FOR hole IN
            SELECT edges.to_time AS from_time, edges.next_time AS to_time
            FROM (
                SELECT parts.to_time,
                    lead(parts.from_time) OVER (ORDER BY parts.from_time) AS next_time
                FROM hoga.candle_partitions(term.kind) AS parts
            ) AS edges
            WHERE edges.to_time < edges.next_time
        LOOP
            PERFORM hoga.make_partition(
                term.kind, term.kind || '_' || to_char(hole.from_time, term.form),
                hole.from_time, hole.to_time
            );
        END LOOP;
        PERFORM hoga.extend_partitions(term.kind, clock_timestamp());
        SELECT max(parts.to_time) INTO highest FROM hoga.candle_partitions(term.kind) AS parts;
        EXECUTE format('SELECT max(open_time) FROM hoga.%I', rest) INTO newest;
        IF newest >= highest THEN
            PERFORM hoga.make_partition(
                term.kind, term.kind || '_' || to_char(highest, term.form), highest,
                date_trunc(term.unit, newest) + ('1 ' || term.unit)::interval
            );
        END IF;
        EXECUTE format(
            'WITH moved AS (DELETE FROM hoga.%I WHERE open_time >= %L RETURNING *)
            INSERT INTO hoga.%I SELECT * FROM moved',
            rest, lowest, term.kind
        );
        EXECUTE format(
            'ALTER TABLE hoga.%I ATTACH PARTITION hoga.%I FOR VALUES FROM (MINVALUE) TO (%L)',
            term.kind, rest, lowest
        );
    END LOOP;
END
$$;

-- When the server wrote the row, by its own clock; rows of before count from this migration on.
ALTER TABLE hoga.journal ADD COLUMN written_at timestamptz NOT NULL DEFAULT now();

-- The number of the newest journal row of the user that the transaction names.
CREATE FUNCTION hoga.journal_head() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT coalesce(max(number), 0) FROM hoga.journal
    WHERE user_id = nullif(current_setting('app.user_id', true), '')::bigint
$$;
REVOKE ALL ON FUNCTION hoga.journal_head() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.journal_head() TO hoga_app;

-- The number up to which rows of that user are not kept any more: those before the newest 10,000,
-- and those before the first row of the last 366 days. The newest row always stays, because it
-- holds the number of changes.
CREATE FUNCTION hoga.journal_limit() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT least(
        head.number - 1,
        greatest(
            head.number - 10000,
            coalesce(
                (
                    SELECT recent.number FROM hoga.journal AS recent
                    WHERE recent.user_id = head.user_id
                        AND recent.written_at >= clock_timestamp() - interval '366 days'
                    ORDER BY recent.number LIMIT 1
                ),
                head.number
            ) - 1
        )
    )
    FROM (
        SELECT hoga.journal_head() AS number,
            nullif(current_setting('app.user_id', true), '')::bigint AS user_id
    ) AS head
$$;
REVOKE ALL ON FUNCTION hoga.journal_limit() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.journal_limit() TO hoga_app;

-- Removes the rows of that user that are not kept any more; returns their number.
CREATE FUNCTION hoga.prune_journal() RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    pruned bigint;
BEGIN
    DELETE FROM hoga.journal
    WHERE user_id = nullif(current_setting('app.user_id', true), '')::bigint
        AND number <= (SELECT hoga.journal_limit());
    GET DIAGNOSTICS pruned = ROW_COUNT;
    RETURN pruned;
END
$$;
REVOKE ALL ON FUNCTION hoga.prune_journal() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.prune_journal() TO hoga_app;

-- The service appends the next row and removes no row that is kept. 0.1.0 deletes old rows itself
-- and needs the privilege while it runs; the policy limits it to the rows that prune_journal
-- removes. The release after this one revokes it.
CREATE POLICY next_row ON hoga.journal AS RESTRICTIVE FOR INSERT
    WITH CHECK (number = (SELECT hoga.journal_head()) + 1);
CREATE POLICY old_rows ON hoga.journal AS RESTRICTIVE FOR DELETE
    USING (number <= (SELECT hoga.journal_limit()));
REVOKE INSERT ON hoga.journal FROM hoga_app;
GRANT INSERT (user_id, number, at, kind, subject) ON hoga.journal TO hoga_app;
