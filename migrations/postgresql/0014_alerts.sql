-- runs-with: 5
-- The alert rules of users, and the alerts that they fired. The holder of a feed's lease evaluates
-- the rules of all users. Instances of older versions keep working beside it: they neither see nor
-- change any of this.

ALTER TABLE hoga.users
    -- How often the rules and the log have changed.
    ADD COLUMN alerts_revision bigint NOT NULL DEFAULT 0 CHECK (alerts_revision >= 0),
    -- The number of the newest alert that the user has seen; 0 before the first.
    ADD COLUMN alerts_seen bigint NOT NULL DEFAULT 0 CHECK (alerts_seen >= 0),
    -- The number of the newest alert ever logged, so that no number is given twice.
    ADD COLUMN alerts_logged bigint NOT NULL DEFAULT 0 CHECK (alerts_logged >= 0);

-- The rules of a user.
CREATE TABLE hoga.alert_rules (
    user_id bigint NOT NULL REFERENCES hoga.users (id) ON DELETE CASCADE,
    -- The revision of the change that added it; never given twice.
    number bigint NOT NULL CHECK (number > 0),
    -- BTC_KRW > 150000000 again 10m. A note has at most 400 bytes, of which each may be escaped.
    text text COLLATE "C" NOT NULL CHECK (octet_length(text) BETWEEN 1 AND 2000),
    -- live, simulated or replay
    feed text COLLATE "C" NOT NULL CHECK (octet_length(feed) BETWEEN 1 AND 40),
    -- The market whose order book the rule needs, favorites for those of the user's favorites; NULL
    -- if it needs none.
    books text COLLATE "C" CHECK (octet_length(books) BETWEEN 1 AND 100),
    -- Exchange time of the creation or of the last change: only later values fire.
    created_at timestamptz NOT NULL,
    -- Exchange time of the newest alert since then; NULL without one.
    fired_at timestamptz,
    PRIMARY KEY (user_id, number)
);

CREATE INDEX alert_rules_by_book ON hoga.alert_rules (feed, books) WHERE books IS NOT NULL;

-- The last firing of each rule. A changed rule begins without any.
CREATE TABLE hoga.alert_states (
    user_id bigint NOT NULL,
    rule bigint NOT NULL,
    -- BTC_KRW; empty for the portfolio.
    market text COLLATE "C" NOT NULL CHECK (octet_length(market) <= 100),
    -- Exchange time of the firing. The next one of this rule and market is later.
    fired_at timestamptz NOT NULL,
    -- What evaluation goes on with, in the words of the program.
    state text COLLATE "C" NOT NULL CHECK (octet_length(state) <= 400),
    PRIMARY KEY (user_id, rule, market),
    FOREIGN KEY (user_id, rule) REFERENCES hoga.alert_rules (user_id, number) ON DELETE CASCADE
);

-- The newest 1,000 alerts of each user. They outlive their rules.
CREATE TABLE hoga.alert_log (
    user_id bigint NOT NULL REFERENCES hoga.users (id) ON DELETE CASCADE,
    -- Counts the alerts of a user, from 1.
    number bigint NOT NULL CHECK (number > 0),
    rule bigint NOT NULL,
    -- BTC_KRW; empty for the portfolio.
    market text COLLATE "C" NOT NULL CHECK (octet_length(market) <= 100),
    -- Exchange time.
    at timestamptz NOT NULL,
    -- What fired: a price, a rate or, of a state, 0 or 1.
    value numeric NOT NULL,
    is_rise boolean NOT NULL,
    -- away, interrupted or repaired; NULL if the alert was not late.
    lateness text COLLATE "C" CHECK (octet_length(lateness) BETWEEN 1 AND 40),
    -- Text and feed of the rule when it fired.
    rule_text text COLLATE "C" NOT NULL,
    feed text COLLATE "C" NOT NULL,
    -- When it was logged, by the clock of the instance.
    stored_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, number),
    -- The identity of an alert: whatever dies when, it is logged once.
    UNIQUE (user_id, rule, market, at, is_rise)
);

-- The last values of the rules' signals, of each feed, for the next holder of its lease.
CREATE TABLE hoga.alert_values (
    feed text COLLATE "C" PRIMARY KEY CHECK (octet_length(feed) BETWEEN 1 AND 40),
    saved_at timestamptz NOT NULL,
    -- In the words of the program.
    lines text[] COLLATE "C" NOT NULL
);

GRANT UPDATE (alerts_revision, alerts_seen) ON hoga.users TO hoga_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON hoga.alert_rules TO hoga_app;
-- A changed rule loses its states.
GRANT SELECT, DELETE ON hoga.alert_states TO hoga_app;
GRANT SELECT ON hoga.alert_log TO hoga_app;

