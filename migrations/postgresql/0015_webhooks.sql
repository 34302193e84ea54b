-- runs-with: 5
-- Webhooks: alerts of the log as HTTP requests to an address of the user's. The holder of a feed's
-- lease delivers the alerts of that feed. Instances of older versions keep working beside it; while
-- one of them leads, alerts wait.

CREATE TABLE hoga.webhooks (
    user_id bigint PRIMARY KEY REFERENCES hoga.users (id) ON DELETE CASCADE,
    -- https://…; the part after the host may be a secret of the receiver.
    url text COLLATE "C" NOT NULL CHECK (octet_length(url) BETWEEN 1 AND 2000),
    -- Encrypted with a key that the database does not have.
    secret bytea NOT NULL CHECK (octet_length(secret) BETWEEN 1 AND 500),
    -- When address and secret were set, by the clock of the instance. Names the version: an outcome
    -- of another one does not count.
    created_at timestamptz NOT NULL,
    -- The number of the newest alert when the webhook was set first: later ones are delivered.
    since bigint NOT NULL CHECK (since >= 0),
    -- When an alert was accepted last and when an attempt failed last, since created_at.
    last_success_at timestamptz,
    failed_at timestamptz,
    failure text COLLATE "C" CHECK (octet_length(failure) BETWEEN 1 AND 400),
    -- Alerts that left the log before they were delivered.
    dropped bigint NOT NULL DEFAULT 0 CHECK (dropped >= 0),
    CHECK ((failed_at IS NULL) = (failure IS NULL))
);

-- How far the alerts of a feed have been tried.
CREATE TABLE hoga.webhook_progress (
    user_id bigint NOT NULL REFERENCES hoga.webhooks (user_id) ON DELETE CASCADE,
    -- live, simulated or replay
    feed text COLLATE "C" NOT NULL CHECK (octet_length(feed) BETWEEN 1 AND 40),
    -- Alerts up to this number were accepted, or are in webhook_failures.
    tried_through bigint NOT NULL CHECK (tried_through >= 0),
    -- Failed attempts in a row; NULL before the first attempt.
    failures bigint CHECK (failures >= 0),
    -- The receiver gets nothing before this time; NULL if it accepted the last alert.
    backoff_until timestamptz,
    PRIMARY KEY (user_id, feed)
);

-- Alerts that the receiver has not accepted yet, and those that are not tried again.
CREATE TABLE hoga.webhook_failures (
    user_id bigint NOT NULL REFERENCES hoga.webhooks (user_id) ON DELETE CASCADE,
    -- The number of the alert in hoga.alert_log.
    number bigint NOT NULL CHECK (number > 0),
    feed text COLLATE "C" NOT NULL CHECK (octet_length(feed) BETWEEN 1 AND 40),
    -- 0 for an alert that was given up with older ones.
    attempts bigint NOT NULL CHECK (attempts >= 0),
    -- When it is tried again; NULL for a dead letter.
    retry_at timestamptz,
    failed_at timestamptz NOT NULL,
    failure text COLLATE "C" NOT NULL CHECK (octet_length(failure) BETWEEN 1 AND 400),
    PRIMARY KEY (user_id, number)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON hoga.webhooks TO hoga_app;
GRANT SELECT, UPDATE ON hoga.webhook_progress, hoga.webhook_failures TO hoga_app;

ALTER TABLE hoga.webhooks ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.webhooks
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));
ALTER TABLE hoga.webhook_progress ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.webhook_progress
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));
ALTER TABLE hoga.webhook_failures ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.webhook_failures
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));

-- Alerts that leave the log are delivered no more. Counts those that were to be.
CREATE FUNCTION hoga.drop_webhook_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
BEGIN
    -- In the order in which attempts are recorded.
    PERFORM FROM hoga.webhooks AS hooks
    WHERE hooks.user_id IN (SELECT gone.user_id FROM gone)
    ORDER BY hooks.user_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    WITH lost AS MATERIALIZED (
        SELECT gone.user_id, gone.number,
            CASE WHEN failed.number IS NULL
                THEN gone.number > coalesce(progress.tried_through, hooks.since)
                ELSE failed.retry_at IS NOT NULL
            END AS was_waiting
        FROM gone
        JOIN hoga.webhooks AS hooks ON hooks.user_id = gone.user_id
        LEFT JOIN hoga.webhook_progress AS progress
            ON progress.user_id = gone.user_id AND progress.feed = gone.feed
        LEFT JOIN hoga.webhook_failures AS failed
            ON failed.user_id = gone.user_id AND failed.number = gone.number
    ), removed AS (
        DELETE FROM hoga.webhook_failures AS failed USING lost
        WHERE failed.user_id = lost.user_id AND failed.number = lost.number
    )
    UPDATE hoga.webhooks AS hooks SET dropped = hooks.dropped + sums.total
    FROM (
        SELECT lost.user_id, count(*) AS total FROM lost WHERE lost.was_waiting
        GROUP BY lost.user_id
    ) AS sums
    WHERE hooks.user_id = sums.user_id;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION hoga.drop_webhook_deliveries() FROM PUBLIC;
