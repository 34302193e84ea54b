-- runs-with: 5
-- What administrators did, and how old changes are when instances read of them. Instances of 0.1.0
-- keep working beside it.

-- The audit trail, append-only. Triggers write it in the transaction of the change itself, so
-- changes by programs of 0.1.0 and by hand are noted too. Rows are kept for three years; each new
-- row removes older ones.
CREATE TABLE hoga.audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The role that logged in, whatever role it works as.
    role text COLLATE "C" NOT NULL DEFAULT session_user::text,
    -- The person, as the program states it; NULL if it does not.
    administrator text COLLATE "C" DEFAULT nullif(current_setting('app.administrator', true), ''),
    -- user.add, token.revoke …
    action text COLLATE "C" NOT NULL CHECK (action LIKE '_%._%'),
    -- No reference, because rows outlive their user. NULL for actions without one.
    user_id bigint,
    -- The name of the user before the action, or of the migration or role.
    subject text COLLATE "C" NOT NULL,
    -- The number of a token, without a reference too.
    token_id bigint,
    -- More values of the action, as strings; never a secret or its hash.
    details jsonb NOT NULL DEFAULT '{}'
);

CREATE INDEX audit_by_time ON hoga.audit (at);
CREATE INDEX audit_by_user ON hoga.audit (user_id);

-- Without a policy and without rights: only the owner reads it.
ALTER TABLE hoga.audit ENABLE ROW LEVEL SECURITY;

-- Refuses changes by the owner, too. Triggers of a restored dump begin after its rows.
CREATE FUNCTION hoga.keep_audit() RETURNS trigger
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.at < clock_timestamp() - interval '3 years' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE insufficient_privilege USING MESSAGE = 'the audit trail is append-only';
END
$$;
REVOKE ALL ON FUNCTION hoga.keep_audit() FROM PUBLIC;

CREATE TRIGGER keep_rows BEFORE UPDATE OR DELETE ON hoga.audit
    FOR EACH ROW EXECUTE FUNCTION hoga.keep_audit();
CREATE TRIGGER keep_all BEFORE TRUNCATE ON hoga.audit
    FOR EACH STATEMENT EXECUTE FUNCTION hoga.keep_audit();

-- Appends a row.
CREATE FUNCTION hoga.note_audit(
    done text, of_user bigint, named text, token bigint DEFAULT NULL, details jsonb DEFAULT '{}'
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    DELETE FROM hoga.audit AS old WHERE old.at < clock_timestamp() - interval '3 years';
    INSERT INTO hoga.audit (action, user_id, subject, token_id, details)
    VALUES (done, of_user, named, token, jsonb_strip_nulls(note_audit.details));
END
$$;
REVOKE ALL ON FUNCTION hoga.note_audit(text, bigint, text, bigint, jsonb) FROM PUBLIC;

CREATE FUNCTION hoga.audit_user() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM hoga.note_audit('user.add', NEW.id, NEW.name);
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM hoga.note_audit('user.remove', OLD.id, OLD.name);
    ELSE
        IF NEW.name <> OLD.name THEN
            PERFORM hoga.note_audit(
                'user.rename', OLD.id, OLD.name, details => jsonb_build_object('name', NEW.name)
            );
        END IF;
        IF (NEW.disabled_at IS NULL) <> (OLD.disabled_at IS NULL) THEN
            PERFORM hoga.note_audit(
                CASE WHEN NEW.disabled_at IS NULL THEN 'user.enable' ELSE 'user.disable' END,
                OLD.id, OLD.name
            );
        END IF;
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION hoga.audit_user() FROM PUBLIC;

CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF name, disabled_at ON hoga.users
    FOR EACH ROW EXECUTE FUNCTION hoga.audit_user();

-- Changes of tokens, except for their use. Tokens that go with their user are not named one by one.
CREATE FUNCTION hoga.audit_token() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    token hoga.api_tokens;
    owner text;
    terms jsonb;
BEGIN
    IF TG_OP = 'DELETE' THEN
        token := OLD;
    ELSE
        token := NEW;
    END IF;
    SELECT users.name INTO owner FROM hoga.users WHERE users.id = token.user_id;
    terms := jsonb_build_object(
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
            PERFORM hoga.note_audit('token.revoke', token.user_id, owner, token.id);
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

CREATE TRIGGER audit
    AFTER INSERT OR DELETE OR UPDATE OF user_id, token_sha256, scope, expires_at, revoked_at
    ON hoga.api_tokens
    FOR EACH ROW EXECUTE FUNCTION hoga.audit_token();

CREATE FUNCTION hoga.audit_migration() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM hoga.note_audit('migration.apply', NULL, NEW.name);
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION hoga.audit_migration() FROM PUBLIC;

CREATE TRIGGER audit AFTER INSERT ON hoga.schema_migrations
    FOR EACH ROW EXECUTE FUNCTION hoga.audit_migration();

-- The answer of hoga.news with the age of the newest change of each user's record: microseconds
-- since its transaction began. Both times are of this server's clock. NULL for changes of access.
CREATE FUNCTION hoga.aged_news(after text)
RETURNS TABLE (mark text, is_reset boolean, changed bigint, is_access boolean, age bigint)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT news.mark, news.is_reset, news.changed, news.is_access,
        (extract(epoch FROM clock_timestamp() - newest.written_at) * 1000000)::bigint
    FROM hoga.news(after) AS news
    LEFT JOIN LATERAL (
        SELECT written.written_at FROM hoga.journal AS written
        WHERE written.user_id = news.changed AND NOT news.is_access
        ORDER BY written.number DESC LIMIT 1
    ) AS newest ON true
$$;
REVOKE ALL ON FUNCTION hoga.aged_news(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.aged_news(text) TO hoga_app;