ALTER TABLE hoga.alert_rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.alert_rules
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));
ALTER TABLE hoga.alert_states ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.alert_states
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));
ALTER TABLE hoga.alert_log ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.alert_log
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));
-- Without a policy and without rights: values of portfolios are among them.
ALTER TABLE hoga.alert_values ENABLE ROW LEVEL SECURITY;

-- The alerts of a user, as rows of the form of hoga.read_record, with times in microseconds. Part 5
-- has the revision and what the user has seen, 6 a rule, 7 one of the newest log_rows alerts.
CREATE FUNCTION hoga.read_alerts(of_user bigint, log_rows bigint)
RETURNS TABLE (
    part bigint, number_1 bigint, number_2 bigint, number_3 bigint, number_4 bigint,
    number_5 bigint, flag boolean, text_1 text, text_2 text, text_3 text, text_4 text, text_5 text,
    text_6 text, text_7 text, text_8 text, text_9 text, text_10 text, text_11 text, text_12 text
)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
BEGIN
    RETURN QUERY
        SELECT 5::bigint, alerts_revision, alerts_seen, NULL::bigint, NULL::bigint, NULL::bigint,
            false, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
            NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text
        FROM hoga.users WHERE id = of_user
        UNION ALL
        SELECT 6, rules.number, (extract(epoch FROM rules.created_at) * 1000000)::bigint,
            (extract(epoch FROM rules.fired_at) * 1000000)::bigint, NULL, NULL, false, rules.text,
            rules.feed, rules.books, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM hoga.alert_rules AS rules WHERE rules.user_id = of_user
        UNION ALL
        SELECT 7, newest.number, newest.rule, (extract(epoch FROM newest.at) * 1000000)::bigint,
            (extract(epoch FROM newest.stored_at) * 1000000)::bigint, NULL, newest.is_rise,
            nullif(newest.market, ''), trim_scale(newest.value)::text, newest.lateness,
            newest.rule_text, newest.feed, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM (
            SELECT * FROM hoga.alert_log AS logged WHERE logged.user_id = of_user
            ORDER BY logged.number DESC LIMIT log_rows
        ) AS newest;
