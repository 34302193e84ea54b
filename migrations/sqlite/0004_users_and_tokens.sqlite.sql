-- runs-with: 1
-- Who is let in where programs ask for what is personal. Times are microseconds since 1970 UTC.

-- When the user was added: here with the file.
ALTER TABLE users ADD COLUMN added_at INTEGER NOT NULL DEFAULT 0;

UPDATE users SET added_at = coalesce(
    (SELECT applied_at FROM schema_migrations WHERE number = 1), 0
);

-- What opens the doors of a user. A token itself is shown once and kept nowhere. Rows stay when
-- tokens are revoked, so no number is given twice.
CREATE TABLE api_tokens (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- SHA-256 of the token's text in hexadecimal.
    token_sha256 TEXT NOT NULL UNIQUE CHECK (length(token_sha256) = 64),
    scope TEXT NOT NULL CHECK (scope IN ('read', 'write')),
    made_at INTEGER NOT NULL,
    -- From when on it opens nothing; NULL for never.
    expires_at INTEGER,
    -- NULL unless it was revoked.
    revoked_at INTEGER,
    -- As of at most a minute ago; NULL if it was never used.
    used_at INTEGER
) STRICT;
