-- runs-with: 1
-- What the exchange calls its coins, and which markets it warns about: each the whole of its newest
-- reading. Times are microseconds since 1970 UTC.

-- When each was read. No row while it never was.
CREATE TABLE readings (
    -- names or marks
    kind TEXT PRIMARY KEY,
    read_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE coin_names (
    -- BTC
    symbol TEXT PRIMARY KEY,
    korean TEXT NOT NULL,
    -- Empty where the exchange gives none.
    english TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The markets with an investment warning.
CREATE TABLE market_warnings (
    -- BTC_KRW
    market TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- What the exchange warns of, in its order.
CREATE TABLE market_alerts (
    position INTEGER PRIMARY KEY,
    -- BTC_KRW
    market TEXT NOT NULL,
    type TEXT NOT NULL,
    -- How grave it is; NULL if the exchange does not say.
    step TEXT,
    -- When it ends; NULL if not known.
    ends_at INTEGER
) STRICT;
