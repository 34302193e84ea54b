/// The stored webhooks of users, and how far the alerts of the log were delivered to them.
public protocol WebhookStoreSource: Sendable {
    /// Reads the webhook of a user; nil without one.
    ///
    /// - Parameters:
    ///   - user: the user's number.
    ///   - deadLettersMax: the most dead letters, newest first.
    /// - Returns: the webhook.
    /// - Throws: ``StoreError`` when it cannot be read.
    func webhook(
        of user: Int64,
        deadLettersMax: Int
    ) async throws(StoreError) -> WebhookDTO?

    /// Sets address and secret of a user's webhook, and appends `webhook.set` to the journal.
    ///
    /// Alerts that are logged after the first time are delivered. Those that failed, dead letters
    /// excepted, may be tried again at once.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    func setWebhook(_ new: NewWebhookDTO, of user: Int64) async throws(StoreError)

    /// Removes a user's webhook, and appends `webhook.remove` to the journal.
    ///
    /// - Parameters:
    ///   - user: the user's number.
    ///   - time: the local wall clock, in microseconds since 1970 UTC.
    /// - Returns: false if the user has none.
    /// - Throws: ``StoreError`` when it cannot be removed.
    func removeWebhook(of user: Int64, at time: Int64) async throws(StoreError) -> Bool

    /// Reads the next delivery of each user who has a webhook and an alert of a feed that waits.
    ///
    /// Disabled users are left out. An alert that is due to be tried again comes first, then one
    /// that was not tried, then one that is due later.
    ///
    /// - Parameters:
    ///   - users: only these; nil for all.
    ///   - feed: the feed of the alerts.
    ///   - time: the local wall clock, in microseconds since 1970 UTC.
    /// - Returns: at most one delivery of each user, in order of their numbers.
    /// - Throws: ``StoreError`` when they cannot be read.
    func webhookDeliveries(
        of users: [Int64]?,
        feed: String,
        at time: Int64
    ) async throws(StoreError) -> [WebhookDeliveryDTO]

    /// Records attempts in one transaction.
    ///
    /// Skips those with another version of the webhook, and failures whose number of attempts does
    /// not follow the stored one: another process has tried the alert. With a failure, older alerts
    /// of the user and feed become dead letters: ``WebhookAttemptDTO/Failure/givesUpBefore``.
    ///
    /// - Parameters:
    ///   - attempts: at most one of each user.
    ///   - feed: the feed of the alerts.
    /// - Throws: ``StoreError``: nothing is recorded then.
    func recordWebhookAttempts(
        _ attempts: [WebhookAttemptDTO],
        feed: String
    ) async throws(StoreError)
}

/// A row of `webhooks`, with what waits.
///
/// Times are microseconds since 1970 UTC.
public struct WebhookDTO: Sendable, Hashable {
    /// A dead letter: a row of `webhook_failures`.
    public struct DeadLetter: Sendable, Hashable {
        /// The number of the alert in the log.
        public var number: Int64
        /// Number of attempts.
        public var attempts: Int64
        /// When the last one failed.
        public var failedAt: Int64
        /// Why.
        public var failure: String

        /// Makes a dead letter.
        public init(number: Int64, attempts: Int64, failedAt: Int64, failure: String) {
            self.number = number
            self.attempts = attempts
            self.failedAt = failedAt
            self.failure = failure
        }
    }

    /// The address.
    public var url: String
    /// When address and secret were set.
    public var createdAt: Int64
    /// When the receiver accepted an alert last.
    public var lastSuccessAt: Int64?
    /// When an attempt failed last.
    public var failedAt: Int64?
    /// Why; nil exactly if `failedAt` is.
    public var failure: String?
    /// Number of alerts that wait for an attempt.
    public var pendingCount: Int64
    /// The newest dead letters, newest first.
    public var deadLetters: [DeadLetter]
    /// Number of alerts that left the log before they were delivered.
    public var droppedCount: Int64

    /// Makes a webhook of which nothing was delivered.
    public init(url: String, createdAt: Int64) {
        self.url = url
        self.createdAt = createdAt
        pendingCount = 0
        deadLetters = []
        droppedCount = 0
    }
}

/// Address and secret to set.
public struct NewWebhookDTO: Sendable, Hashable {
    /// The address.
    public var url: String
    /// The encrypted secret, at most 500 bytes.
    public var sealedSecret: [UInt8]
    /// The local wall clock, in microseconds since 1970 UTC: the version.
    public var createdAt: Int64

    /// Makes a webhook to set.
    public init(url: String, sealedSecret: [UInt8], createdAt: Int64) {
        self.url = url
        self.sealedSecret = sealedSecret
        self.createdAt = createdAt
    }
}

/// An alert of the log to deliver.
public struct WebhookDeliveryDTO: Sendable, Hashable {
    /// The user's number.
    public var user: Int64
    /// The row of the log.
    public var alert: AlertLogDTO
    /// The webhook's address.
    public var url: String
    /// The version of the webhook.
    public var createdAt: Int64
    /// The webhook's encrypted secret.
    public var sealedSecret: [UInt8]
    /// Number of failed attempts with this alert.
    public var attempts: Int64
    /// Number of failed attempts in a row; nil before the first attempt.
    public var failures: Int64?
    /// No attempt before; nil if nothing keeps it back.
    public var notBefore: Int64?

    /// Makes a delivery.
    public init(
        user: Int64,
        alert: AlertLogDTO,
        url: String,
        createdAt: Int64,
        sealedSecret: [UInt8],
        attempts: Int64,
        failures: Int64?,
        notBefore: Int64?
    ) {
        self.user = user
        self.alert = alert
        self.url = url
        self.createdAt = createdAt
        self.sealedSecret = sealedSecret
        self.attempts = attempts
        self.failures = failures
        self.notBefore = notBefore
    }
}

/// An attempt to deliver an alert.
///
/// Times are microseconds since 1970 UTC.
public struct WebhookAttemptDTO: Sendable, Hashable {
    /// A failure.
    public struct Failure: Sendable, Hashable {
        /// Why, at most 400 bytes.
        public var reason: String
        /// Number of failed attempts with this alert.
        public var attempts: Int64
        /// Number of failed attempts in a row.
        public var inRow: Int64
        /// When the alert is tried again; nil for a dead letter.
        public var retryAt: Int64?
        /// The receiver gets nothing before.
        public var backoffUntil: Int64
        /// Alerts that were stored before become dead letters.
        public var givesUpBefore: Int64

        /// Makes a failure.
        public init(
            reason: String,
            attempts: Int64,
            inRow: Int64,
            retryAt: Int64?,
            backoffUntil: Int64,
            givesUpBefore: Int64
        ) {
            self.reason = reason
            self.attempts = attempts
            self.inRow = inRow
            self.retryAt = retryAt
            self.backoffUntil = backoffUntil
            self.givesUpBefore = givesUpBefore
        }
    }

    /// The user's number.
    public var user: Int64
    /// The number of the alert in the log.
    public var number: Int64
    /// The version of the webhook.
    public var createdAt: Int64
    /// When the attempt ended.
    public var at: Int64
    /// The failure; nil if the receiver accepted the alert.
    public var failure: Failure?

    /// Makes an attempt.
    public init(user: Int64, number: Int64, createdAt: Int64, at: Int64, failure: Failure?) {
        self.user = user
        self.number = number
        self.createdAt = createdAt
        self.at = at
        self.failure = failure
    }
}
