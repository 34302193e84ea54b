import DataSourceContracts

/// The tables of a user's alert rules and alerts, inside one transaction.
struct AlertTables {
    let connection: SQLiteConnection
    /// The user's number.
    let user: Int64

    // MARK: Rules

    /// Reads the rules, by number.
    func rules() throws(StoreError) -> [AlertRuleDTO] {
        try connection.rows(
            """
            SELECT number, text, feed, books, created_at, fired_at FROM alert_rules
            WHERE user_id = ?1 ORDER BY number
            """,
            [.integer(user)]
        ) { row throws(StoreError) in
            AlertRuleDTO(
                number: row.integer(0),
                text: try row.text(1),
                feed: try row.text(2),
                books: try row.optionalText(3),
                createdAt: row.integer(4),
                firedAt: row.optionalInteger(5)
            )
        }
    }

    /// Inserts or replaces a rule, which has no states then.
    func put(_ rule: AlertRuleDTO) throws(StoreError) {
        try connection.run(
            "DELETE FROM alert_states WHERE user_id = ?1 AND rule = ?2",
            [.integer(user), .integer(rule.number)]
        )
        try connection.run(
            """
            INSERT INTO alert_rules (user_id, number, text, feed, books, created_at, fired_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (user_id, number) DO UPDATE SET
                text = excluded.text, feed = excluded.feed, books = excluded.books,
                created_at = excluded.created_at, fired_at = excluded.fired_at
            """,
            [
                .integer(user), .integer(rule.number), .text(rule.text), .text(rule.feed),
                .text(ifAny: rule.books), .integer(rule.createdAt), .integer(ifAny: rule.firedAt),
            ]
        )
    }

    /// Removes a rule with its states.
    func remove(_ number: Int64) throws(StoreError) {
        try connection.run(
            "DELETE FROM alert_rules WHERE user_id = ?1 AND number = ?2",
            [.integer(user), .integer(number)]
        )
    }

    /// Reads the states of the rules that have fired.
    func states() throws(StoreError) -> [AlertStateDTO] {
        try connection.rows(
            """
            SELECT rule, nullif(market, ''), state FROM alert_states WHERE user_id = ?1
            ORDER BY rule, market
            """,
            [.integer(user)]
        ) { row throws(StoreError) in
            AlertStateDTO(
                rule: row.integer(0),
                market: try row.optionalText(1),
                text: try row.text(2)
            )
        }
    }

    // MARK: Log

    /// Reads rows of the log, newest first.
    ///
    /// - Parameters:
    ///   - count: the most rows.
    ///   - end: rows before this number; nil for the newest.
    /// - Returns: the rows.
    /// - Throws: ``StoreError`` when they cannot be read.
    func log(newest count: Int, before end: Int64? = nil) throws(StoreError) -> [AlertLogDTO] {
        try connection.rows(
            """
            SELECT number, rule, nullif(market, ''), at, value, is_rise, lateness, rule_text, feed,
                stored_at
            FROM alert_log WHERE user_id = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3
            """,
            [.integer(user), .integer(end ?? .max), .integer(Int64(max(0, count)))]
        ) { row throws(StoreError) in
            AlertLogDTO(
                number: row.integer(0),
                alert: AlertDTO(
                    rule: row.integer(1),
                    market: try row.optionalText(2),
                    at: row.integer(3),
                    value: try row.text(4),
                    isRise: row.integer(5) != 0,
                    lateness: try row.optionalText(6)
                ),
                text: try row.text(7),
                feed: try row.text(8),
                storedAt: row.integer(9)
            )
        }
    }

    // MARK: Alerts