CREATE TRIGGER drop_webhook_deliveries AFTER DELETE ON hoga.alert_log
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION hoga.drop_webhook_deliveries();

-- What delivers the alerts of all users. These functions run with the owner's rights, because the
-- policies show the service's role one user at a time.

-- The next delivery of each of the users after a number who have a webhook, are not disabled and
-- have an alert of the feed that waits: only of the given ones unless of_users is NULL, in order of
-- their numbers. One that is due at the given time to be tried again comes first, then one that was
-- not tried. not_before is NULL if nothing keeps it back.
CREATE FUNCTION hoga.webhook_deliveries(
    of_feed text, present timestamptz, of_users bigint[], after bigint, users_max bigint
) RETURNS TABLE (
    owner bigint, number bigint, rule bigint, market text, at timestamptz, value text,
    is_rise boolean, lateness text, rule_text text, stored_at timestamptz,
    url text, created_at timestamptz, secret bytea, attempts bigint, failures bigint,
    not_before timestamptz
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
BEGIN
    RETURN QUERY
        SELECT hooks.user_id, logged.number, logged.rule, nullif(logged.market, ''), logged.at,
            trim_scale(logged.value)::text, logged.is_rise, logged.lateness, logged.rule_text,
            logged.stored_at, hooks.url, hooks.created_at, hooks.secret, waiting.attempts,
            progress.failures, greatest(progress.backoff_until, waiting.retry_at)
        FROM hoga.webhooks AS hooks
        JOIN hoga.users AS users ON users.id = hooks.user_id AND users.disabled_at IS NULL
        LEFT JOIN hoga.webhook_progress AS progress
            ON progress.user_id = hooks.user_id AND progress.feed = of_feed
        CROSS JOIN LATERAL (
            (
                SELECT 2 AS place, untried.number, 0::bigint AS attempts,
                    NULL::timestamptz AS retry_at
                FROM hoga.alert_log AS untried
                WHERE untried.user_id = hooks.user_id AND untried.feed = of_feed
                    AND untried.number > coalesce(progress.tried_through, hooks.since)
                ORDER BY untried.number LIMIT 1
            ) UNION ALL (
                SELECT CASE WHEN failed.retry_at <= present THEN 1 ELSE 3 END, failed.number,
                    failed.attempts, failed.retry_at
                FROM hoga.webhook_failures AS failed
                WHERE failed.user_id = hooks.user_id AND failed.feed = of_feed
                    AND failed.retry_at IS NOT NULL
                ORDER BY failed.retry_at, failed.number LIMIT 1
            )
            ORDER BY place LIMIT 1
        ) AS waiting
        JOIN hoga.alert_log AS logged
            ON logged.user_id = hooks.user_id AND logged.number = waiting.number
        WHERE hooks.user_id > after AND (of_users IS NULL OR hooks.user_id = ANY (of_users))
        ORDER BY hooks.user_id LIMIT users_max;
END
$$;
REVOKE ALL ON FUNCTION hoga.webhook_deliveries(
    text, timestamptz, bigint[], bigint, bigint
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.webhook_deliveries(
    text, timestamptz, bigint[], bigint, bigint
) TO hoga_app;

-- Records attempts to deliver alerts of a feed, at most one of each user. A NULL reason means that
-- the receiver accepted the alert. Skips those with another version of the webhook, and failures of
-- alerts that another instance has tried meanwhile. With a failure, the alerts of its user and feed
-- that were logged before a time are given up.
CREATE FUNCTION hoga.record_webhook_attempts(
    of_feed text, owners bigint[], numbers bigint[], versions timestamptz[],
    times timestamptz[], reasons text[], attempt_counts bigint[], failure_counts bigint[],
    retries timestamptz[], backoffs timestamptz[], ends timestamptz[]
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
BEGIN
    PERFORM FROM hoga.webhooks AS hooks WHERE hooks.user_id = ANY (owners)
    ORDER BY hooks.user_id FOR NO KEY UPDATE;
    WITH given AS MATERIALIZED (
        SELECT tried.*
        FROM unnest(
            owners, numbers, versions, times, reasons, attempt_counts, failure_counts, retries,
            backoffs, ends
        ) AS tried (
            user_id, number, version, at, reason, attempts, failures, retry_at, backoff_until, ended
        )
        JOIN hoga.webhooks AS hooks
            ON hooks.user_id = tried.user_id AND hooks.created_at = tried.version
        LEFT JOIN hoga.webhook_progress AS progress
            ON progress.user_id = tried.user_id AND progress.feed = of_feed
        LEFT JOIN hoga.webhook_failures AS known
            ON known.user_id = tried.user_id AND known.number = tried.number
        WHERE tried.reason IS NULL
            OR tried.attempts = CASE
                WHEN known.number IS NOT NULL THEN known.attempts
                WHEN tried.number > coalesce(progress.tried_through, hooks.since) THEN 0
            END + 1
    ), given_up AS (
        -- Before the row of the attempt itself, whose outcome counts.
        SELECT given.user_id, old.number, coalesce(failed.failed_at, given.at) AS at,
            coalesce(failed.failure, given.reason) AS reason,
            coalesce(failed.attempts, 0) AS attempts
        FROM given
        JOIN hoga.webhooks AS hooks ON hooks.user_id = given.user_id
        LEFT JOIN hoga.webhook_progress AS progress
            ON progress.user_id = given.user_id AND progress.feed = of_feed
        JOIN hoga.alert_log AS old
            ON old.user_id = given.user_id AND old.feed = of_feed
            AND old.stored_at < given.ended AND old.number <> given.number
        LEFT JOIN hoga.webhook_failures AS failed
            ON failed.user_id = old.user_id AND failed.number = old.number
        -- Clocks of instances differ: a younger one before it keeps its turn.
        LEFT JOIN LATERAL (
            SELECT min(untried.number) AS number FROM hoga.alert_log AS untried
            WHERE untried.user_id = given.user_id AND untried.feed = of_feed
                AND untried.number > coalesce(progress.tried_through, hooks.since)
                AND untried.stored_at >= given.ended AND untried.number <> given.number
        ) AS young ON true
        WHERE given.reason IS NOT NULL AND CASE WHEN failed.number IS NULL
            THEN old.number > coalesce(progress.tried_through, hooks.since)
                AND (young.number IS NULL OR old.number < young.number)
            ELSE failed.retry_at IS NOT NULL END
    ), accepted AS (
        DELETE FROM hoga.webhook_failures AS failed USING given
        WHERE given.reason IS NULL
            AND failed.user_id = given.user_id AND failed.number = given.number
    ), failed AS (
        INSERT INTO hoga.webhook_failures (
            user_id, number, feed, attempts, retry_at, failed_at, failure
        )
        SELECT given.user_id, given.number, of_feed, given.attempts, given.retry_at, given.at,
            given.reason
        FROM given
        JOIN hoga.alert_log AS logged
            ON logged.user_id = given.user_id AND logged.number = given.number
        WHERE given.reason IS NOT NULL
        UNION ALL
        SELECT old.user_id, old.number, of_feed, old.attempts, NULL, old.at, old.reason
        FROM given_up AS old
        ON CONFLICT (user_id, number) DO UPDATE SET
            attempts = excluded.attempts, retry_at = excluded.retry_at,
            failed_at = excluded.failed_at, failure = excluded.failure
    ), progressed AS (
        INSERT INTO hoga.webhook_progress AS progress (
            user_id, feed, tried_through, failures, backoff_until
        )
        SELECT given.user_id, of_feed,
            greatest(
                given.number,
                (SELECT max(old.number) FROM given_up AS old WHERE old.user_id = given.user_id)
            ),
            given.failures, given.backoff_until
        FROM given
        ON CONFLICT (user_id, feed) DO UPDATE SET
            tried_through = greatest(progress.tried_through, excluded.tried_through),
            failures = excluded.failures, backoff_until = excluded.backoff_until
    )
    UPDATE hoga.webhooks AS hooks SET
        last_success_at = CASE
            WHEN given.reason IS NULL THEN given.at ELSE hooks.last_success_at END,
        failed_at = CASE WHEN given.reason IS NULL THEN hooks.failed_at ELSE given.at END,
        failure = coalesce(given.reason, hooks.failure)
    FROM given WHERE hooks.user_id = given.user_id;
END
$$;
REVOKE ALL ON FUNCTION hoga.record_webhook_attempts(
    text, bigint[], bigint[], timestamptz[], timestamptz[], text[], bigint[], bigint[],
    timestamptz[], timestamptz[], timestamptz[]
) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.record_webhook_attempts(
    text, bigint[], bigint[], timestamptz[], timestamptz[], text[], bigint[], bigint[],
    timestamptz[], timestamptz[], timestamptz[]
) TO hoga_app;
