/// Alert rules and alerts.
extension Statements {
    // MARK: Changes of a user

    /// Inserts or replaces a rule, which has no states then.
    static let putAlertRule = NamedStatement(
        name: "put_alert_rule",
        sql: """
            WITH cleared AS (
                DELETE FROM hoga.alert_states AS old WHERE old.user_id = $1 AND old.rule = $2
            )
            INSERT INTO hoga.alert_rules (
                user_id, number, text, feed, books, created_at, fired_at
            ) VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (user_id, number) DO UPDATE SET
                text = excluded.text, feed = excluded.feed, books = excluded.books,
                created_at = excluded.created_at, fired_at = excluded.fired_at
            """
    )

    static let removeAlertRule = NamedStatement(
        name: "remove_alert_rule",
        sql: "DELETE FROM hoga.alert_rules WHERE user_id = $1 AND number = $2"
    )

    static let putAlertsSeen = NamedStatement(
        name: "put_alerts_seen",
        sql: "UPDATE hoga.users SET alerts_seen = $2 WHERE id = $1"
    )

    /// A page of a user's log: `$3` rows before the number `$2`, or the newest.
    static let readAlertLog = NamedStatement(
        name: "read_alert_log",
        sql: """
            SELECT number, rule, nullif(market, ''), at, trim_scale(value)::text, is_rise, lateness,
                rule_text, feed, stored_at
            FROM hoga.alert_log
            WHERE user_id = $1 AND number < coalesce($2::bigint, 9223372036854775807)
            ORDER BY number DESC LIMIT $3
            """
    )

    // MARK: Evaluation for all users

    /// The next `$4` users after the number `$3` with rules of the feed `$1`: all, or only `$2`.
    ///
    /// The rows after the user's number are those of ``readUserRecord``; part 8 has a state.
    static let readAlertOwners = NamedStatement(
        name: "read_alert_owners",
        sql: "SELECT * FROM hoga.alert_owners($1, $2::bigint[], $3, $4)"
    )

    static let readAlertBooks = NamedStatement(
        name: "read_alert_books",
        sql: "SELECT * FROM hoga.alert_books($1)"
    )

    /// Users changed since a mark; the first row has the next mark and no user.
    static let readAlertChanges = NamedStatement(
        name: "read_alert_changes",
        sql: "SELECT mark, changed FROM hoga.alert_changes($1::text)"
    )

    /// Stores alerts as the holder of a lease; the rows have users and their numbers of new alerts.
    static let storeAlerts = NamedStatement(
        name: "store_alerts",
        sql: """
            SELECT owner, logged FROM hoga.store_alerts(
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
            )
            """
    )

    static let readAlertValues = NamedStatement(
        name: "read_alert_values",
        sql: "SELECT * FROM hoga.read_alert_values($1)"
    )

    static let saveAlertValues = NamedStatement(
        name: "save_alert_values",
        sql: "SELECT hoga.save_alert_values($1, $2, $3, $4, $5)::text"
    )

    static let alerts = [
        readAlertLog, readAlertOwners, readAlertBooks, readAlertChanges, storeAlerts,
        readAlertValues, saveAlertValues,
    ]
}
