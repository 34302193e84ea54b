-- settle
SELECT set_config('app.user_id', '', true),
    set_config('statement_timeout', $1, true),
    set_config('lock_timeout', $2, true),
    set_config('idle_in_transaction_session_timeout', $3, true),
    set_config('jit', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true);

-- read_access_mode
SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on';

-- read_wal_position
SELECT system_identifier,
    pg_wal_lsn_diff(
        CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
            ELSE pg_current_wal_flush_lsn() END,
        '0/0'
    )::bigint
FROM pg_control_system();

-- settle_user
SELECT set_config('app.user_id', $1, true),
    set_config('statement_timeout', $2, true),
    set_config('lock_timeout', $3, true),
    set_config('idle_in_transaction_session_timeout', $4, true),
    row_security_active('hoga.users') AND row_security_active('hoga.journal'),
    set_config('jit', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true),
    set_config('enable_seqscan', 'off', true);

-- read_personal
SELECT * FROM hoga.read_record($1) UNION ALL SELECT * FROM hoga.read_alerts($1, $2);

-- read_change_count
SELECT profile_revision + favorites_revision + settings_revision
    + holdings_revision + cash_revision + alerts_revision
FROM hoga.users WHERE id = $1;

-- read_journal
SELECT number, at, kind, subject FROM hoga.journal WHERE user_id = $1
ORDER BY number DESC LIMIT $2;

-- lock_user
SELECT 1 FROM hoga.users WHERE id = $1 FOR NO KEY UPDATE;

-- rewrite_user
UPDATE hoga.users SET cash_revision = cash_revision WHERE id = $1;

-- remove_favorites
DELETE FROM hoga.favorites WHERE user_id = $1;

-- append_favorites
INSERT INTO hoga.favorites (user_id, market, position)
SELECT $1::bigint, given.market, given.place + (
    SELECT coalesce(max(old.position), -1) FROM hoga.favorites AS old
    WHERE old.user_id = $1
)
FROM unnest($2::text[]) WITH ORDINALITY AS given (market, place);

-- remove_favorite
DELETE FROM hoga.favorites WHERE user_id = $1 AND market = $2;

-- put_settings
INSERT INTO hoga.settings (
    user_id, sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
    chart_style, averages, depth, theme, colors, lang, market_layout
) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
ON CONFLICT (user_id) DO UPDATE SET
    sort = excluded.sort, sort_direction = excluded.sort_direction,
    quote = excluded.quote, tab = excluded.tab,
    pin_favorites = excluded.pin_favorites, change_period = excluded.change_period,
    "interval" = excluded."interval", chart_style = excluded.chart_style,
    averages = excluded.averages, depth = excluded.depth, theme = excluded.theme,
    colors = excluded.colors, lang = excluded.lang,
    market_layout = excluded.market_layout;

-- put_holding
INSERT INTO hoga.holdings (user_id, asset, quantity, average_price)
VALUES ($1, $2, $3::text::numeric, $4::text::numeric)
ON CONFLICT (user_id, asset) DO UPDATE
SET quantity = excluded.quantity, average_price = excluded.average_price;

-- remove_holding
DELETE FROM hoga.holdings WHERE user_id = $1 AND asset = $2;

-- put_cash
INSERT INTO hoga.cash (user_id, amount) VALUES ($1, $2::text::numeric)
ON CONFLICT (user_id) DO UPDATE SET amount = excluded.amount;

-- remove_cash
DELETE FROM hoga.cash WHERE user_id = $1;

-- put_display_name
UPDATE hoga.users SET display_name = $2 WHERE id = $1;

-- put_alert_rule
WITH cleared AS (
    DELETE FROM hoga.alert_states AS old WHERE old.user_id = $1 AND old.rule = $2
)
INSERT INTO hoga.alert_rules (
    user_id, number, text, feed, books, created_at, fired_at
) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (user_id, number) DO UPDATE SET
    text = excluded.text, feed = excluded.feed, books = excluded.books,
    created_at = excluded.created_at, fired_at = excluded.fired_at;

