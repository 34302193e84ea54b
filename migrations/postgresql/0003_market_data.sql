-- runs-with: 1
-- What markets did, for charts and lists. Prices and volumes are numbers without bounds. feed keeps
-- the exchange and the simulator apart.

-- Candles lie apart by how long they are kept, and each kind by time, so that old ones are dropped
-- rather than deleted: a day of 1m candles of all markets is 700,000 rows. What has no partition of
-- its own yet lies in the one called rest.
CREATE TABLE hoga.candles (
    -- live or simulated
    feed text COLLATE "C" NOT NULL,
    -- BTC_KRW
    market text COLLATE "C" NOT NULL,
    -- 1m … 24h
    "interval" text COLLATE "C" NOT NULL,
    -- When the bucket opens.
    open_time timestamptz NOT NULL,
    open numeric NOT NULL,
    high numeric NOT NULL,
    low numeric NOT NULL,
    close numeric NOT NULL,
    -- Of the base coin.
    volume numeric NOT NULL,
    -- Of two readings of the same candle the later one stands.
    fetched_at timestamptz NOT NULL,
    PRIMARY KEY (feed, market, "interval", open_time)
) PARTITION BY LIST ("interval");

-- Kept for 30 days, in partitions of a day.
CREATE TABLE hoga.candles_1m PARTITION OF hoga.candles
    FOR VALUES IN ('1m') PARTITION BY RANGE (open_time);
CREATE TABLE hoga.candles_1m_rest PARTITION OF hoga.candles_1m DEFAULT;

-- Kept for 180 days, in partitions of a month.
CREATE TABLE hoga.candles_minutes PARTITION OF hoga.candles
    FOR VALUES IN ('3m', '5m', '10m', '30m') PARTITION BY RANGE (open_time);
CREATE TABLE hoga.candles_minutes_rest PARTITION OF hoga.candles_minutes DEFAULT;

-- Kept for ever, in partitions of a year.
CREATE TABLE hoga.candles_hours PARTITION OF hoga.candles DEFAULT PARTITION BY RANGE (open_time);
CREATE TABLE hoga.candles_hours_rest PARTITION OF hoga.candles_hours DEFAULT;

-- The times that readings told everything about: a bucket inside without a candle had no trade. The
-- spans of a series neither overlap nor touch.
CREATE TABLE hoga.candle_spans (
    feed text COLLATE "C" NOT NULL,
    market text COLLATE "C" NOT NULL,
    "interval" text COLLATE "C" NOT NULL,
    -- When the first bucket opens.
    from_time timestamptz NOT NULL,
    -- When the first bucket opens that is not covered any more.
    to_time timestamptz NOT NULL,
    PRIMARY KEY (feed, market, "interval", from_time),
    CHECK (from_time < to_time)
);

-- The times in which every trade of every market was recorded: spans of the interval 1m of all
-- markets of a feed.
CREATE TABLE hoga.candle_coverage (
    feed text COLLATE "C" NOT NULL,
    from_time timestamptz NOT NULL,
    to_time timestamptz NOT NULL,
    PRIMARY KEY (feed, from_time),
    CHECK (from_time < to_time)
);

-- The times in which longer candles have been made of those of one minute: spans of their series.
CREATE TABLE hoga.candle_rollups (
    feed text COLLATE "C" NOT NULL,
    -- BTC_KRW, or empty: of all markets, because every trade of every market was recorded.
    market text COLLATE "C" NOT NULL,
    -- 3m … 24h
    "interval" text COLLATE "C" NOT NULL,
    from_time timestamptz NOT NULL,
    to_time timestamptz NOT NULL,
    PRIMARY KEY (feed, market, "interval", from_time),
    CHECK (from_time < to_time)
);

-- The hours in which candles of one minute were written after longer ones had been made of them:
-- those have to be made again. No row for long.
CREATE TABLE hoga.candle_late (
    feed text COLLATE "C" NOT NULL,
    market text COLLATE "C" NOT NULL,
    -- When the hour begins.
    hour timestamptz NOT NULL,
    PRIMARY KEY (feed, market, hour)
);

