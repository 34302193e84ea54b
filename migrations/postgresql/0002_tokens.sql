-- runs-with: 1
-- What opens a user's things to a program. The token itself is kept nowhere.

CREATE TABLE hoga.api_tokens (
    -- Never given twice.
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES hoga.users (id) ON DELETE CASCADE,
    -- SHA-256 of the token's text.
    token_sha256 bytea NOT NULL UNIQUE CHECK (octet_length(token_sha256) = 32),
    scope text COLLATE "C" NOT NULL CHECK (scope IN ('read', 'write')),
    made_at timestamptz NOT NULL,
    -- From when on it opens nothing; NULL for never.
    expires_at timestamptz,
    -- When it was revoked; NULL if it was not.
    revoked_at timestamptz,
    -- When it was used, as of at most a minute before it was used last; NULL if it never was.
    used_at timestamptz
);

CREATE INDEX api_tokens_by_user ON hoga.api_tokens (user_id);

-- The only way to a token, and to nothing but what it opens: hoga_app may not read the table. It
-- answers no row for a token that is unknown, expired or revoked, or of a disabled user.
CREATE FUNCTION hoga.find_token(sha256 bytea)
RETURNS TABLE (token_id bigint, owner_id bigint, owner text, granted text, until timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    SELECT tokens.id, users.id, users.name, tokens.scope, tokens.expires_at
    INTO token_id, owner_id, owner, granted, until
    FROM hoga.api_tokens AS tokens
    JOIN hoga.users AS users ON users.id = tokens.user_id
    WHERE tokens.token_sha256 = sha256
        AND tokens.revoked_at IS NULL
        AND users.disabled_at IS NULL
        AND (tokens.expires_at IS NULL OR tokens.expires_at > clock_timestamp());
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- A standby answers as well. Whoever notes the same use at the same time is not waited for.
    IF current_setting('transaction_read_only') = 'off' THEN
        UPDATE hoga.api_tokens AS tokens SET used_at = clock_timestamp()
        WHERE tokens.id = (
            SELECT stale.id FROM hoga.api_tokens AS stale
            WHERE stale.id = token_id
                AND (
                    stale.used_at IS NULL
                    OR stale.used_at < clock_timestamp() - interval '1 minute'
                )
            FOR NO KEY UPDATE SKIP LOCKED
        );
    END IF;
    RETURN NEXT;
END
$$;
REVOKE ALL ON FUNCTION hoga.find_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.find_token(bytea) TO hoga_app;