-- remove_alert_rule
DELETE FROM hoga.alert_rules WHERE user_id = $1 AND number = $2;

-- put_alerts_seen
UPDATE hoga.users SET alerts_seen = $2 WHERE id = $1;

-- record_change
SELECT * FROM hoga.record_change($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- find_token
SELECT token_id, owner_id, owner, granted, until FROM hoga.find_token($1);

-- find_tokens
SELECT asked.place, found.token_id, found.owner_id, found.owner, found.granted,
    found.until
FROM unnest($1::text[]) WITH ORDINALITY AS asked (sha256, place),
    LATERAL hoga.find_token(decode(asked.sha256, 'hex')) AS found;

-- read_own_tokens
SELECT token_id, granted, made, ends, NULL::timestamptz, used, named, is_asking
FROM hoga.own_tokens($1);

-- add_own_token
SELECT outcome, token_id, made, ends
FROM hoga.add_own_token($1, $2, $3, $4, $5, $6, $7);

-- revoke_own_token
SELECT hoga.revoke_own_token($1, $2);

-- read_news
SELECT mark, is_reset, changed, is_access, age FROM hoga.aged_news($1::text);

-- tell_changes
SELECT pg_notify('hoga_personal', changed) FROM unnest($1::text[]) AS given (changed);

-- notify
SELECT pg_notify($1, $2);

-- take_lease
WITH made AS (
    INSERT INTO hoga.instance_lease (name, holder, epoch, expires_at)
    SELECT $1, $2, 1, clock_timestamp() + $3 * interval '1 microsecond'
    WHERE NOT EXISTS (SELECT FROM hoga.instance_lease AS held WHERE held.name = $1)
    ON CONFLICT DO NOTHING
    RETURNING epoch
), taken AS (
    UPDATE hoga.instance_lease AS held SET
        holder = $2, epoch = held.epoch + 1,
        expires_at = clock_timestamp() + $3 * interval '1 microsecond'
    WHERE held.name = $1
        AND (
            held.expires_at <= clock_timestamp() OR held.holder = $2
            OR held.expires_at
                > clock_timestamp() + 10 * $3 * interval '1 microsecond'
        )
    RETURNING epoch
)
SELECT epoch FROM made UNION ALL SELECT epoch FROM taken;

-- renew_lease
UPDATE hoga.instance_lease
SET expires_at = clock_timestamp() + $4 * interval '1 microsecond'
WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > clock_timestamp();

-- release_lease
UPDATE hoga.instance_lease SET expires_at = clock_timestamp()
WHERE name = $1 AND holder = $2 AND epoch = $3 AND expires_at > clock_timestamp();

-- hold_lease
SELECT hoga.hold_lease($1, $2, $3)::text;

-- read_leases
SELECT name, holder, epoch, expires_at, expires_at > clock_timestamp()
FROM hoga.instance_lease ORDER BY name;

-- lock_candles
SELECT id FROM hoga.candle_writing FOR UPDATE;

-- write_candles
SELECT hoga.write_candles(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
);

-- join_spans
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
) AS joined;

-- join_coverage
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
) AS joined;

-- read_candles
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
WHERE feed = $1 AND market IN ('', $2) AND "interval" = $3;

-- read_coverage
SELECT from_time, to_time FROM hoga.candle_coverage WHERE feed = $1 ORDER BY 1;

-- read_minute_spans
SELECT market, from_time, to_time FROM hoga.candle_spans
WHERE feed = $1 AND "interval" = '1m' ORDER BY market, from_time;

-- read_rolled
SELECT market, "interval", from_time, to_time FROM hoga.candle_rollups
WHERE feed = $1 ORDER BY market, "interval", from_time;

-- read_late
SELECT market, hour FROM hoga.candle_late
WHERE feed = $1 ORDER BY hour, market LIMIT $2;

