-- runs-with: 1
-- What markets did, for charts and lists that have no exchange yet. Prices and volumes are
-- canonical decimal texts, times microseconds since 1970 UTC. feed keeps the exchange and the
-- simulator apart.

CREATE TABLE candles (
    -- live or simulated
    feed TEXT NOT NULL,
    -- BTC_KRW
    market TEXT NOT NULL,
    -- 1m … 24h
    "interval" TEXT NOT NULL,
    -- When the bucket opens.
    open_time INTEGER NOT NULL,
    open TEXT NOT NULL,
    high TEXT NOT NULL,
    low TEXT NOT NULL,
    close TEXT NOT NULL,
    -- Of the base coin.
    volume TEXT NOT NULL,
    -- Of two readings of the same candle the later one stands.
    fetched_at INTEGER NOT NULL,
    PRIMARY KEY (feed, market, "interval", open_time)
) STRICT, WITHOUT ROWID;

-- The times that readings told everything about: a bucket inside without a candle had no trade. The
-- spans of a series neither overlap nor touch.
CREATE TABLE candle_spans (
    feed TEXT NOT NULL,
    market TEXT NOT NULL,
    "interval" TEXT NOT NULL,
    -- When the first bucket opens.
    from_time INTEGER NOT NULL,
    -- When the first bucket opens that is not covered any more.
    to_time INTEGER NOT NULL,
    PRIMARY KEY (feed, market, "interval", from_time),
    CHECK (from_time < to_time)
) STRICT, WITHOUT ROWID;

-- The last price of each market: what a list without an exchange shows.
CREATE TABLE closes (
    feed TEXT NOT NULL,
    market TEXT NOT NULL,
    price TEXT NOT NULL,
    -- Exchange time of the price.
    at INTEGER NOT NULL,
    -- Quote turnover of 24 hours; NULL if not known.
    trade_value_24h TEXT,
    -- 0 if the exchange had suspended the market, or listed it no more.
    is_trading INTEGER NOT NULL CHECK (is_trading IN (0, 1)),
    PRIMARY KEY (feed, market)
) STRICT, WITHOUT ROWID;
