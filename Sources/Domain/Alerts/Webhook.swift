/// The address at which a user receives alerts as HTTP requests.
public struct Webhook: Sendable, Hashable {
    /// The most bytes of an address.
    public static let urlBytesMax = 2_000
    /// The most listed dead letters of a webhook.
    public static let deadLettersMax = 100

    /// The `https` address.
    public var url: String
    /// When address and secret were set last, by the local wall clock: the version of the webhook.
    ///
    /// Alerts that were logged before the user first set it are not delivered.
    public var createdAt: Timestamp
    /// When the receiver accepted an alert last, since address and secret were set; nil before the
    /// first.
    public var lastSuccessAt: Timestamp?
    /// The newest failed attempt since address and secret were set; nil without one.
    public var lastFailure: WebhookFailure?
    /// Number of alerts that wait for their first attempt or for the next one.
    public var pendingCount: Int
    /// The newest alerts that are not tried again, newest first, at most ``deadLettersMax``.
    public var deadLetters: [WebhookDeadLetter]
    /// Number of alerts that left the user's log before they were delivered.
    public var droppedCount: Int

    /// Makes a webhook of which nothing was delivered.
    public init(url: String, createdAt: Timestamp) {
        self.url = url
        self.createdAt = createdAt
        lastSuccessAt = nil
        lastFailure = nil
        pendingCount = 0
        deadLetters = []
        droppedCount = 0
    }
}

/// A failed attempt to deliver an alert.
public struct WebhookFailure: Sendable, Hashable {
    /// The most bytes of a reason.
    public static let reasonBytesMax = 200

    /// When the attempt ended, by the local wall clock.
    public var at: Timestamp
    /// The reason of the failure, in English; at most ``reasonBytesMax`` bytes.
    public var reason: String

    /// Makes a failure; a longer reason is cut.
    public init(at: Timestamp, reason: String) {
        self.at = at
        var bytes = reason.utf8.prefix(Self.reasonBytesMax)
        // A character is not cut in two.
        while String(Substring(bytes)).utf8.count != bytes.count { bytes = bytes.dropLast() }
        self.reason = bytes.isEmpty ? "failed" : String(Substring(bytes))
    }
}

/// An alert that is not sent any more, because it is a day old and the receiver still fails.
public struct WebhookDeadLetter: Sendable, Hashable {
    /// The number of the alert in the user's log.
    public var number: Int64
    /// Number of attempts; 0 if it was a day old before its first one.
    public var attempts: Int
    /// The last failure; of another alert if there was no attempt.
    public var failure: WebhookFailure

    /// Makes a dead letter.
    public init(number: Int64, attempts: Int, failure: WebhookFailure) {
        self.number = number
        self.attempts = attempts
        self.failure = failure
    }
}

/// Address and secret that a user sets.
public struct NewWebhook: Sendable, Hashable {
    /// The `https` address, which was checked.
    public var url: String
    /// The encrypted secret.
    public var sealedSecret: [UInt8]
    /// When it is set, by the local wall clock: ``Webhook/createdAt``.
    public var at: Timestamp

    /// Makes a webhook to set.
    public init(url: String, sealedSecret: [UInt8], at: Timestamp) {
        self.url = url
        self.sealedSecret = sealedSecret
        self.at = at
    }
}
