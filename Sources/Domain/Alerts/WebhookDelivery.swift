/// The next alert to deliver to a user's webhook.
public struct WebhookDelivery: Sendable, Hashable {
    /// The user.
    public var user: UserID
    /// The number of the alert in the user's log: with the user it identifies the delivery.
    public var number: Int64
    /// The alert; nil if this version cannot read it.
    public var alert: LoggedAlert?
    /// When the alert was logged.
    public var storedAt: Timestamp
    /// The `https` address.
    public var url: String
    /// When address and secret were set; an outcome counts only for the same.
    public var createdAt: Timestamp
    /// The encrypted secret.
    public var sealedSecret: [UInt8]
    /// Number of failed attempts with this alert.
    public var attempts: Int
    /// Number of failed attempts in a row; nil before the first attempt since address and secret
    /// were set.
    public var failuresInRow: Int?
    /// No attempt is made before this time; nil if nothing keeps it back.
    public var notBefore: Timestamp?

    /// Makes a delivery without a failed attempt.
    public init(
        user: UserID,
        number: Int64,
        alert: LoggedAlert?,
        storedAt: Timestamp,
        url: String,
        createdAt: Timestamp,
        sealedSecret: [UInt8]
    ) {
        self.user = user
        self.number = number
        self.alert = alert
        self.storedAt = storedAt
        self.url = url
        self.createdAt = createdAt
        self.sealedSecret = sealedSecret
        attempts = 0
        failuresInRow = nil
        notBefore = nil
    }
}

/// A group of receivers with a limit of its own for requests in flight.
public enum WebhookLane: Sendable, Hashable, CaseIterable {
    /// Receivers that accepted the last alert, and within a second.
    case working
    /// Receivers that are new, slow or failed once or twice.
    case unproven
    /// Receivers that failed more often in a row.
    case failing
}

/// The result of an attempt to deliver an alert.
public enum WebhookResult: Sendable, Hashable {
    /// This process failed, or the attempt was cancelled: nothing is known of the receiver.
    case unsent
    /// The receiver accepted the alert.
    case accepted
    /// The receiver did not, with the reason in English, and the wait that it asked for.
    case failed(String, retryAfter: Duration?)
}

/// An attempt to deliver an alert, for the store.
public struct WebhookOutcome: Sendable, Hashable {
    /// The user.
    public var user: UserID
    /// The number of the alert in the user's log.
    public var number: Int64
    /// The version of the webhook: ``WebhookDelivery/createdAt``.
    public var createdAt: Timestamp
    /// When the attempt ended, by the local wall clock.
    public var at: Timestamp
    /// Why it failed; nil if the receiver accepted the alert.
    public var failure: WebhookFailedAttempt?

    /// Evaluates the result of an attempt; nil if there is nothing to record.
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - delivery: what was tried.
    ///   - at: when the attempt ended, by the local wall clock.
    ///   - random: uniformly random bits, for the wait.
    public init?(
        _ result: WebhookResult,
        of delivery: WebhookDelivery,
        at: Timestamp,
        random: UInt64
    ) {
        user = delivery.user
        number = delivery.number
        createdAt = delivery.createdAt
        self.at = at
        let (reason, retryAfter): (String, Duration?)
        switch result {
        case .unsent: return nil
        case .accepted:
            failure = nil
            return
        case .failed(let text, let wait): (reason, retryAfter) = (text, wait)
        }
        let own = WebhookRetry.wait(after: delivery.attempts + 1, random: random)
        let next = at.advanced(by: max(own, min(retryAfter ?? .zero, WebhookRetry.longest)))
        let end = delivery.storedAt.advanced(by: WebhookRetry.period)
        let inRow = (delivery.failuresInRow ?? 0) + 1
        failure = WebhookFailedAttempt(
            reason: WebhookFailure(at: at, reason: reason).reason,
            attempts: delivery.attempts + 1,
            failuresInRow: inRow,
            retryAt: next > end ? nil : next,
            receiverBackoffUntil: at.advanced(
                by: max(
                    WebhookRetry.wait(after: inRow, random: random),
                    min(retryAfter ?? .zero, WebhookRetry.longest)
                )
            ),
            givesUpBefore: at.advanced(by: .zero - WebhookRetry.period)
        )
    }
}

/// A failed attempt as the store records it.
public struct WebhookFailedAttempt: Sendable, Hashable {
    /// The reason of the failure, in English.
    public var reason: String
    /// Number of failed attempts with this alert.
    public var attempts: Int
    /// Number of failed attempts since the receiver accepted an alert last.
    public var failuresInRow: Int
    /// When the alert is tried again; nil if it is a dead letter.
    public var retryAt: Timestamp?
    /// The time before which no request is sent to the receiver.
    public var receiverBackoffUntil: Timestamp
    /// Alerts of the user and feed that were logged before this time become dead letters.
    public var givesUpBefore: Timestamp
}

/// How long failed deliveries are repeated.
public enum WebhookRetry: Sendable {
    /// How long an alert is tried after it was logged.
    ///
    /// Older ones are dead letters from the next failure on.
    public static let period: Duration = .seconds(24 * 60 * 60)
    /// The longest wait, also if the receiver asks for more.
    public static let longest: Duration = .seconds(60 * 60)
    /// The whole wait after the first failure.
    static let first: Duration = .seconds(5)

    /// The wait after failed attempts in a row: 5 s, 15 s, 45 s, … up to an hour, each random
    /// between half and the whole of it.
    public static func wait(after failures: Int, random: UInt64) -> Duration {
        var whole = first
        // The seventh wait is an hour.
        for _ in 0..<max(0, min(failures - 1, 7)) { whole = min(whole * 3, longest) }
        return whole / 2 + whole / 2 * Int(random % 1_025) / 1_024
    }
}
