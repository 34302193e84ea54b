-- runs-with: 5
-- How long rows of the journal are kept, and the removal of old rows of users who change nothing.
-- Instances of 0.1.0 keep working beside it: they go on to delete rows before the newest 10,000,
-- of which the policy of 0006 lets them remove those that are not kept.

-- One row, which the owner may change. The service can neither read nor change it: a shorter time
-- would let it remove what is kept.
CREATE TABLE hoga.journal_terms (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    -- Rows of each user that are kept at most.
    rows_max bigint NOT NULL DEFAULT 10000 CHECK (rows_max BETWEEN 1 AND 1000000),
    -- How long they are kept, by the server's clock.
    age_max interval NOT NULL DEFAULT interval '366 days' CHECK (age_max >= interval '1 day')
);
INSERT INTO hoga.journal_terms DEFAULT VALUES;
ALTER TABLE hoga.journal_terms ENABLE ROW LEVEL SECURITY;

-- The number up to which rows of a user are not kept any more: those before the newest ones, and
-- those before the first row that is young enough. The newest row always stays, because it holds
-- the number of changes. NULL for a user without rows.
CREATE FUNCTION hoga.journal_limit_of(of_user bigint) RETURNS bigint
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT least(
        head.number - 1,
        greatest(
            head.number - terms.rows_max,
            coalesce(
                (
                    SELECT recent.number FROM hoga.journal AS recent
                    WHERE recent.user_id = of_user
                        AND recent.written_at >= clock_timestamp() - terms.age_max
                    ORDER BY recent.number LIMIT 1
                ),
                head.number
            ) - 1
        )
    )
    FROM hoga.journal_terms AS terms
    CROSS JOIN LATERAL (
        SELECT newest.number FROM hoga.journal AS newest WHERE newest.user_id = of_user
        ORDER BY newest.number DESC LIMIT 1
    ) AS head
$$;
REVOKE ALL ON FUNCTION hoga.journal_limit_of(bigint) FROM PUBLIC;

-- The same for the user that the transaction names.
CREATE OR REPLACE FUNCTION hoga.journal_limit() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT hoga.journal_limit_of(nullif(current_setting('app.user_id', true), '')::bigint)
$$;

-- Removes the rows that are not kept any more of the next users after a number, as the holder of a
-- lease. Returns the last of these users, NULL if there was none, and the number of removed rows.
--
-- A user's own change removes old rows too, so a row that it is removing is left to it.
CREATE FUNCTION hoga.prune_journals(
    lease_name text, lease_holder text, lease_epoch bigint, after bigint, users_max bigint
) RETURNS TABLE (last_user bigint, pruned bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM hoga.hold_lease(lease_name, lease_holder, lease_epoch);
    SELECT max(next.id) INTO last_user FROM (
        SELECT users.id FROM hoga.users AS users WHERE users.id > after
        ORDER BY users.id LIMIT users_max
    ) AS next;
    DELETE FROM hoga.journal AS old
    USING (
        SELECT found.user_id, found.number
        FROM (
            SELECT users.id FROM hoga.users AS users
            WHERE users.id > after AND users.id <= last_user
        ) AS next
        CROSS JOIN LATERAL hoga.journal_limit_of(next.id) AS edge (number)
        CROSS JOIN LATERAL (
            SELECT kept.user_id, kept.number FROM hoga.journal AS kept
            WHERE kept.user_id = next.id AND kept.number <= edge.number
            ORDER BY kept.number
            FOR UPDATE SKIP LOCKED
        ) AS found
    ) AS gone
    WHERE old.user_id = gone.user_id AND old.number = gone.number;
    GET DIAGNOSTICS pruned = ROW_COUNT;
    RETURN NEXT;
END
$$;
REVOKE ALL ON FUNCTION hoga.prune_journals(text, text, bigint, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.prune_journals(text, text, bigint, bigint, bigint) TO hoga_app;
