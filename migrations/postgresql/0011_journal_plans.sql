-- runs-with: 5
-- The journal's functions in a language that keeps their plans: each change calls three of them,
-- and the bodies of functions in SQL were planned again at each call. A plan that was kept while
-- the journal was empty, or whose statistics say so, must not read the whole table later. A table
-- without an index makes such a plan so expensive that it would be compiled, 0.3 s at each call.

CREATE OR REPLACE FUNCTION hoga.journal_head() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    RETURN (
        SELECT coalesce(max(number), 0) FROM hoga.journal
        WHERE user_id = nullif(current_setting('app.user_id', true), '')::bigint
    );
END
$$;

CREATE OR REPLACE FUNCTION hoga.journal_limit_of(of_user bigint) RETURNS bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    RETURN (
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
    );
END
$$;

CREATE OR REPLACE FUNCTION hoga.journal_limit() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off
AS $$
BEGIN
    RETURN hoga.journal_limit_of(nullif(current_setting('app.user_id', true), '')::bigint);
END
$$;

ALTER FUNCTION hoga.prune_journal() SET enable_seqscan = off;
ALTER FUNCTION hoga.prune_journal() SET jit = off;
