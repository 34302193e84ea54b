public import DataSourceContracts

/// Webhooks and their deliveries.
extension InMemoryStore: WebhookStoreSource {
    /// Reads the webhook of a user.
    public func webhook(
        of user: Int64,
        deadLettersMax: Int
    ) async throws(StoreError) -> WebhookDTO? {
        try perform { state in
            let user = state.users[user]
            return user?.webhook?.seen(user?.alerts.log ?? [], deadLettersMax: deadLettersMax)
        }
    }

    /// Sets address and secret of a user's webhook.
    public func setWebhook(_ new: NewWebhookDTO, of user: Int64) async throws(StoreError) {
        try perform { state throws(StoreError) in
            var changed = try state.user(user)
            changed.setWebhook(new)
            changed.append(NewJournalDTO(at: new.createdAt, kind: "webhook.set", subject: nil))
            state.users[user] = changed
        }
    }

    /// Removes a user's webhook.
    public func removeWebhook(of user: Int64, at time: Int64) async throws(StoreError) -> Bool {
        try perform { state in
            guard state.users[user]?.webhook != nil else { return false }
            state.users[user]?.webhook = nil
            state.users[user]?
                .append(NewJournalDTO(at: time, kind: "webhook.remove", subject: nil))
            return true
        }
    }

    /// Reads the next delivery of each user.
    public func webhookDeliveries(
        of users: [Int64]?,
        feed: String,
        at time: Int64
    ) async throws(StoreError) -> [WebhookDeliveryDTO] {
        try perform { state in
            state.users.sorted { $0.key < $1.key }
                .filter { users?.contains($0.key) ?? true && !$0.value.isDisabled }
                .compactMap { number, user in
                    user.webhook?.delivery(of: number, user.alerts.log, feed: feed, at: time)
                }
        }
    }

    /// Records attempts.
    public func recordWebhookAttempts(
        _ attempts: [WebhookAttemptDTO],
        feed: String
    ) async throws(StoreError) {
        try perform { state in
            for attempt in attempts {
                let log = state.users[attempt.user]?.alerts.log ?? []
                state.users[attempt.user]?.webhook?
                    .record(attempt, log.filter { $0.feed == feed }, feed: feed)
            }
        }
    }
}

/// The webhook of a user.
struct StoredWebhook {
    struct Failure {
        var number: Int64
        var feed: String
        var attempts: Int64
        var retryAt: Int64?
        var at: Int64
        var reason: String
    }

    struct Progress {
        var triedThrough: Int64
        var failures: Int64?
        var backoffUntil: Int64?
    }

    var row: WebhookDTO
    var secret: [UInt8]
    let since: Int64
    var progress: [String: Progress] = [:]
    var failures: [Int64: Failure] = [:]

    /// The row with what waits.
    func seen(_ log: [AlertLogDTO], deadLettersMax: Int) -> WebhookDTO {
        var row = row
        row.pendingCount = Int64(log.count { isWaiting($0) })
        row.deadLetters = failures.values.filter { $0.retryAt == nil }
            .sorted { $0.number > $1.number }.prefix(deadLettersMax)
            .map { failed in
                WebhookDTO.DeadLetter(
                    number: failed.number,
                    attempts: failed.attempts,
                    failedAt: failed.at,
                    failure: failed.reason
                )
            }
        return row
    }

    fileprivate func isUntried(_ alert: AlertLogDTO) -> Bool {
        alert.number > progress[alert.feed]?.triedThrough ?? since
    }

    private func isWaiting(_ alert: AlertLogDTO) -> Bool {
        failures[alert.number].map { $0.retryAt != nil } ?? isUntried(alert)
    }

    /// Counts an alert that leaves the log.
    mutating func drop(_ alert: AlertLogDTO) {
        if isWaiting(alert) { row.droppedCount += 1 }
        failures[alert.number] = nil
    }

    fileprivate func delivery(
        of user: Int64,
        _ log: [AlertLogDTO],
        feed: String,
        at time: Int64
    ) -> WebhookDeliveryDTO? {
        let retry = failures.values.filter { $0.feed == feed && $0.retryAt != nil }
            .min { ($0.retryAt ?? 0, $0.number) < ($1.retryAt ?? 0, $1.number) }
        let untried = log.first { $0.feed == feed && isUntried($0) }
        let tried = log.first { $0.number == retry?.number }
        let isDue = retry?.retryAt.map { $0 <= time } ?? false
        guard let alert = isDue ? tried : untried ?? tried else { return nil }
        let known = isDue || untried == nil ? retry : nil
        return WebhookDeliveryDTO(
            user: user,
            alert: alert,
            url: row.url,
            createdAt: row.createdAt,
            sealedSecret: secret,
            attempts: known?.attempts ?? 0,
            failures: progress[feed]?.failures,
            notBefore: [known?.retryAt, progress[feed]?.backoffUntil].compactMap(\.self).max()
        )
    }

    fileprivate mutating func record(
        _ attempt: WebhookAttemptDTO,
        _ log: [AlertLogDTO],
        feed: String
    ) {
        guard attempt.createdAt == row.createdAt else { return }
        let tried = progress[feed]?.triedThrough ?? since
        var triedThrough = max(tried, attempt.number)
        if let failure = attempt.failure {
            let known = failures[attempt.number]?.attempts ?? (attempt.number > tried ? 0 : nil)
            guard failure.attempts - 1 == known else { return }
            row.failedAt = attempt.at
            row.failure = failure.reason
            let waiting = log.filter { isWaiting($0) && $0.number != attempt.number }
            let isOld = { (alert: AlertLogDTO) in alert.storedAt < failure.givesUpBefore }
            let young = waiting.first { isUntried($0) && !isOld($0) }?.number ?? .max
            for old in waiting where isOld(old) && (!isUntried(old) || old.number < young) {
                if isUntried(old) { triedThrough = max(triedThrough, old.number) }
                failures[old.number] = Failure(
                    number: old.number,
                    feed: feed,
                    attempts: failures[old.number]?.attempts ?? 0,
                    retryAt: nil,
                    at: failures[old.number]?.at ?? attempt.at,
                    reason: failures[old.number]?.reason ?? failure.reason
                )
            }
            if log.contains(where: { $0.number == attempt.number }) {
                failures[attempt.number] = Failure(
                    number: attempt.number,
                    feed: feed,
                    attempts: failure.attempts,
                    retryAt: failure.retryAt,
                    at: attempt.at,
                    reason: failure.reason
                )
            }
        } else {
            row.lastSuccessAt = attempt.at
            failures[attempt.number] = nil
        }
        progress[feed] = Progress(
            triedThrough: triedThrough,
            failures: attempt.failure?.inRow ?? 0,
            backoffUntil: attempt.failure?.backoffUntil
        )
    }
}

extension StoredUser {
    fileprivate mutating func setWebhook(_ new: NewWebhookDTO) {
        let row = WebhookDTO(url: new.url, createdAt: new.createdAt)
        guard var known = webhook else {
            webhook = StoredWebhook(
                row: row,
                secret: new.sealedSecret,
                since: alerts.loggedCount
            )
            return
        }
        let dropped = known.row.droppedCount
        known.row = row
        known.row.droppedCount = dropped
        known.secret = new.sealedSecret
        for feed in known.progress.keys {
            known.progress[feed]?.failures = nil
            known.progress[feed]?.backoffUntil = nil
        }
        for (number, failure) in known.failures where failure.retryAt != nil {
            known.failures[number]?.retryAt = new.createdAt
        }
        webhook = known
    }
}
