-- runs-with: 5
-- A changed rule may fire at the same exchange time as before its change: a recording is played
-- again, or trades are read again. The log refused such an alert, and all alerts after it waited.

-- Logs alerts, in their order, as the holder of the lease of their feed. Skips those that were
-- logged before and those of rules that were changed or removed since. An alert that a rule fired
-- before it was changed takes the number and the words of the new one. Returns the users whose
-- alerts were logged and how many.
--
-- The users are locked in order of their numbers before anything is read: a change of a record
-- locks its user first, too. Everything is found by key, whatever the statistics say.
CREATE OR REPLACE FUNCTION hoga.store_alerts(
    lease_name text, lease_holder text, lease_epoch bigint, of_feed text, logged_at timestamptz,
    owners bigint[], rules bigint[], markets text[], times timestamptz[], amounts numeric[],
    rises bigint[], latenesses text[], creations timestamptz[], states text[]
) RETURNS TABLE (owner bigint, logged bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
DECLARE
    changed bigint[];
    counts bigint[];
    grown bigint[];
BEGIN
    IF lease_name <> 'candles-' || of_feed THEN
        RAISE SQLSTATE 'HG001' USING MESSAGE = 'the lease belongs to another feed';
    END IF;
    PERFORM hoga.hold_lease(lease_name, lease_holder, lease_epoch);
    PERFORM FROM hoga.users AS users WHERE users.id = ANY (owners)
    ORDER BY users.id FOR NO KEY UPDATE;
    WITH new AS MATERIALIZED (
        SELECT DISTINCT ON (given.user_id, given.rule, given.market, given.at)
            given.*, rule.text AS rule_text
        FROM unnest(
            owners, rules, markets, times, amounts, rises, latenesses, creations, states
        ) WITH ORDINALITY AS given (
            user_id, rule, market, at, amount, rise, lateness, created_at, state, place
        )
        JOIN hoga.alert_rules AS rule
            ON rule.user_id = given.user_id AND rule.number = given.rule
            AND rule.created_at = given.created_at AND rule.feed = of_feed
        JOIN hoga.users AS users ON users.id = given.user_id AND users.disabled_at IS NULL
        WHERE NOT EXISTS (
            SELECT FROM hoga.alert_states AS known
            WHERE known.user_id = given.user_id AND known.rule = given.rule
                AND known.market = given.market AND known.fired_at >= given.at
        )
        ORDER BY given.user_id, given.rule, given.market, given.at, given.place
    ), numbered AS MATERIALIZED (
        -- The heads are looked up for each alert: joining these rows would take quadratic time.
        SELECT new.*, row_number() OVER (PARTITION BY new.user_id ORDER BY new.place) AS nth,
            users.alerts_logged, coalesce(newest.number, 0) AS journaled
        FROM new
        JOIN hoga.users AS users ON users.id = new.user_id
        LEFT JOIN LATERAL (
            SELECT entry.number FROM hoga.journal AS entry WHERE entry.user_id = new.user_id
            ORDER BY entry.number DESC LIMIT 1
        ) AS newest ON true
    ), sums AS MATERIALIZED (
        SELECT numbered.user_id, numbered.journaled, count(*) AS total FROM numbered
        GROUP BY numbered.user_id, numbered.journaled
    ), written AS (
        INSERT INTO hoga.alert_log (
            user_id, number, rule, market, at, value, is_rise, lateness, rule_text, feed, stored_at
        )
        SELECT numbered.user_id, numbered.alerts_logged + numbered.nth, numbered.rule,
            numbered.market, numbered.at, numbered.amount, numbered.rise <> 0, numbered.lateness,
            numbered.rule_text, of_feed, logged_at
        FROM numbered
        ON CONFLICT (user_id, rule, market, at, is_rise) DO UPDATE SET
            number = excluded.number, value = excluded.value, lateness = excluded.lateness,
            rule_text = excluded.rule_text, feed = excluded.feed, stored_at = excluded.stored_at
    ), noted AS (
        INSERT INTO hoga.journal (user_id, number, at, kind, subject)
        SELECT numbered.user_id, numbered.journaled + numbered.nth, logged_at, 'alert.fire',
            numbered.rule::text
        FROM numbered
    ), kept AS (
        INSERT INTO hoga.alert_states (user_id, rule, market, fired_at, state)
        SELECT DISTINCT ON (numbered.user_id, numbered.rule, numbered.market)
            numbered.user_id, numbered.rule, numbered.market, numbered.at, numbered.state
        FROM numbered
        ORDER BY numbered.user_id, numbered.rule, numbered.market, numbered.at DESC
        ON CONFLICT (user_id, rule, market) DO UPDATE SET
            fired_at = excluded.fired_at, state = excluded.state
    ), fired AS (
        UPDATE hoga.alert_rules AS rule
        SET fired_at = greatest(rule.fired_at, newest.at)
        FROM (
            SELECT numbered.user_id, numbered.rule, max(numbered.at) AS at FROM numbered
            GROUP BY numbered.user_id, numbered.rule
        ) AS newest
        WHERE rule.user_id = newest.user_id AND rule.number = newest.rule
    ), counted AS (
        UPDATE hoga.users AS users
        SET alerts_revision = users.alerts_revision + 1,
            alerts_logged = users.alerts_logged + sums.total
        FROM sums WHERE users.id = sums.user_id
    )
    SELECT array_agg(sums.user_id), array_agg(sums.total),
        array_agg(sums.user_id) FILTER (
            WHERE (sums.journaled + sums.total) / 16 > sums.journaled / 16
        )
    INTO changed, counts, grown FROM sums;
    DELETE FROM hoga.alert_log AS old
    USING unnest(changed) AS given (id), hoga.users AS users
    WHERE users.id = given.id AND old.user_id = given.id
        AND old.number <= users.alerts_logged - 1000;
    -- As often as changes of users do.
    DELETE FROM hoga.journal AS old
    USING (
        SELECT given.id, hoga.journal_limit_of(given.id) AS number FROM unnest(grown) AS given (id)
    ) AS edge
    WHERE old.user_id = edge.id AND old.number <= edge.number;
    RETURN QUERY SELECT * FROM unnest(changed, counts);
END
$$;
