import DataSourceContracts

/// The tables of a user's webhook and its deliveries, inside one transaction.
struct WebhookTables {
    let connection: SQLiteConnection
    /// The user's number.
    let user: Int64

    // MARK: The owner's view

    /// Reads the webhook; nil without one.
    func webhook(deadLettersMax: Int) throws(StoreError) -> WebhookDTO? {
        let found = try connection.first(
            """
            SELECT url, created_at, last_success_at, failed_at, failure, dropped,
                (
                    SELECT count(*) FROM alert_log AS logged
                    LEFT JOIN webhook_progress AS progress
                        ON progress.user_id = logged.user_id AND progress.feed = logged.feed
                    WHERE logged.user_id = ?1
                        AND logged.number > coalesce(progress.tried_through, webhooks.since)
                ) + (
                    SELECT count(*) FROM webhook_failures
                    WHERE user_id = ?1 AND retry_at IS NOT NULL
                )
            FROM webhooks WHERE user_id = ?1
            """,
            [.integer(user)]
        ) { row throws(StoreError) in
            var webhook = WebhookDTO(url: try row.text(0), createdAt: row.integer(1))
            webhook.lastSuccessAt = row.optionalInteger(2)
            webhook.failedAt = row.optionalInteger(3)
            webhook.failure = try row.optionalText(4)
            webhook.droppedCount = row.integer(5)
            webhook.pendingCount = row.integer(6)
            return webhook
        }
        guard var found else { return nil }
        found.deadLetters = try connection.rows(
            """
            SELECT number, attempts, failed_at, failure FROM webhook_failures
            WHERE user_id = ?1 AND retry_at IS NULL ORDER BY number DESC LIMIT ?2
            """,
            [.integer(user), .integer(Int64(deadLettersMax))]
        ) { row throws(StoreError) in
            WebhookDTO.DeadLetter(
                number: row.integer(0),
                attempts: row.integer(1),
                failedAt: row.integer(2),
                failure: try row.text(3)
            )
        }
        return found
    }

    /// Sets address and secret; false without such a user.
    func set(_ new: NewWebhookDTO) throws(StoreError) -> Bool {
        let logged = try connection.first(
            "SELECT alerts_logged FROM users WHERE id = ?1",
            [.integer(user)]
        ) { $0.integer(0) }
        guard let logged else { return false }
        try connection.run(
            """
            UPDATE webhook_progress SET failures = NULL, backoff_until = NULL WHERE user_id = ?1
            """,
            [.integer(user)]
        )
        try connection.run(
            """
            UPDATE webhook_failures SET retry_at = ?2
            WHERE user_id = ?1 AND retry_at IS NOT NULL
            """,
            [.integer(user), .integer(new.createdAt)]
        )
        try connection.run(
            """
            INSERT INTO webhooks (user_id, url, secret, created_at, since)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (user_id) DO UPDATE SET
                url = excluded.url, secret = excluded.secret, created_at = excluded.created_at,
                last_success_at = NULL, failed_at = NULL, failure = NULL
            """,
            [
                .integer(user), .text(new.url), .text(Hexadecimal.text(of: new.sealedSecret)),
                .integer(new.createdAt), .integer(logged),
            ]
        )
        return true
    }

    /// Removes the webhook; false without one.
    func remove() throws(StoreError) -> Bool {
        guard try webhook(deadLettersMax: 0) != nil else { return false }
        try connection.run("DELETE FROM webhooks WHERE user_id = ?1", [.integer(user)])
        return true
    }

    /// Counts the alerts up to a number, which leave the log, if they were to be delivered.
    func drop(through number: Int64) throws(StoreError) {
        try connection.run(
            """
            UPDATE webhooks SET dropped = dropped + (
                SELECT count(*) FROM alert_log AS gone
                LEFT JOIN webhook_progress AS progress
                    ON progress.user_id = gone.user_id AND progress.feed = gone.feed
                LEFT JOIN webhook_failures AS failed
                    ON failed.user_id = gone.user_id AND failed.number = gone.number
                WHERE gone.user_id = ?1 AND gone.number <= ?2
                    AND CASE WHEN failed.number IS NULL
                        THEN gone.number > coalesce(progress.tried_through, webhooks.since)
                        ELSE failed.retry_at IS NOT NULL
                    END
            ) WHERE user_id = ?1
            """,
            [.integer(user), .integer(number)]
        )
        try connection.run(
            "DELETE FROM webhook_failures WHERE user_id = ?1 AND number <= ?2",
            [.integer(user), .integer(number)]
        )
    }