END
$$;
REVOKE ALL ON FUNCTION hoga.read_alerts(bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.read_alerts(bigint, bigint) TO hoga_app;

-- Ends a change as the function of migration 0012 does, which older instances go on to call, and
-- adds to the revision of the alerts.
CREATE FUNCTION hoga.record_change(
    of_user bigint, changed_at timestamptz, change_kind text, change_subject text,
    INOUT profile bigint, INOUT favorites bigint, INOUT settings bigint, INOUT holdings bigint,
    INOUT cash bigint, INOUT alerts bigint
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
        cash_revision = cash_revision + cash,
        alerts_revision = alerts_revision + alerts
    WHERE id = of_user
    RETURNING profile_revision, favorites_revision, settings_revision, holdings_revision,
        cash_revision, alerts_revision
    INTO profile, favorites, settings, holdings, cash, alerts;
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
    bigint, timestamptz, text, text, bigint, bigint, bigint, bigint, bigint, bigint
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.record_change(
    bigint, timestamptz, text, text, bigint, bigint, bigint, bigint, bigint, bigint
) TO hoga_app;

-- What evaluates the rules of all users. These functions run with the owner's rights, because the
-- policies show the service's role one user at a time.

-- The next users with rules of a feed who are not disabled, in order of their numbers: those after
-- a number, and only the given ones unless of_users is NULL. The rows are those of
-- hoga.read_record and hoga.read_alerts without the log; part 8 has the state of a rule.
CREATE FUNCTION hoga.alert_owners(
    of_feed text, of_users bigint[], after bigint, users_max bigint
) RETURNS TABLE (
    owner bigint,
    part bigint, number_1 bigint, number_2 bigint, number_3 bigint, number_4 bigint,
    number_5 bigint, flag boolean, text_1 text, text_2 text, text_3 text, text_4 text, text_5 text,
    text_6 text, text_7 text, text_8 text, text_9 text, text_10 text, text_11 text, text_12 text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
DECLARE
    chosen bigint[];
BEGIN
    IF of_users IS NULL THEN
        chosen := ARRAY(
            SELECT users.id FROM hoga.users AS users
            WHERE users.id > after AND users.disabled_at IS NULL
                AND EXISTS (
                    SELECT FROM hoga.alert_rules AS rules
                    WHERE rules.user_id = users.id AND rules.feed = of_feed
                )
            ORDER BY users.id LIMIT users_max
        );
    ELSE
        chosen := ARRAY(
            SELECT users.id FROM hoga.users AS users
            WHERE users.id = ANY (of_users) AND users.id > after AND users.disabled_at IS NULL
                AND EXISTS (
                    SELECT FROM hoga.alert_rules AS rules
                    WHERE rules.user_id = users.id AND rules.feed = of_feed
                )
            ORDER BY users.id LIMIT users_max
        );
    END IF;
    RETURN QUERY
        SELECT given.id, found.*
        FROM unnest(chosen) AS given (id), LATERAL hoga.read_record(given.id) AS found
        UNION ALL
        SELECT given.id, found.*
        FROM unnest(chosen) AS given (id), LATERAL hoga.read_alerts(given.id, 0) AS found
        UNION ALL
        SELECT states.user_id, 8, states.rule, NULL, NULL, NULL, NULL, false,
            nullif(states.market, ''), states.state,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM hoga.alert_states AS states WHERE states.user_id = ANY (chosen);
END
$$;
REVOKE ALL ON FUNCTION hoga.alert_owners(text, bigint[], bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.alert_owners(text, bigint[], bigint, bigint) TO hoga_app;

-- The markets whose order books the rules of users who are not disabled need.
CREATE FUNCTION hoga.alert_books(of_feed text) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
BEGIN
    RETURN QUERY
        SELECT rules.books FROM hoga.alert_rules AS rules
        JOIN hoga.users AS users ON users.id = rules.user_id
        WHERE rules.feed = of_feed AND rules.books <> 'favorites' AND users.disabled_at IS NULL
        UNION
        SELECT favorites.market FROM hoga.alert_rules AS rules
        JOIN hoga.users AS users ON users.id = rules.user_id
        JOIN hoga.favorites AS favorites ON favorites.user_id = rules.user_id
        WHERE rules.feed = of_feed AND rules.books = 'favorites' AND users.disabled_at IS NULL
        ORDER BY 1;
END
$$;
REVOKE ALL ON FUNCTION hoga.alert_books(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.alert_books(text) TO hoga_app;

-- The users with rules or alerts who were changed since a mark of hoga.news, removed and disabled
-- ones among them; the first row has the next mark and no user. All of them after a mark of another
-- server, and none without a mark.
CREATE FUNCTION hoga.alert_changes(after text)
RETURNS TABLE (mark text, changed bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
DECLARE
    news record;
BEGIN
    FOR news IN SELECT * FROM hoga.news(after) LOOP
        IF news.mark IS NOT NULL THEN
            mark := news.mark;
            RETURN NEXT;
            mark := NULL;
            IF news.is_reset AND after IS NOT NULL THEN
                RETURN QUERY
                    SELECT NULL::text, users.id FROM hoga.users AS users
                    WHERE users.alerts_revision > 0;
            END IF;
        ELSIF NOT EXISTS (
            SELECT FROM hoga.users AS users
            WHERE users.id = news.changed AND users.alerts_revision = 0
        ) THEN
            changed := news.changed;
            RETURN NEXT;
        END IF;
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION hoga.alert_changes(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.alert_changes(text) TO hoga_app;

-- Logs alerts, in their order, as the holder of the lease of their feed. Skips those that were
-- logged before and those of rules that were changed or removed since. Returns the users whose
-- alerts were logged and how many.
--
-- The users are locked in order of their numbers before anything is read: a change of a record
-- locks its user first, too. Everything is found by key, whatever the statistics say.
CREATE FUNCTION hoga.store_alerts(
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
REVOKE ALL ON FUNCTION hoga.store_alerts(
    text, text, bigint, text, timestamptz, bigint[], bigint[], text[], timestamptz[], numeric[],
    bigint[], text[], timestamptz[], text[]
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.store_alerts(
    text, text, bigint, text, timestamptz, bigint[], bigint[], text[], timestamptz[], numeric[],
    bigint[], text[], timestamptz[], text[]
) TO hoga_app;

-- The lines of hoga.alert_values of a feed, in their order.
CREATE FUNCTION hoga.read_alert_values(of_feed text) RETURNS SETOF text
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
BEGIN
    RETURN QUERY
        SELECT given.line FROM hoga.alert_values AS saved,
            unnest(saved.lines) WITH ORDINALITY AS given (line, place)
        WHERE saved.feed = of_feed ORDER BY given.place;
END
$$;
REVOKE ALL ON FUNCTION hoga.read_alert_values(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.read_alert_values(text) TO hoga_app;

-- Replaces them, as the holder of the lease of the feed.
CREATE FUNCTION hoga.save_alert_values(
    lease_name text, lease_holder text, lease_epoch bigint, of_feed text, new_lines text[]
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF lease_name <> 'candles-' || of_feed THEN
        RAISE SQLSTATE 'HG001' USING MESSAGE = 'the lease belongs to another feed';
    END IF;
    PERFORM hoga.hold_lease(lease_name, lease_holder, lease_epoch);
    INSERT INTO hoga.alert_values AS saved (feed, saved_at, lines)
    VALUES (of_feed, clock_timestamp(), new_lines)
    ON CONFLICT (feed) DO UPDATE SET saved_at = excluded.saved_at, lines = excluded.lines
    WHERE saved.lines <> excluded.lines;
END
$$;
REVOKE ALL ON FUNCTION hoga.save_alert_values(text, text, bigint, text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.save_alert_values(text, text, bigint, text, text[]) TO hoga_app;