-- remove_late
DELETE FROM hoga.candle_late AS late
USING unnest($2::text[], $3::timestamptz[]) AS done (market, hour)
WHERE late.feed = $1 AND late.market = done.market AND late.hour = done.hour;

-- plan_by_key
SELECT set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true);

-- read_markets
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
) AS first;

-- roll_up
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
);

-- join_rolled
WITH touched AS (
    DELETE FROM hoga.candle_rollups AS old
    WHERE old.feed = $1 AND old.market = $2 AND old."interval" = $3
        AND old.from_time <= $5 AND old.to_time >= $4
    RETURNING old.from_time, old.to_time
)
INSERT INTO hoga.candle_rollups (feed, market, "interval", from_time, to_time)
SELECT $1, $2, $3, least($4, min(from_time)), greatest($5, max(to_time)) FROM touched;

-- prepare_partitions
SELECT hoga.prepare_partitions($1, $2, $3, $4);

-- drop_partition
SELECT hoga.drop_partition($1, $2, $3, $4, $5);

-- remove_rest_of_1m
DELETE FROM hoga.candles_1m_rest WHERE open_time < $1;

-- remove_rest_of_minutes
DELETE FROM hoga.candles_minutes_rest WHERE open_time < $1;

-- remove_candles
DELETE FROM hoga.candles WHERE "interval" = ANY ($1) AND open_time < $2;

-- remove_spans
DELETE FROM hoga.candle_spans WHERE "interval" = ANY ($1) AND to_time <= $2;

-- cut_spans
UPDATE hoga.candle_spans SET from_time = $2
WHERE "interval" = ANY ($1) AND from_time < $2;

-- remove_rolled
DELETE FROM hoga.candle_rollups WHERE "interval" = ANY ($1) AND to_time <= $2;

-- cut_rolled
UPDATE hoga.candle_rollups SET from_time = $2
WHERE "interval" = ANY ($1) AND from_time < $2;

-- remove_coverage
DELETE FROM hoga.candle_coverage WHERE to_time <= $1;

-- cut_coverage
UPDATE hoga.candle_coverage SET from_time = $1 WHERE from_time < $1;

-- prune_journals
SELECT last_user, pruned FROM hoga.prune_journals($1, $2, $3, $4, $5);

-- keep_closes
INSERT INTO hoga.closes AS kept (
    feed, market, price, at, trade_value_24h, is_trading
)
SELECT $1, given.market, given.price::numeric, given.at, given.value::numeric,
    given.trading <> 0
FROM unnest(
    $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::bigint[]
) AS given (market, price, at, value, trading)
ON CONFLICT (feed, market) DO UPDATE SET
    price = excluded.price, at = excluded.at,
    trade_value_24h = excluded.trade_value_24h, is_trading = excluded.is_trading
WHERE excluded.at >= kept.at;

-- read_closes
SELECT market, trim_scale(price)::text, at, trim_scale(trade_value_24h)::text,
    is_trading
FROM hoga.closes WHERE feed = $1;

-- remove_names
DELETE FROM hoga.coin_names WHERE feed = $1;

-- insert_names
INSERT INTO hoga.coin_names (feed, symbol, korean, english)
SELECT $1, given.symbol, given.korean, given.english
FROM unnest($2::text[], $3::text[], $4::text[]) AS given (symbol, korean, english);

-- read_names
SELECT read_at, NULL::text, NULL::text, NULL::text FROM hoga.readings
WHERE feed = $1 AND kind = 'names'
UNION ALL
SELECT NULL, symbol, korean, english FROM hoga.coin_names WHERE feed = $1;

-- remove_warnings
DELETE FROM hoga.market_warnings WHERE feed = $1;

-- insert_warnings
INSERT INTO hoga.market_warnings (feed, market)
SELECT $1, given.market FROM unnest($2::text[]) AS given (market);

-- remove_alerts
DELETE FROM hoga.market_alerts WHERE feed = $1;