    // MARK: Delivery

    /// Reads the next delivery of a feed; nil if nothing waits.
    func delivery(feed: String, at time: Int64) throws(StoreError) -> WebhookDeliveryDTO? {
        let waiting = try connection.first(
            """
            SELECT * FROM (
                SELECT 2 AS place, untried.number AS number, 0 AS attempts, NULL AS retry_at
                FROM webhooks
                LEFT JOIN webhook_progress AS progress
                    ON progress.user_id = webhooks.user_id AND progress.feed = ?2
                JOIN alert_log AS untried
                    ON untried.user_id = webhooks.user_id AND untried.feed = ?2
                    AND untried.number > coalesce(progress.tried_through, webhooks.since)
                WHERE webhooks.user_id = ?1
                UNION ALL
                SELECT CASE WHEN failed.retry_at <= ?3 THEN 1 ELSE 3 END, failed.number,
                    failed.attempts, failed.retry_at
                FROM webhook_failures AS failed
                WHERE failed.user_id = ?1 AND failed.feed = ?2 AND failed.retry_at IS NOT NULL
            ) ORDER BY place, retry_at, number LIMIT 1
            """,
            [.integer(user), .text(feed), .integer(time)]
        ) { row throws(StoreError) in
            (number: row.integer(1), attempts: row.integer(2), retryAt: row.optionalInteger(3))
        }
        guard let waiting,
            let alert = try AlertTables(connection: connection, user: user)
                .log(newest: 1, before: waiting.number + 1).first
        else { return nil }
        return try connection.first(
            """
            SELECT webhooks.url, webhooks.created_at, webhooks.secret, progress.failures,
                progress.backoff_until
            FROM webhooks
            LEFT JOIN webhook_progress AS progress
                ON progress.user_id = webhooks.user_id AND progress.feed = ?2
            WHERE webhooks.user_id = ?1
            """,
            [.integer(user), .text(feed)]
        ) { row throws(StoreError) in
            guard let secret = Hexadecimal.bytes(of: try row.text(2)) else {
                throw StoreError(.damaged, "the secret of a webhook is unreadable")
            }
            return WebhookDeliveryDTO(
                user: user,
                alert: alert,
                url: try row.text(0),
                createdAt: row.integer(1),
                sealedSecret: secret,
                attempts: waiting.attempts,
                failures: row.optionalInteger(3),
                notBefore: [waiting.retryAt, row.optionalInteger(4)].compactMap(\.self).max()
            )
        }
    }

    /// Records an attempt unless it was made with another version of the webhook, or failed while
    /// another process tried the alert.
    func record(_ attempt: WebhookAttemptDTO, feed: String) throws(StoreError) {
        let known = try connection.first(
            """
            SELECT hooks.created_at, coalesce(progress.tried_through, hooks.since), failed.attempts
            FROM webhooks AS hooks
            LEFT JOIN webhook_progress AS progress
                ON progress.user_id = hooks.user_id AND progress.feed = ?2
            LEFT JOIN webhook_failures AS failed
                ON failed.user_id = hooks.user_id AND failed.number = ?3
            WHERE hooks.user_id = ?1
            """,
            [.integer(user), .text(feed), .integer(attempt.number)]
        ) { row in
            (version: row.integer(0), tried: row.integer(1), attempts: row.optionalInteger(2))
        }
        guard let known, known.version == attempt.createdAt else { return }
        var triedThrough = max(known.tried, attempt.number)
        if let failure = attempt.failure {
            let attempts = known.attempts ?? (attempt.number > known.tried ? 0 : nil)
            guard failure.attempts - 1 == attempts else { return }
            let given = try giveUp(failure, of: attempt, after: known.tried, feed: feed)
            triedThrough = max(triedThrough, given)
            try put(failure, of: attempt, feed: feed)
        } else {
            try connection.run(
                "DELETE FROM webhook_failures WHERE user_id = ?1 AND number = ?2",
                [.integer(user), .integer(attempt.number)]
            )
            try connection.run(
                "UPDATE webhooks SET last_success_at = ?2 WHERE user_id = ?1",
                [.integer(user), .integer(attempt.at)]
            )
        }
        try connection.run(
            """
            INSERT INTO webhook_progress (user_id, feed, tried_through, failures, backoff_until)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (user_id, feed) DO UPDATE SET
                tried_through = excluded.tried_through,
                failures = excluded.failures, backoff_until = excluded.backoff_until
            """,
            [
                .integer(user), .text(feed), .integer(triedThrough),
                .integer(attempt.failure?.inRow ?? 0),
                .integer(ifAny: attempt.failure?.backoffUntil),
            ]
        )
    }

