-- runs-with: 4
-- How instances learn of each other's changes: each one reads the journal, from the snapshot of its
-- last reading on. A notice only says that reading is worth it now, and no change of a user's
-- record waits for one. Programs of 0.1.0 go on to hear the notices and to call hoga.changes.

-- Whose access changed: a token was revoked, removed or given another end, or a user was disabled,
-- enabled or removed. Rows are kept for a day.
CREATE TABLE hoga.access_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- No reference, because the user may have been removed.
    user_id bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The transaction that wrote it, as in hoga.journal.
    change xid8 NOT NULL DEFAULT pg_current_xact_id()
);

CREATE INDEX access_changes_by_change ON hoga.access_changes (change);

-- Without a policy and without rights: only the function below reads it.
ALTER TABLE hoga.access_changes ENABLE ROW LEVEL SECURITY;

-- Triggers, so that changes by programs of 0.1.0 and by hand are noted too. Changes of access are
-- rare: they may wait for each other's notices.
CREATE FUNCTION hoga.note_access() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF TG_TABLE_NAME = 'users' THEN
        INSERT INTO hoga.access_changes (user_id) VALUES (OLD.id);
    ELSE
        INSERT INTO hoga.access_changes (user_id) VALUES (OLD.user_id);
    END IF;
    DELETE FROM hoga.access_changes WHERE at < clock_timestamp() - interval '1 day';
    -- Programs of 0.1.0 expect the number of a user and ignore this; they look tokens up anyway.
    PERFORM pg_notify('hoga_personal', 'access');
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION hoga.note_access() FROM PUBLIC;

CREATE TRIGGER note_access AFTER UPDATE OF revoked_at, expires_at ON hoga.api_tokens
    FOR EACH ROW WHEN (
        OLD.revoked_at IS DISTINCT FROM NEW.revoked_at
        OR OLD.expires_at IS DISTINCT FROM NEW.expires_at
    )
    EXECUTE FUNCTION hoga.note_access();
CREATE TRIGGER note_removal AFTER DELETE ON hoga.api_tokens
    FOR EACH ROW EXECUTE FUNCTION hoga.note_access();
CREATE TRIGGER note_access AFTER UPDATE OF disabled_at ON hoga.users
    FOR EACH ROW WHEN (OLD.disabled_at IS DISTINCT FROM NEW.disabled_at)
    EXECUTE FUNCTION hoga.note_access();
CREATE TRIGGER note_removal AFTER DELETE ON hoga.users
    FOR EACH ROW EXECUTE FUNCTION hoga.note_access();

-- Who was changed since a mark, each change once: by the transactions that the mark's snapshot did
-- not see, and this one does. The first row has the next mark and no user.
--
-- A mark is a cluster, its timeline and a snapshot. Transaction numbers of another cluster or
-- timeline mean other transactions: is_reset says that anybody may have changed, as it does without
-- a mark. A standby does not know its timeline, and gives another mark when it is promoted.
CREATE FUNCTION hoga.news(after text)
RETURNS TABLE (mark text, is_reset boolean, changed bigint, is_access boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    present CONSTANT pg_snapshot := pg_current_snapshot();
    history text := (SELECT system_identifier FROM pg_control_system())::text || '-';
    past pg_snapshot;
    running xid8[];
BEGIN
    IF pg_is_in_recovery() THEN
        history := history || 'standby';
    ELSE
        history := history || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
    END IF;
    mark := history || '/' || present::text;
    is_reset := after IS NULL OR split_part(after, '/', 1) <> history;
    RETURN NEXT;
    IF is_reset THEN
        RETURN;
    END IF;
    past := split_part(after, '/', 2)::pg_snapshot;
    running := ARRAY(SELECT pg_snapshot_xip(past));
    -- Transactions that this server has not begun are those of the server that a dump was taken
    -- from.
    RETURN QUERY
        SELECT NULL::text, false, found.user_id, bool_or(found.has_access)
        FROM (
            SELECT written.user_id, false AS has_access FROM hoga.journal AS written
            WHERE written.change >= pg_snapshot_xmax(past)
                AND written.change < pg_snapshot_xmax(present)
            UNION ALL
            SELECT written.user_id, false FROM hoga.journal AS written
            WHERE written.change = ANY (running)
            UNION ALL
            SELECT written.user_id, true FROM hoga.access_changes AS written
            WHERE written.change >= pg_snapshot_xmax(past)
                AND written.change < pg_snapshot_xmax(present)
            UNION ALL
            SELECT written.user_id, true FROM hoga.access_changes AS written
            WHERE written.change = ANY (running)
        ) AS found
        GROUP BY found.user_id;
END
$$;
REVOKE ALL ON FUNCTION hoga.news(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.news(text) TO hoga_app;
