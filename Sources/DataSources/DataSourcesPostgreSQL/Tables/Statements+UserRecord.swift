extension Statements {
    /// Like ``settle``, for the rows of one user.
    ///
    /// The fifth column tells whether row-level security hides other users' rows from this role.
    static let settleUser = NamedStatement(
        name: "settle_user",
        sql: """
            SELECT set_config('app.user_id', $1, true),
                set_config('statement_timeout', $2, true),
                set_config('lock_timeout', $3, true),
                set_config('idle_in_transaction_session_timeout', $4, true),
                row_security_active('hoga.users') AND row_security_active('hoga.journal'),
                set_config('jit', 'off', true),
                set_config('max_parallel_workers_per_gather', '0', true),
                set_config('enable_seqscan', 'off', true)
            """
    )

    /// The whole record of one user as of one moment.
    ///
    /// Part 0 is the row of `users`, 1 the favorites, 2 the settings, 3 the holdings, 4 the cash.
    static let readUserRecord = NamedStatement(
        name: "read_personal",
        sql: """
            SELECT 0::bigint AS part, profile_revision AS a, favorites_revision AS b,
                settings_revision AS c, holdings_revision AS d, cash_revision AS e,
                false AS f, name AS g, display_name AS h, NULL::text AS i, NULL::text AS j,
                NULL::text AS k, NULL::text AS l, NULL::text AS m, NULL::text AS n,
                NULL::text AS o, NULL::text AS p, NULL::text AS q
            FROM hoga.users WHERE id = $1
            UNION ALL
            SELECT 1, position, NULL, NULL, NULL, NULL, false, market,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM hoga.favorites WHERE user_id = $1
            UNION ALL
            SELECT 2, depth, NULL, NULL, NULL, NULL, pin_favorites, sort, sort_direction, quote,
                tab, change_period, "interval", chart_style, averages, theme, colors, lang
            FROM hoga.settings WHERE user_id = $1
            UNION ALL
            SELECT 3, NULL, NULL, NULL, NULL, NULL, false, asset,
                trim_scale(quantity)::text, trim_scale(average_price)::text,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM hoga.holdings WHERE user_id = $1
            UNION ALL
            SELECT 4, NULL, NULL, NULL, NULL, NULL, false, trim_scale(amount)::text,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
            FROM hoga.cash WHERE user_id = $1
            """
    )

    static let readChangeCount = NamedStatement(
        name: "read_change_count",
        sql: """
            SELECT profile_revision + favorites_revision + settings_revision
                + holdings_revision + cash_revision
            FROM hoga.users WHERE id = $1
            """
    )

    static let readJournal = NamedStatement(
        name: "read_journal",
        sql: """
            SELECT number, at, kind, subject FROM hoga.journal WHERE user_id = $1
            ORDER BY number DESC LIMIT $2
            """
    )

    /// The lock that each change of a user's record takes first.
    static let lockUser = NamedStatement(
        name: "lock_user",
        sql: "SELECT 1 FROM hoga.users WHERE id = $1 FOR NO KEY UPDATE"
    )

    /// Rewrites a row with its own values.
    static let rewriteUser = NamedStatement(
        name: "rewrite_user",
        sql: "UPDATE hoga.users SET cash_revision = cash_revision WHERE id = $1"
    )

    // MARK: Changes

    static let removeFavorites = NamedStatement(
        name: "remove_favorites",
        sql: "DELETE FROM hoga.favorites WHERE user_id = $1"
    )

    /// Appends markets in their order.
    static let appendFavorites = NamedStatement(
        name: "append_favorites",
        sql: """
            INSERT INTO hoga.favorites (user_id, market, position)
            SELECT $1::bigint, given.market, given.place + (
                SELECT coalesce(max(old.position), -1) FROM hoga.favorites AS old
                WHERE old.user_id = $1
            )
            FROM unnest($2::text[]) WITH ORDINALITY AS given (market, place)
            """
    )

    static let removeFavorite = NamedStatement(
        name: "remove_favorite",
        sql: "DELETE FROM hoga.favorites WHERE user_id = $1 AND market = $2"
    )

    static let putSettings = NamedStatement(
        name: "put_settings",
        sql: """
            INSERT INTO hoga.settings (
                user_id, sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
                chart_style, averages, depth, theme, colors, lang
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            ON CONFLICT (user_id) DO UPDATE SET
                sort = excluded.sort, sort_direction = excluded.sort_direction,
                quote = excluded.quote, tab = excluded.tab,
                pin_favorites = excluded.pin_favorites, change_period = excluded.change_period,
                "interval" = excluded."interval", chart_style = excluded.chart_style,
                averages = excluded.averages, depth = excluded.depth, theme = excluded.theme,
                colors = excluded.colors, lang = excluded.lang
            """
    )

    static let putHolding = NamedStatement(
        name: "put_holding",
        sql: """
            INSERT INTO hoga.holdings (user_id, asset, quantity, average_price)
            VALUES ($1, $2, $3::text::numeric, $4::text::numeric)
            ON CONFLICT (user_id, asset) DO UPDATE
            SET quantity = excluded.quantity, average_price = excluded.average_price
            """
    )

    static let removeHolding = NamedStatement(
        name: "remove_holding",
        sql: "DELETE FROM hoga.holdings WHERE user_id = $1 AND asset = $2"
    )

    static let putCash = NamedStatement(
        name: "put_cash",
        sql: """
            INSERT INTO hoga.cash (user_id, amount) VALUES ($1, $2::text::numeric)
            ON CONFLICT (user_id) DO UPDATE SET amount = excluded.amount
            """
    )

    static let removeCash = NamedStatement(
        name: "remove_cash",
        sql: "DELETE FROM hoga.cash WHERE user_id = $1"
    )

    static let putDisplayName = NamedStatement(
        name: "put_display_name",
        sql: "UPDATE hoga.users SET display_name = $2 WHERE id = $1"
    )

    /// Increments the revisions.
    static let incrementRevisions = NamedStatement(
        name: "count_change",
        sql: """
            UPDATE hoga.users SET
                profile_revision = profile_revision + $2,
                favorites_revision = favorites_revision + $3,
                settings_revision = settings_revision + $4,
                holdings_revision = holdings_revision + $5,
                cash_revision = cash_revision + $6
            WHERE id = $1
            """
    )

    static let appendJournal = NamedStatement(
        name: "note",
        sql: """
            INSERT INTO hoga.journal (user_id, number, at, kind, subject)
            SELECT $1::bigint, coalesce(max(old.number), 0) + 1, $2::timestamptz, $3::text, $4::text
            FROM hoga.journal AS old WHERE old.user_id = $1
            """
    )

    /// Removes the journal rows of the transaction's user that are not kept any more, at each
    /// sixteenth change: at each one it would be a fifth of the server's work.
    ///
    /// The database keeps as many rows as `hoga.journal_terms` says, and the newest row.
    static let pruneJournal = NamedStatement(
        name: "prune_journal",
        sql: """
            SELECT CASE WHEN hoga.journal_head() % 16 = 0 THEN hoga.prune_journal() END
            """
    )

    static let personal = [
        settleUser, readUserRecord, readChangeCount, readJournal, lockUser,
        rewriteUser, removeFavorites, appendFavorites, removeFavorite, putSettings, putHolding,
        removeHolding, putCash, removeCash, putDisplayName, incrementRevisions, appendJournal,
        pruneJournal,
    ]
}
