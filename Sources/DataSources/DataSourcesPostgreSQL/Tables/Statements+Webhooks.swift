/// Webhooks and their deliveries.
extension Statements {
    static let readWebhook = NamedStatement(
        name: "read_webhook",
        sql: """
            SELECT hooks.url, hooks.created_at, hooks.last_success_at, hooks.failed_at,
                hooks.failure, hooks.dropped,
                (
                    SELECT count(*) FROM hoga.alert_log AS logged
                    LEFT JOIN hoga.webhook_progress AS progress
                        ON progress.user_id = logged.user_id AND progress.feed = logged.feed
                    WHERE logged.user_id = $1
                        AND logged.number > coalesce(progress.tried_through, hooks.since)
                ) + (
                    SELECT count(*) FROM hoga.webhook_failures AS failed
                    WHERE failed.user_id = $1 AND failed.retry_at IS NOT NULL
                )
            FROM hoga.webhooks AS hooks WHERE hooks.user_id = $1
            """
    )

    static let readDeadLetters = NamedStatement(
        name: "read_dead_letters",
        sql: """
            SELECT number, attempts, failed_at, failure FROM hoga.webhook_failures
            WHERE user_id = $1 AND retry_at IS NULL ORDER BY number DESC LIMIT $2
            """
    )

    /// Sets address `$2` and secret `$3` at the time `$4`.
    static let putWebhook = NamedStatement(
        name: "put_webhook",
        sql: """
            WITH progress AS (
                UPDATE hoga.webhook_progress SET failures = NULL, backoff_until = NULL
                WHERE user_id = $1
            ), failed AS (
                UPDATE hoga.webhook_failures SET retry_at = $4
                WHERE user_id = $1 AND retry_at IS NOT NULL
            )
            INSERT INTO hoga.webhooks AS hooks (user_id, url, secret, created_at, since)
            SELECT $1, $2, $3, $4, users.alerts_logged FROM hoga.users AS users
            WHERE users.id = $1
            ON CONFLICT (user_id) DO UPDATE SET
                url = excluded.url, secret = excluded.secret, created_at = excluded.created_at,
                last_success_at = NULL, failed_at = NULL, failure = NULL
            """
    )

    static let removeWebhook = NamedStatement(
        name: "remove_webhook",
        sql: "DELETE FROM hoga.webhooks WHERE user_id = $1 RETURNING user_id"
    )

    /// The lock that a change of a webhook takes before it looks at what failed.
    static let lockWebhook = NamedStatement(
        name: "lock_webhook",
        sql: "SELECT 1 FROM hoga.webhooks WHERE user_id = $1 FOR UPDATE"
    )

    /// The next deliveries at the time `$2` of the next `$5` users after the number `$4`: all, or
    /// only `$3`.
    static let readWebhookDeliveries = NamedStatement(
        name: "read_webhook_deliveries",
        sql: """
            SELECT owner, number, rule, market, at, value, is_rise, lateness, rule_text, $1::text,
                stored_at, url, created_at, secret, attempts, failures, not_before
            FROM hoga.webhook_deliveries($1, $2, $3::bigint[], $4, $5)
            """
    )

    static let recordWebhookAttempts = NamedStatement(
        name: "record_webhook_attempts",
        sql: """
            SELECT hoga.record_webhook_attempts(
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
            )::text
            """
    )

    static let webhooks = [
        readWebhook, readDeadLetters, putWebhook, removeWebhook, lockWebhook,
        readWebhookDeliveries, recordWebhookAttempts,
    ]
}