-- The last price of each market: what a list without an exchange shows.
CREATE TABLE hoga.closes (
    feed text COLLATE "C" NOT NULL,
    market text COLLATE "C" NOT NULL,
    price numeric NOT NULL,
    -- Exchange time of the price.
    at timestamptz NOT NULL,
    -- Quote turnover of 24 hours; NULL if not known.
    trade_value_24h numeric,
    -- False if the exchange had suspended the market, or listed it no more.
    is_trading boolean NOT NULL,
    PRIMARY KEY (feed, market)
);

-- When the names and the warnings were read. No row while they never were.
CREATE TABLE hoga.readings (
    feed text COLLATE "C" NOT NULL,
    -- names or marks
    kind text COLLATE "C" NOT NULL,
    read_at timestamptz NOT NULL,
    PRIMARY KEY (feed, kind)
);

-- What the exchange calls its coins: the whole of its newest reading.
CREATE TABLE hoga.coin_names (
    feed text COLLATE "C" NOT NULL,
    -- BTC
    symbol text COLLATE "C" NOT NULL,
    korean text COLLATE "C" NOT NULL,
    -- Empty where the exchange gives none.
    english text COLLATE "C" NOT NULL,
    PRIMARY KEY (feed, symbol)
);

-- The markets with an investment warning: the whole of its newest reading.
CREATE TABLE hoga.market_warnings (
    feed text COLLATE "C" NOT NULL,
    -- BTC_KRW
    market text COLLATE "C" NOT NULL,
    PRIMARY KEY (feed, market)
);

-- What the exchange warns of, in its order: the whole of its newest reading.
CREATE TABLE hoga.market_alerts (
    feed text COLLATE "C" NOT NULL,
    -- From 0.
    position bigint NOT NULL CHECK (position >= 0),
    -- BTC_KRW
    market text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    -- How grave it is; NULL if the exchange does not say.
    step text COLLATE "C",
    -- When it ends; NULL if not known.
    ends_at timestamptz,
    PRIMARY KEY (feed, position)
);

-- Partitions are written through the table above them; old rows of the rest go one by one.
GRANT SELECT, DELETE ON hoga.candles_1m_rest, hoga.candles_minutes_rest TO hoga_app;

-- Market data are nobody's in particular: whoever holds the lease writes them, see the next
-- migration, and everybody reads.
GRANT SELECT, INSERT, UPDATE, DELETE
    ON hoga.candles, hoga.candle_spans, hoga.candle_coverage, hoga.candle_rollups,
        hoga.candle_late, hoga.closes, hoga.readings, hoga.coin_names, hoga.market_warnings,
        hoga.market_alerts
    TO hoga_app;

-- One row, which whoever writes candles locks until the end of the transaction, after the lease. No
-- advisory lock: those are open to all who may connect to the database.
CREATE TABLE hoga.candle_writing (
    id boolean PRIMARY KEY CHECK (id)
);
INSERT INTO hoga.candle_writing (id) VALUES (true);
GRANT SELECT, UPDATE ON hoga.candle_writing TO hoga_app;

-- Many candles at once are staged in a temporary table. Whoever migrates may not be the owner of
-- the database: then its owner has to grant this where the right was taken from everybody.
DO $$
BEGIN
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO hoga_app', current_database());
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;

-- Makes one partition of candles unless it is there, and moves into it what lay in the rest.
CREATE FUNCTION hoga.make_partition(
    kind text, name text, from_time timestamptz, to_time timestamptz
) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF to_regclass(format('hoga.%I', name)) IS NOT NULL THEN
        RETURN false;
    END IF;
    EXECUTE format(
        'CREATE TABLE hoga.%I (LIKE hoga.%I INCLUDING ALL)', name, kind
    );
    -- Before it is looked through for what belongs elsewhere: nobody may add some in between.
    EXECUTE format('LOCK TABLE hoga.%I IN ACCESS EXCLUSIVE MODE', kind || '_rest');
    EXECUTE format(
        'WITH moved AS (
            DELETE FROM hoga.%I WHERE open_time >= %L AND open_time < %L RETURNING *
        ) INSERT INTO hoga.%I SELECT * FROM moved',
        kind || '_rest', from_time, to_time, name
    );
    EXECUTE format(
        'ALTER TABLE hoga.%I ATTACH PARTITION hoga.%I FOR VALUES FROM (%L) TO (%L)',
        kind, name, from_time, to_time
    );
    RETURN true;
