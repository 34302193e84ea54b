-- runs-with: 1
-- Alert rules and the alerts that they fired. Times are microseconds since 1970 UTC. Programs of
-- 0.1.0 keep working beside it: they neither see nor change any of this.

-- How often the rules and the log have changed.
ALTER TABLE users ADD COLUMN alerts_revision INTEGER NOT NULL DEFAULT 0
    CHECK (alerts_revision >= 0);
-- The number of the newest alert that the user has seen; 0 before the first.
ALTER TABLE users ADD COLUMN alerts_seen INTEGER NOT NULL DEFAULT 0 CHECK (alerts_seen >= 0);
-- The number of the newest alert ever logged, so that no number is given twice.
ALTER TABLE users ADD COLUMN alerts_logged INTEGER NOT NULL DEFAULT 0 CHECK (alerts_logged >= 0);

CREATE TABLE alert_rules (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- The revision of the change that added it; never given twice.
    number INTEGER NOT NULL CHECK (number > 0),
    -- BTC_KRW > 150000000 again 10m
    text TEXT NOT NULL CHECK (text <> '' AND length(text) <= 1000),
    -- live, simulated or replay
    feed TEXT NOT NULL CHECK (feed <> '' AND length(feed) <= 40),
    -- The market whose order book the rule needs, favorites for those of the user's favorites; NULL
    -- if it needs none.
    books TEXT CHECK (books <> '' AND length(books) <= 100),
    -- Exchange time of the creation or of the last change: only later values fire.
    created_at INTEGER NOT NULL,
    -- Exchange time of the newest alert since then; NULL without one.
    fired_at INTEGER,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

-- The last firing of each rule. A changed rule begins without any.
CREATE TABLE alert_states (
    user_id INTEGER NOT NULL,
    rule INTEGER NOT NULL,
    -- BTC_KRW; empty for the portfolio.
    market TEXT NOT NULL CHECK (length(market) <= 100),
    -- Exchange time of the firing. The next one of this rule and market is later.
    fired_at INTEGER NOT NULL,
    -- What evaluation goes on with, in the words of the program.
    state TEXT NOT NULL CHECK (length(state) <= 400),
    PRIMARY KEY (user_id, rule, market),
    FOREIGN KEY (user_id, rule) REFERENCES alert_rules (user_id, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The newest 1,000 alerts of each user. They outlive their rules.
CREATE TABLE alert_log (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- Counts the alerts of a user, from 1.
    number INTEGER NOT NULL CHECK (number > 0),
    rule INTEGER NOT NULL,
    -- BTC_KRW; empty for the portfolio.
    market TEXT NOT NULL CHECK (length(market) <= 100),
    -- Exchange time.
    at INTEGER NOT NULL,
    -- What fired: a price, a rate or, of a state, 0 or 1.
    value TEXT NOT NULL CHECK (value <> ''),
    is_rise INTEGER NOT NULL CHECK (is_rise IN (0, 1)),
    -- away, interrupted or repaired; NULL if the alert was not late.
    lateness TEXT CHECK (lateness <> '' AND length(lateness) <= 40),
    -- Text and feed of the rule when it fired.
    rule_text TEXT NOT NULL,
    feed TEXT NOT NULL,
    -- When it was logged, by the clock of the program.
    stored_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, number),
    -- The identity of an alert: whatever dies when, it is logged once.
    UNIQUE (user_id, rule, market, at, is_rise)
) STRICT, WITHOUT ROWID;

-- The last values of the rules' signals, of each feed, for the next program that evaluates them.
CREATE TABLE alert_values (
    feed TEXT PRIMARY KEY,
    saved_at INTEGER NOT NULL,
    -- In the words of the program, each line with its end.
    lines TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Which of the programs with this file open evaluates the rules of a feed, by the system's clock.
CREATE TABLE instance_lease (
    -- live, simulated or replay
    feed TEXT PRIMARY KEY,
    -- A name that no other process has.
    holder TEXT NOT NULL,
    -- Grows whenever it is taken.
    epoch INTEGER NOT NULL CHECK (epoch > 0),
    -- Until when it is held, or was.
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
