-- runs-with: 5
-- Users list, make and revoke their own tokens. Instances of 0.1.0 keep working beside it.
--
-- hoga_app still reads no token: it calls the functions below with the SHA-256 of the token that
-- asks. They check that token themselves and act for its owner only.

-- What the owner calls the token; NULL for none. Escaped as all text is, so at most twice as long.
ALTER TABLE hoga.api_tokens ADD COLUMN note text COLLATE "C"
    CHECK (note <> '' AND octet_length(note) <= 800);

-- A token that is valid now; no row for one that is unknown, expired or revoked, or of a disabled
-- user.
CREATE FUNCTION hoga.asking_token(asking bytea) RETURNS SETOF hoga.api_tokens
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT tokens.*
    FROM hoga.api_tokens AS tokens
    JOIN hoga.users AS users ON users.id = tokens.user_id
    WHERE tokens.token_sha256 = asking
        AND tokens.revoked_at IS NULL
        AND users.disabled_at IS NULL
        AND (tokens.expires_at IS NULL OR tokens.expires_at > clock_timestamp())
$$;
REVOKE ALL ON FUNCTION hoga.asking_token(bytea) FROM PUBLIC;

-- The valid tokens of the owner of a valid token, which is among them; no row for an invalid one.
-- A standby answers as well.
CREATE FUNCTION hoga.own_tokens(asking bytea)
RETURNS TABLE (
    token_id bigint, granted text, made timestamptz, ends timestamptz, used timestamptz,
    named text, is_asking boolean
)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT own.id, own.scope, own.made_at, own.expires_at, own.used_at, own.note,
        own.id = asker.id
    FROM hoga.asking_token(asking) AS asker
    JOIN hoga.api_tokens AS own ON own.user_id = asker.user_id
    WHERE own.revoked_at IS NULL
        AND (own.expires_at IS NULL OR own.expires_at > clock_timestamp())
    ORDER BY own.id
$$;
REVOKE ALL ON FUNCTION hoga.own_tokens(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.own_tokens(bytea) TO hoga_app;

-- Makes a token for the owner of a valid token of scope write, which ends with that token at the
-- latest. Each user has at most 100 valid tokens, and makes at most 100 within a day: the rows of
-- revoked ones stay. A caller may state lower limits.
--
-- Returns 'made' with the token, or why none was made: 'unauthorized', 'forbidden', 'valid_max',
-- 'day_max'.
CREATE FUNCTION hoga.add_own_token(
    asking bytea, sha256 bytea, wanted text, until timestamptz, called text,
    valid_max bigint, day_max bigint
) RETURNS TABLE (outcome text, token_id bigint, made timestamptz, ends timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    asker hoga.api_tokens;
    present timestamptz;
BEGIN
    -- The locks come first: concurrent calls count each other's tokens, and a token that is being
    -- revoked makes no other. Rotating a token locks the two in the same order.
    PERFORM FROM hoga.api_tokens AS tokens
    JOIN hoga.users AS users ON users.id = tokens.user_id
    WHERE tokens.token_sha256 = asking
    FOR NO KEY UPDATE;
    SELECT found.* INTO asker FROM hoga.asking_token(asking) AS found;
    present := clock_timestamp();
    outcome := CASE
        WHEN asker.id IS NULL THEN 'unauthorized'
        WHEN asker.scope <> 'write' THEN 'forbidden'
        WHEN (
            SELECT count(*) FROM hoga.api_tokens AS own
            WHERE own.user_id = asker.user_id AND own.revoked_at IS NULL
                AND (own.expires_at IS NULL OR own.expires_at > present)
        ) >= least(valid_max, 100) THEN 'valid_max'
        WHEN (
            SELECT count(*) FROM hoga.api_tokens AS own
            WHERE own.user_id = asker.user_id AND own.made_at > present - interval '1 day'
        ) >= least(day_max, 100) THEN 'day_max'
        ELSE 'made'
    END;
    IF outcome = 'made' THEN
        -- For the audit trail: no administrator, but the owner of a token.
        PERFORM set_config('app.administrator', '', true),
            set_config('app.token_id', asker.id::text, true);
        INSERT INTO hoga.api_tokens AS new
            (user_id, token_sha256, scope, made_at, expires_at, note)
        VALUES (
            asker.user_id, sha256, wanted, present, least(until, asker.expires_at), called
        )
        RETURNING new.id, new.made_at, new.expires_at INTO token_id, made, ends;
    END IF;
    RETURN NEXT;
END
$$;
REVOKE ALL ON FUNCTION
    hoga.add_own_token(bytea, bytea, text, timestamptz, text, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    hoga.add_own_token(bytea, bytea, text, timestamptz, text, bigint, bigint) TO hoga_app;

-- Revokes a token of the owner of a valid token of scope write. One that was revoked before stays
-- as it is.
--
-- Returns 'revoked', or why nothing was: 'unauthorized', 'forbidden', or 'unknown' for a number
-- that no token of this owner has.
CREATE FUNCTION hoga.revoke_own_token(asking bytea, wanted bigint) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    asker hoga.api_tokens;
BEGIN
    SELECT found.* INTO asker FROM hoga.asking_token(asking) AS found;
    IF asker.id IS NULL THEN
        RETURN 'unauthorized';
    ELSIF asker.scope <> 'write' THEN
        RETURN 'forbidden';
    END IF;
    PERFORM set_config('app.administrator', '', true),
        set_config('app.token_id', asker.id::text, true);
    UPDATE hoga.api_tokens AS own
    SET revoked_at = coalesce(own.revoked_at, clock_timestamp())
    WHERE own.id = wanted AND own.user_id = asker.user_id;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    RETURN 'revoked';
END
$$;
REVOKE ALL ON FUNCTION hoga.revoke_own_token(bytea, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.revoke_own_token(bytea, bigint) TO hoga_app;

-- As in 0008; byToken is the number of the token with which its owner made the change.
CREATE OR REPLACE FUNCTION hoga.audit_token() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    token hoga.api_tokens;
    owner text;
    terms jsonb;
    asker jsonb := jsonb_build_object('byToken', nullif(current_setting('app.token_id', true), ''));
BEGIN
    IF TG_OP = 'DELETE' THEN
        token := OLD;
    ELSE
        token := NEW;
    END IF;
    SELECT users.name INTO owner FROM hoga.users WHERE users.id = token.user_id;
    terms := asker || jsonb_build_object(
        'scope', token.scope,
        'expires', to_char(token.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    );
    IF TG_OP = 'DELETE' THEN
        IF owner IS NOT NULL THEN
            PERFORM hoga.note_audit('token.remove', token.user_id, owner, token.id);
        END IF;
    ELSIF TG_OP = 'INSERT' THEN
        PERFORM hoga.note_audit('token.add', token.user_id, owner, token.id, terms);
    ELSE
        IF NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL THEN
            PERFORM hoga.note_audit('token.revoke', token.user_id, owner, token.id, asker);
        END IF;
        IF (NEW.user_id, NEW.token_sha256, NEW.scope, NEW.expires_at)
                IS DISTINCT FROM (OLD.user_id, OLD.token_sha256, OLD.scope, OLD.expires_at)
            OR NEW.revoked_at IS NULL AND OLD.revoked_at IS NOT NULL
        THEN
            PERFORM hoga.note_audit('token.change', token.user_id, owner, token.id, terms);
        END IF;
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION hoga.audit_token() FROM PUBLIC;