-- insert_alerts
INSERT INTO hoga.market_alerts (feed, position, market, type, step, ends_at)
SELECT $1, given.place - 1, given.market, given.type, given.step, given.ends_at
FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[])
    WITH ORDINALITY AS given (market, type, step, ends_at, place);

-- read_marks
SELECT 0::bigint, NULL::bigint, NULL::text, NULL::text, NULL::text, read_at
FROM hoga.readings WHERE feed = $1 AND kind = 'marks'
UNION ALL
SELECT 1, NULL, market, NULL, NULL, NULL
FROM hoga.market_warnings WHERE feed = $1
UNION ALL
SELECT 2, position, market, type, step, ends_at
FROM hoga.market_alerts WHERE feed = $1;

-- note_reading
INSERT INTO hoga.readings (feed, kind, read_at) VALUES ($1, $2, $3)
ON CONFLICT (feed, kind) DO UPDATE SET read_at = excluded.read_at;

-- read_alert_log
SELECT number, rule, nullif(market, ''), at, trim_scale(value)::text, is_rise, lateness,
    rule_text, feed, stored_at
FROM hoga.alert_log
WHERE user_id = $1 AND number < coalesce($2::bigint, 9223372036854775807)
ORDER BY number DESC LIMIT $3;

-- read_alert_owners
SELECT * FROM hoga.alert_owners($1, $2::bigint[], $3, $4);

-- read_alert_books
SELECT * FROM hoga.alert_books($1);

-- read_alert_changes
SELECT mark, changed FROM hoga.alert_changes($1::text);

-- store_alerts
SELECT owner, logged FROM hoga.store_alerts(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
);

-- read_alert_values
SELECT * FROM hoga.read_alert_values($1);

-- save_alert_values
SELECT hoga.save_alert_values($1, $2, $3, $4, $5)::text;

-- read_webhook
SELECT hooks.url, hooks.created_at, hooks.last_success_at, hooks.failed_at,
    hooks.failure, hooks.dropped,
    (
        SELECT count(*) FROM hoga.alert_log AS logged
        LEFT JOIN hoga.webhook_progress AS progress
            ON progress.user_id = logged.user_id AND progress.feed = logged.feed
        WHERE logged.user_id = $1
            AND logged.number > coalesce(progress.tried_through, hooks.since)
    ) + (
        SELECT count(*) FROM hoga.webhook_failures AS failed
        WHERE failed.user_id = $1 AND failed.retry_at IS NOT NULL
    )
FROM hoga.webhooks AS hooks WHERE hooks.user_id = $1;

-- read_dead_letters
SELECT number, attempts, failed_at, failure FROM hoga.webhook_failures
WHERE user_id = $1 AND retry_at IS NULL ORDER BY number DESC LIMIT $2;

-- put_webhook
WITH progress AS (
    UPDATE hoga.webhook_progress SET failures = NULL, backoff_until = NULL
    WHERE user_id = $1
), failed AS (
    UPDATE hoga.webhook_failures SET retry_at = $4
    WHERE user_id = $1 AND retry_at IS NOT NULL
)
INSERT INTO hoga.webhooks AS hooks (user_id, url, secret, created_at, since)
SELECT $1, $2, $3, $4, users.alerts_logged FROM hoga.users AS users
WHERE users.id = $1
ON CONFLICT (user_id) DO UPDATE SET
    url = excluded.url, secret = excluded.secret, created_at = excluded.created_at,
    last_success_at = NULL, failed_at = NULL, failure = NULL;

-- remove_webhook
DELETE FROM hoga.webhooks WHERE user_id = $1 RETURNING user_id;

-- lock_webhook
SELECT 1 FROM hoga.webhooks WHERE user_id = $1 FOR UPDATE;

-- read_webhook_deliveries
SELECT owner, number, rule, market, at, value, is_rise, lateness, rule_text, $1::text,
    stored_at, url, created_at, secret, attempts, failures, not_before
FROM hoga.webhook_deliveries($1, $2, $3::bigint[], $4, $5);

-- record_webhook_attempts
SELECT hoga.record_webhook_attempts(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
)::text;
