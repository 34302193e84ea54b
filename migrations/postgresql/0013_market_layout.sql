-- runs-with: 5
-- The visible panes of a market: 'chart-book' or 'chart'; NULL for all of them. Instances of older
-- versions keep working beside it: they leave the column as it is.

ALTER TABLE hoga.settings ADD COLUMN market_layout text COLLATE "C"
    CHECK (octet_length(market_layout) <= 40);

-- The record of a user with the layout. Parts and columns are those of hoga.user_record, which
-- older instances go on to call, and text_12.
CREATE FUNCTION hoga.read_record(of_user bigint)
RETURNS TABLE (
    part bigint, number_1 bigint, number_2 bigint, number_3 bigint, number_4 bigint,
    number_5 bigint, flag boolean, text_1 text, text_2 text, text_3 text, text_4 text, text_5 text,
    text_6 text, text_7 text, text_8 text, text_9 text, text_10 text, text_11 text, text_12 text
)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
AS $$
BEGIN
    RETURN QUERY
        SELECT 0::bigint, profile_revision, favorites_revision, settings_revision,
            holdings_revision, cash_revision, false, name, display_name, NULL::text, NULL::text,
            NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text, NULL::text,
            NULL::text
        FROM hoga.users WHERE id = of_user
        UNION ALL
        SELECT 1, position, NULL, NULL, NULL, NULL, false, market,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM hoga.favorites WHERE user_id = of_user
        UNION ALL
        SELECT 2, depth, NULL, NULL, NULL, NULL, pin_favorites, sort, sort_direction, quote,
            tab, change_period, "interval", chart_style, averages, theme, colors, lang,
            market_layout
        FROM hoga.settings WHERE user_id = of_user
        UNION ALL
        SELECT 3, NULL, NULL, NULL, NULL, NULL, false, asset,
            trim_scale(quantity)::text, trim_scale(average_price)::text,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM hoga.holdings WHERE user_id = of_user
        UNION ALL
        SELECT 4, NULL, NULL, NULL, NULL, NULL, false, trim_scale(amount)::text,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        FROM hoga.cash WHERE user_id = of_user;
END
$$;
REVOKE ALL ON FUNCTION hoga.read_record(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hoga.read_record(bigint) TO hoga_app;
