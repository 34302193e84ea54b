import DataSourceContracts

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
    /// Part 0 is the row of `users`, 1 the favorites, 2 the settings, 3 the holdings, 4 the cash,
    /// 5 the revision of the alerts and what was seen, 6 the rules, 7 the newest ``logRowsMax``
    /// rows of the log.
    static let readUserRecord = NamedStatement(
        name: "read_personal",
        sql: """
            SELECT * FROM hoga.read_record($1) UNION ALL SELECT * FROM hoga.read_alerts($1, $2)
            """
    )

    /// The rows of the log that a record has.
    static let logRowsMax = PostgreSQLValue.integer(Int64(AlertLogDTO.recordRowsMax))

    static let readChangeCount = NamedStatement(
        name: "read_change_count",
        sql: """
            SELECT profile_revision + favorites_revision + settings_revision
                + holdings_revision + cash_revision + alerts_revision
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
                chart_style, averages, depth, theme, colors, lang, market_layout
            ) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            ON CONFLICT (user_id) DO UPDATE SET
                sort = excluded.sort, sort_direction = excluded.sort_direction,
                quote = excluded.quote, tab = excluded.tab,
                pin_favorites = excluded.pin_favorites, change_period = excluded.change_period,
                "interval" = excluded."interval", chart_style = excluded.chart_style,
                averages = excluded.averages, depth = excluded.depth, theme = excluded.theme,
                colors = excluded.colors, lang = excluded.lang,
                market_layout = excluded.market_layout
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

    /// Ends a change: increments the revisions and appends to the journal, pruning it at times.
    ///
    /// The row has the new revisions, in the order of ``UserRecordDTO/Revisions``.
    static let recordChange = NamedStatement(
        name: "record_change",
        sql: "SELECT * FROM hoga.record_change($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    )

    static let personal = [
        settleUser, readUserRecord, readChangeCount, readJournal, lockUser,
        rewriteUser, removeFavorites, appendFavorites, removeFavorite, putSettings, putHolding,
        removeHolding, putCash, removeCash, putDisplayName, putAlertRule, removeAlertRule,
        putAlertsSeen, recordChange,
    ]
}