    /// Makes the old alerts of a feed that wait dead letters.
    ///
    /// - Returns: the number of the newest one that was not tried; 0 without any.
    private func giveUp(
        _ failure: WebhookAttemptDTO.Failure,
        of attempt: WebhookAttemptDTO,
        after tried: Int64,
        feed: String
    ) throws(StoreError) -> Int64 {
        try connection.run(
            """
            UPDATE webhook_failures SET retry_at = NULL
            WHERE user_id = ?1 AND feed = ?2 AND number <> ?3 AND number IN (
                SELECT number FROM alert_log WHERE user_id = ?1 AND stored_at < ?4
            )
            """,
            [
                .integer(user), .text(feed), .integer(attempt.number),
                .integer(failure.givesUpBefore),
            ]
        )
        // A younger one before it keeps its turn: clocks may go back.
        let last = try connection.first(
            """
            SELECT max(number) FROM alert_log
            WHERE user_id = ?1 AND feed = ?2 AND number > ?5 AND number <> ?3 AND stored_at < ?4
                AND number < coalesce(
                    (
                        SELECT min(number) FROM alert_log
                        WHERE user_id = ?1 AND feed = ?2 AND number > ?5 AND number <> ?3
                            AND stored_at >= ?4
                    ),
                    9223372036854775807
                )
            """,
            [
                .integer(user), .text(feed), .integer(attempt.number),
                .integer(failure.givesUpBefore), .integer(tried),
            ]
        ) { $0.optionalInteger(0) }
        guard let last, let last else { return 0 }
        try connection.run(
            """
            INSERT INTO webhook_failures (
                user_id, number, feed, attempts, retry_at, failed_at, failure
            )
            SELECT user_id, number, feed, 0, NULL, ?5, ?6 FROM alert_log
            WHERE user_id = ?1 AND feed = ?2 AND number > ?4 AND number <= ?7 AND number <> ?3
            """,
            [
                .integer(user), .text(feed), .integer(attempt.number), .integer(tried),
                .integer(attempt.at), .text(failure.reason), .integer(last),
            ]
        )
        return last
    }

    private func put(
        _ failure: WebhookAttemptDTO.Failure,
        of attempt: WebhookAttemptDTO,
        feed: String
    ) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO webhook_failures (
                user_id, number, feed, attempts, retry_at, failed_at, failure
            )
            SELECT user_id, number, ?3, ?4, ?5, ?6, ?7 FROM alert_log
            WHERE user_id = ?1 AND number = ?2
            ON CONFLICT (user_id, number) DO UPDATE SET
                attempts = excluded.attempts, retry_at = excluded.retry_at,
                failed_at = excluded.failed_at, failure = excluded.failure
            """,
            [
                .integer(user), .integer(attempt.number), .text(feed),
                .integer(failure.attempts), .integer(ifAny: failure.retryAt),
                .integer(attempt.at), .text(failure.reason),
            ]
        )
        try connection.run(
            "UPDATE webhooks SET failed_at = ?2, failure = ?3 WHERE user_id = ?1",
            [.integer(user), .integer(attempt.at), .text(failure.reason)]
        )
    }
}

/// As its connection.
@available(*, unavailable)
extension WebhookTables: Sendable {}
