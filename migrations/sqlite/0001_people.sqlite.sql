-- runs-with: 1
-- What a person keeps. Amounts are canonical decimal texts, times microseconds since 1970 UTC.

-- Marks the file as hoga's: "hoga" in ASCII.
PRAGMA application_id = 1752131425;

-- Whoever keeps something. An embedded store has one person, number 1.
CREATE TABLE users (
    id INTEGER PRIMARY KEY,
    -- The name that commands use.
    name TEXT NOT NULL UNIQUE CHECK (name <> ''),
    -- The name that screens show; NULL while none was given.
    display_name TEXT,
    -- How often each part has changed: a writer names the number it has read.
    profile_revision INTEGER NOT NULL DEFAULT 0 CHECK (profile_revision >= 0),
    favorites_revision INTEGER NOT NULL DEFAULT 0 CHECK (favorites_revision >= 0),
    settings_revision INTEGER NOT NULL DEFAULT 0 CHECK (settings_revision >= 0),
    holdings_revision INTEGER NOT NULL DEFAULT 0 CHECK (holdings_revision >= 0),
    cash_revision INTEGER NOT NULL DEFAULT 0 CHECK (cash_revision >= 0)
) STRICT;

INSERT INTO users (id, name) VALUES (1, 'local');

-- Markets in the order that a person gave them.
CREATE TABLE favorites (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- BTC_KRW
    market TEXT NOT NULL,
    -- Ascending, with holes where markets were removed.
    position INTEGER NOT NULL CHECK (position >= 0),
    PRIMARY KEY (user_id, market)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX favorites_by_position ON favorites (user_id, position);

-- How a person likes the screens, in the words of the JSON documents. No row while nothing was
-- ever changed. The words themselves are not checked here, so that a newer program can add some.
CREATE TABLE settings (
    user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    sort TEXT NOT NULL,
    sort_direction TEXT NOT NULL,
    quote TEXT NOT NULL,
    tab TEXT NOT NULL,
    pin_favorites INTEGER NOT NULL CHECK (pin_favorites IN (0, 1)),
    change_period TEXT NOT NULL,
    -- Of the chart: 1m … 1mo
    "interval" TEXT NOT NULL,
    chart_style TEXT NOT NULL,
    -- The windows of the averages, ascending: 5,10,20
    averages TEXT NOT NULL,
    -- Levels of the book a side.
    depth INTEGER NOT NULL,
    theme TEXT NOT NULL,
    colors TEXT NOT NULL,
    lang TEXT NOT NULL
) STRICT;

-- What a person holds of each coin.
CREATE TABLE holdings (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- BTC
    asset TEXT NOT NULL,
    quantity TEXT NOT NULL CHECK (quantity <> ''),
    -- In won; NULL if not known.
    average_price TEXT CHECK (average_price <> ''),
    PRIMARY KEY (user_id, asset)
) STRICT, WITHOUT ROWID;

-- Cash in won. No row while none was given.
CREATE TABLE cash (
    user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    amount TEXT NOT NULL CHECK (amount <> '')
) STRICT;

-- What a person changed, the newest 10,000 rows of each. It says what kind of change it was and of
-- what, never an amount.
CREATE TABLE journal (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- Counts the changes of one person, from 1.
    number INTEGER NOT NULL CHECK (number > 0),
    at INTEGER NOT NULL,
    -- favorite.add, settings.put …
    kind TEXT NOT NULL CHECK (kind GLOB '?*.?*'),
    -- A market or a coin; NULL where the kind says it all.
    subject TEXT,
    PRIMARY KEY (user_id, number)
) STRICT, WITHOUT ROWID;

-- Grows with each change of anybody, so that other processes see that there is something to read.
CREATE TABLE changes (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    count INTEGER NOT NULL CHECK (count >= 0)
) STRICT;

INSERT INTO changes (id, count) VALUES (1, 0);
