-- runs-with: 1
-- What people keep. Amounts are numbers without bounds, times are moments. Text is told apart and
-- sorted by its bytes; a zero byte, which no text can hold, is written \0, and \ is written \\.
--
-- The program works as a member of hoga_app, which has row operations and nothing else, and sees
-- the rows of the one user whom app.user_id names in its transaction. The owner of the tables is
-- not bound by that: who dumps them, migrates, or looks after users has to see all rows.

GRANT USAGE ON SCHEMA hoga TO hoga_app;
GRANT SELECT ON hoga.schema_migrations TO hoga_app;

-- Whoever keeps something. Numbers are never given twice.
CREATE TABLE hoga.users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The name that commands use.
    name text COLLATE "C" NOT NULL UNIQUE CHECK (name <> ''),
    -- The name that screens show; NULL while none was given.
    display_name text COLLATE "C",
    added_at timestamptz NOT NULL,
    -- From when on the user's tokens open nothing; NULL while they do.
    disabled_at timestamptz,
    -- How often each part has changed: a writer names the number it has read.
    profile_revision bigint NOT NULL DEFAULT 0 CHECK (profile_revision >= 0),
    favorites_revision bigint NOT NULL DEFAULT 0 CHECK (favorites_revision >= 0),
    settings_revision bigint NOT NULL DEFAULT 0 CHECK (settings_revision >= 0),
    holdings_revision bigint NOT NULL DEFAULT 0 CHECK (holdings_revision >= 0),
    cash_revision bigint NOT NULL DEFAULT 0 CHECK (cash_revision >= 0)
);

-- Markets in the order that a person gave them.
CREATE TABLE hoga.favorites (
    user_id bigint NOT NULL REFERENCES hoga.users (id) ON DELETE CASCADE,
    -- BTC_KRW
    market text COLLATE "C" NOT NULL,
    -- Ascending, with holes where markets were removed.
    position bigint NOT NULL CHECK (position >= 0),
    PRIMARY KEY (user_id, market),
    UNIQUE (user_id, position)
);

-- How a person likes the screens, in the words of the JSON documents. No row while nothing was
-- ever changed. The words themselves are not checked here, so that a newer program can add some.
CREATE TABLE hoga.settings (
    user_id bigint PRIMARY KEY REFERENCES hoga.users (id) ON DELETE CASCADE,
    sort text COLLATE "C" NOT NULL,
    sort_direction text COLLATE "C" NOT NULL,
    quote text COLLATE "C" NOT NULL,
    tab text COLLATE "C" NOT NULL,
    pin_favorites boolean NOT NULL,
    change_period text COLLATE "C" NOT NULL,
    -- Of the chart: 1m … 1mo
    "interval" text COLLATE "C" NOT NULL,
    chart_style text COLLATE "C" NOT NULL,
    -- The windows of the averages, ascending: 5,10,20
    averages text COLLATE "C" NOT NULL,
    -- Levels of the book a side.
    depth bigint NOT NULL,
    theme text COLLATE "C" NOT NULL,
    colors text COLLATE "C" NOT NULL,
    lang text COLLATE "C" NOT NULL
);

-- What a person holds of each coin.
CREATE TABLE hoga.holdings (
    user_id bigint NOT NULL REFERENCES hoga.users (id) ON DELETE CASCADE,
    -- BTC
    asset text COLLATE "C" NOT NULL,
    quantity numeric NOT NULL,
    -- In won; NULL if not known.
    average_price numeric,
    PRIMARY KEY (user_id, asset)
);

-- Cash in won. No row while none was given.
CREATE TABLE hoga.cash (
    user_id bigint PRIMARY KEY REFERENCES hoga.users (id) ON DELETE CASCADE,
    amount numeric NOT NULL
);

-- What a person changed, the newest 10,000 rows of each. It says what kind of change it was and of
-- what, never an amount.
CREATE TABLE hoga.journal (
    user_id bigint NOT NULL REFERENCES hoga.users (id) ON DELETE CASCADE,
    -- Counts the changes of one person, from 1.
    number bigint NOT NULL CHECK (number > 0),
    at timestamptz NOT NULL,
    -- favorite.add, settings.put …
    kind text COLLATE "C" NOT NULL CHECK (kind LIKE '_%._%'),
    -- A market or a coin; NULL where the kind says it all.
    subject text COLLATE "C",
    -- The transaction that wrote it: other processes ask what came after one that they know of.
    change xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (user_id, number)
);

-- Row operations, no more of them than the program needs: nobody is added, renamed or removed.
GRANT SELECT ON hoga.users TO hoga_app;
GRANT UPDATE (
    display_name, profile_revision, favorites_revision, settings_revision, holdings_revision,
    cash_revision
) ON hoga.users TO hoga_app;
GRANT SELECT, INSERT, UPDATE, DELETE
    ON hoga.favorites, hoga.settings, hoga.holdings, hoga.cash TO hoga_app;
GRANT SELECT, INSERT, DELETE ON hoga.journal TO hoga_app;

-- Whoever is not the owner sees the rows of the user that the transaction names, and of nobody
-- while it names none. The sub-select is looked up once for each statement, not for each row.
ALTER TABLE hoga.users ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.users
    USING (id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));

ALTER TABLE hoga.favorites ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.favorites
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));

ALTER TABLE hoga.settings ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.settings
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));

ALTER TABLE hoga.holdings ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.holdings
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));

ALTER TABLE hoga.cash ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.cash
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));

ALTER TABLE hoga.journal ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON hoga.journal
    USING (user_id = (SELECT nullif(current_setting('app.user_id', true), '')::bigint));

-- Who was changed since a moment, for processes that cannot listen: the rows that were written by
-- transactions from `after` on, and the mark to ask with next time. The mark is the oldest
-- transaction that may still be under way, so that none is missed whatever the order in which they
-- end; what came after it may be told twice. Transactions that this server has not yet begun are
-- those of the server that a dump was taken from.
CREATE FUNCTION hoga.changes(after xid8)
RETURNS TABLE (mark xid8, user_id bigint, number bigint)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT pg_snapshot_xmin(now.snapshot), changed.user_id, max(changed.number)
    FROM (SELECT pg_current_snapshot() AS snapshot) AS now
    LEFT JOIN hoga.journal AS changed
        ON changed.change >= after AND changed.change < pg_snapshot_xmax(now.snapshot)
    GROUP BY 1, 2
$$;
REVOKE ALL ON FUNCTION hoga.changes(xid8) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.changes(xid8) TO hoga_app;