END
$$;
REVOKE ALL ON FUNCTION hoga.make_partition(text, text, timestamptz, timestamptz) FROM PUBLIC;

-- Makes the partitions that candles of these days need, as far back as they are kept; tells how
-- many. hoga_app may have them made so, and owns none of them.
CREATE FUNCTION hoga.prepare_partitions(at timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO'
AS $$
DECLARE
    start timestamptz;
    made bigint := 0;
BEGIN
    IF at NOT BETWEEN '2013-01-01 00:00+00' AND clock_timestamp() + interval '400 days' THEN
        RAISE invalid_parameter_value USING MESSAGE = 'there is no market at that time';
    END IF;
    -- One at a time, and no writer of candles meanwhile.
    PERFORM FROM hoga.candle_writing FOR UPDATE;
    FOR start IN SELECT generate_series(
        date_trunc('day', at) - interval '30 days', at + interval '3 days', interval '1 day'
    ) LOOP
        made := made + hoga.make_partition(
            'candles_1m', 'candles_1m_' || to_char(start, 'YYYY_MM_DD'),
            start, start + interval '1 day'
        )::int;
    END LOOP;
    FOR start IN SELECT generate_series(
        date_trunc('month', at - interval '180 days'), at + interval '1 month', interval '1 month'
    ) LOOP
        made := made + hoga.make_partition(
            'candles_minutes', 'candles_minutes_' || to_char(start, 'YYYY_MM'),
            start, start + interval '1 month'
        )::int;
    END LOOP;
    -- The exchange began in 2013.
    FOR start IN SELECT generate_series(
        least(timestamptz '2013-01-01 00:00+00', date_trunc('year', at)),
        at + interval '1 year', interval '1 year'
    ) LOOP
        made := made + hoga.make_partition(
            'candles_hours', 'candles_hours_' || to_char(start, 'YYYY'),
            start, start + interval '1 year'
        )::int;
    END LOOP;
    RETURN made;
END
$$;
REVOKE ALL ON FUNCTION hoga.prepare_partitions(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.prepare_partitions(timestamptz) TO hoga_app;

-- Drops the partitions of one kind, candles_1m, candles_minutes or candles_hours, that lie whole
-- before a moment; tells how many candles were in them.
CREATE FUNCTION hoga.drop_partitions(kind text, before timestamptz) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO'
AS $$
DECLARE
    part record;
    ends timestamptz;
    found_rows bigint;
    dropped bigint := 0;
BEGIN
    IF kind NOT IN ('candles_1m', 'candles_minutes', 'candles_hours') THEN
        RAISE invalid_parameter_value USING MESSAGE = 'there is no such kind of candles';
    END IF;
    PERFORM FROM hoga.candle_writing FOR UPDATE;
    FOR part IN
        SELECT class.relname AS name, pg_get_expr(class.relpartbound, class.oid) AS bound
        FROM pg_inherits AS link JOIN pg_class AS class ON class.oid = link.inhrelid
        WHERE link.inhparent = to_regclass(format('hoga.%I', kind))
        ORDER BY class.relname
    LOOP
        -- The rest has no bound.
        ends := substring(part.bound FROM 'TO \(''([^'']*)''\)')::timestamptz;
        CONTINUE WHEN ends IS NULL OR ends > before;
        EXECUTE format('SELECT count(*) FROM hoga.%I', part.name) INTO found_rows;
        EXECUTE format('DROP TABLE hoga.%I', part.name);
        dropped := dropped + found_rows;
    END LOOP;
    RETURN dropped;
END
$$;
REVOKE ALL ON FUNCTION hoga.drop_partitions(text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.drop_partitions(text, timestamptz) TO hoga_app;
