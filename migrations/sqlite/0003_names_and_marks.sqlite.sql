-- runs-with: 1
-- What the exchange calls its coins, and which markets it warns about: each the whole of its newest
-- reading. Times are microseconds since 1970 UTC. feed keeps the exchange and the simulator apart.

-- When each was read. No row while it never was.
CREATE TABLE readings (
    -- live or simulated
    feed TEXT NOT NULL,
    -- names or marks
    kind TEXT NOT NULL,
    read_at INTEGER NOT NULL,
    PRIMARY KEY (feed, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE coin_names (
    feed TEXT NOT NULL,
    -- BTC
    symbol TEXT NOT NULL,
    korean TEXT NOT NULL,
    -- Empty where the exchange gives none.
    english TEXT NOT NULL,
    PRIMARY KEY (feed, symbol)
) STRICT, WITHOUT ROWID;

-- The markets with an investment warning.
CREATE TABLE market_warnings (
    feed TEXT NOT NULL,
    -- BTC_KRW
    market TEXT NOT NULL,
    PRIMARY KEY (feed, market)
) STRICT, WITHOUT ROWID;

-- What the exchange warns of, in its order.
CREATE TABLE market_alerts (
    feed TEXT NOT NULL,
    -- From 0.
    position INTEGER NOT NULL CHECK (position >= 0),
    -- BTC_KRW
    market TEXT NOT NULL,
    type TEXT NOT NULL,
    -- How grave it is; NULL if the exchange does not say.
    step TEXT,
    -- When it ends; NULL if not known.
    ends_at INTEGER,
    PRIMARY KEY (feed, position)
) STRICT, WITHOUT ROWID;