    /// Stores the user's alerts, in order of time, and the journal rows.
    ///
    /// Skips those of rules that were changed or removed, and those that are stored already.
    ///
    /// - Returns: the number of alerts that were stored.
    func store(
        _ alerts: [NewAlertDTO],
        feed: String,
        at storedAt: Int64
    ) throws(StoreError) -> Int {
        let logged = try connection.first(
            "SELECT alerts_logged FROM users WHERE id = ?1",
            [.integer(user)]
        ) { $0.integer(0) }
        guard let logged else { return 0 }
        let journal = UserRecordTables(connection: connection, user: user)
        var number = logged
        for new in alerts {
            guard let rule = try text(ofRuleOf: new, feed: feed), try isNew(new.alert) else {
                continue
            }
            number += 1
            try append(new.alert, rule, feed, number, at: storedAt)
            try keepState(new)
            try journal.append(
                NewJournalDTO(at: storedAt, kind: "alert.fire", subject: "\(new.alert.rule)")
            )
        }
        guard number > logged else { return 0 }
        try WebhookTables(connection: connection, user: user)
            .drop(through: number - Int64(AlertLogDTO.storedRowsMax))
        try connection.run(
            "DELETE FROM alert_log WHERE user_id = ?1 AND number <= ?2",
            [.integer(user), .integer(number - Int64(AlertLogDTO.storedRowsMax))]
        )
        try connection.run(
            """
            UPDATE users SET alerts_revision = alerts_revision + 1, alerts_logged = ?2
            WHERE id = ?1
            """,
            [.integer(user), .integer(number)]
        )
        return Int(number - logged)
    }

    /// The text of the rule that fired; nil if it was changed or removed.
    private func text(
        ofRuleOf new: NewAlertDTO,
        feed: String
    ) throws(StoreError) -> String? {
        try connection.first(
            """
            SELECT text FROM alert_rules
            WHERE user_id = ?1 AND number = ?2 AND created_at = ?3 AND feed = ?4
            """,
            [
                .integer(user), .integer(new.alert.rule), .integer(new.createdAt), .text(feed),
            ]
        ) { row throws(StoreError) in try row.text(0) }
    }

    /// Whether an alert is later than the newest one of the same rule and market.
    private func isNew(_ alert: AlertDTO) throws(StoreError) -> Bool {
        let last = try connection.first(
            "SELECT fired_at FROM alert_states WHERE user_id = ?1 AND rule = ?2 AND market = ?3",
            [.integer(user), .integer(alert.rule), .text(alert.market ?? "")]
        ) { $0.integer(0) }
        return last.map { $0 < alert.at } ?? true
    }

    /// Adds an alert; one that the rule fired before it was changed takes the new number and words.
    private func append(
        _ alert: AlertDTO,
        _ rule: String,
        _ feed: String,
        _ number: Int64,
        at storedAt: Int64
    ) throws(StoreError) {
        try connection.run(
            """
            INSERT INTO alert_log (
                user_id, number, rule, market, at, value, is_rise, lateness, rule_text, feed,
                stored_at
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT (user_id, rule, market, at, is_rise) DO UPDATE SET
                number = excluded.number, value = excluded.value, lateness = excluded.lateness,
                rule_text = excluded.rule_text, feed = excluded.feed,
                stored_at = excluded.stored_at
            """,
            [
                .integer(user), .integer(number), .integer(alert.rule),
                .text(alert.market ?? ""), .integer(alert.at), .text(alert.value),
                .integer(alert.isRise ? 1 : 0), .text(ifAny: alert.lateness), .text(rule),
                .text(feed), .integer(storedAt),
            ]
        )
    }

    private func keepState(_ new: NewAlertDTO) throws(StoreError) {
        let alert = new.alert
        try connection.run(
            """
            INSERT INTO alert_states (user_id, rule, market, fired_at, state)
            VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (user_id, rule, market) DO UPDATE SET
                fired_at = excluded.fired_at, state = excluded.state
            """,
            [
                .integer(user), .integer(alert.rule), .text(alert.market ?? ""),
                .integer(alert.at), .text(new.state),
            ]
        )
        try connection.run(
            """
            UPDATE alert_rules SET fired_at = max(coalesce(fired_at, ?3), ?3)
            WHERE user_id = ?1 AND number = ?2
            """,
            [.integer(user), .integer(alert.rule), .integer(alert.at)]
        )
    }
}

/// As its connection.
@available(*, unavailable)
extension AlertTables: Sendable {}
