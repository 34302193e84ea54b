-- runs-with: 1
-- Webhooks: alerts of the log as HTTP requests to an address of the user's. Times are microseconds
-- since 1970 UTC. Programs of 0.1.0 keep working beside it.

CREATE TABLE webhooks (
    user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- https://…; the part after the host may be a secret of the receiver.
    url TEXT NOT NULL CHECK (url <> '' AND length(url) <= 2000),
    -- Encrypted with a key that is not in the file; in hexadecimal.
    secret TEXT NOT NULL CHECK (secret <> '' AND length(secret) <= 1000),
    -- When address and secret were set, by the clock of the program. Names the version: an outcome
    -- of another one does not count.
    created_at INTEGER NOT NULL,
    -- The number of the newest alert when the webhook was set first: later ones are delivered.
    since INTEGER NOT NULL CHECK (since >= 0),
    -- When an alert was accepted last and when an attempt failed last, since created_at.
    last_success_at INTEGER,
    failed_at INTEGER,
    failure TEXT CHECK (failure <> '' AND length(failure) <= 400),
    -- Alerts that left the log before they were delivered.
    dropped INTEGER NOT NULL DEFAULT 0 CHECK (dropped >= 0),
    CHECK ((failed_at IS NULL) = (failure IS NULL))
) STRICT;

-- How far the alerts of a feed have been tried.
CREATE TABLE webhook_progress (
    user_id INTEGER NOT NULL REFERENCES webhooks (user_id) ON DELETE CASCADE,
    -- live, simulated or replay
    feed TEXT NOT NULL CHECK (feed <> '' AND length(feed) <= 40),
    -- Alerts up to this number were accepted, or are in webhook_failures.
    tried_through INTEGER NOT NULL CHECK (tried_through >= 0),
    -- Failed attempts in a row; NULL before the first attempt.
    failures INTEGER CHECK (failures >= 0),
    -- The receiver gets nothing before this time; NULL if it accepted the last alert.
    backoff_until INTEGER,
    PRIMARY KEY (user_id, feed)
) STRICT, WITHOUT ROWID;

-- Alerts that the receiver has not accepted yet, and those that are not tried again.
CREATE TABLE webhook_failures (
    user_id INTEGER NOT NULL REFERENCES webhooks (user_id) ON DELETE CASCADE,
    -- The number of the alert in alert_log.
    number INTEGER NOT NULL CHECK (number > 0),
    feed TEXT NOT NULL CHECK (feed <> '' AND length(feed) <= 40),
    -- 0 for an alert that was given up with older ones.
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    -- When it is tried again; NULL for a dead letter.
    retry_at INTEGER,
    failed_at INTEGER NOT NULL,
    failure TEXT NOT NULL CHECK (failure <> '' AND length(failure) <= 400),
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;
