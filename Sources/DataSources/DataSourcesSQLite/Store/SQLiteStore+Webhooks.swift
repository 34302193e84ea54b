public import DataSourceContracts

extension SQLiteStore: WebhookStoreSource {
    /// Reads the webhook of a user.
    public func webhook(
        of user: Int64,
        deadLettersMax: Int
    ) throws(StoreError) -> WebhookDTO? {
        try perform(.reading) { connection throws(StoreError) in
            try WebhookTables(connection: connection, user: user)
                .webhook(deadLettersMax: deadLettersMax)
        }
    }

    /// Sets address and secret of a user's webhook.
    public func setWebhook(_ new: NewWebhookDTO, of user: Int64) throws(StoreError) {
        try perform(.writing) { connection throws(StoreError) in
            let tables = WebhookTables(connection: connection, user: user)
            guard try tables.set(new) else {
                throw UserRecordTables(connection: connection, user: user).noUser
            }
            try UserRecordTables(connection: connection, user: user)
                .append(NewJournalDTO(at: new.createdAt, kind: "webhook.set", subject: nil))
        }
    }

    /// Removes a user's webhook.
    public func removeWebhook(of user: Int64, at time: Int64) throws(StoreError) -> Bool {
        try perform(.writing) { connection throws(StoreError) in
            guard try WebhookTables(connection: connection, user: user).remove() else {
                return false
            }
            try UserRecordTables(connection: connection, user: user)
                .append(NewJournalDTO(at: time, kind: "webhook.remove", subject: nil))
            return true
        }
    }

    /// Reads the next delivery of each user.
    public func webhookDeliveries(
        of users: [Int64]?,
        feed: String,
        at time: Int64
    ) throws(StoreError) -> [WebhookDeliveryDTO] {
        try perform(.reading) { connection throws(StoreError) in
            let owners = try connection.rows("SELECT user_id FROM webhooks ORDER BY user_id", []) {
                $0.integer(0)
            }
            var deliveries: [WebhookDeliveryDTO] = []
            for user in owners where users?.contains(user) ?? true {
                let tables = WebhookTables(connection: connection, user: user)
                if let next = try tables.delivery(feed: feed, at: time) { deliveries.append(next) }
            }
            return deliveries
        }
    }

    /// Records attempts in one transaction.
    public func recordWebhookAttempts(
        _ attempts: [WebhookAttemptDTO],
        feed: String
    ) throws(StoreError) {
        try perform(.writing) { connection throws(StoreError) in
            for attempt in attempts {
                try WebhookTables(connection: connection, user: attempt.user)
                    .record(attempt, feed: feed)
            }
        }
    }
}
