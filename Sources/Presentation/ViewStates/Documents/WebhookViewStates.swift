public import Domain
import JSON

/// The document `webhook`, version 1: where a user receives alerts as HTTP requests, without the
/// secret.
public struct WebhookViewState: DocumentState {
    /// `webhook`.
    public static let schemaName = "webhook"

    /// The `https` address.
    public var url: String
    /// When address and secret were set last.
    public var createdAt: Timestamp
    /// When the receiver accepted an alert last since then; nil before the first.
    public var lastSuccessAt: Timestamp?
    /// The newest failed attempt since then; nil without one.
    public var lastFailure: WebhookFailureViewState?
    /// Number of alerts that wait for an attempt.
    public var pending: Int
    /// Number of alerts that left the log before they were delivered.
    public var dropped: Int
    /// The newest alerts that are not tried again, newest first.
    public var deadLetters: [WebhookDeadLetterViewState]

    /// Presents a webhook.
    public init(_ webhook: Webhook) {
        url = webhook.url
        createdAt = webhook.createdAt
        lastSuccessAt = webhook.lastSuccessAt
        lastFailure = webhook.lastFailure.map(WebhookFailureViewState.init)
        pending = webhook.pendingCount
        dropped = webhook.droppedCount
        deadLetters = webhook.deadLetters.map(WebhookDeadLetterViewState.init)
    }

    /// About 150 bytes a dead letter.
    public var estimatedJSONSize: Int { 384 + url.utf8.count + deadLetters.count * 150 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object(
            "WebhookState",
            "Where the user receives alerts as HTTP requests, and what became of them."
        )
        fields.add("url", \.url)
        fields.add("createdAt", \.createdAt, note: "When address and secret were set last.")
        fields.add(
            "lastSuccessAt",
            \.lastSuccessAt,
            note: "When the receiver accepted an alert last since `createdAt`; null before."
        )
        fields.add(
            "lastFailure",
            \.lastFailure,
            note: "The newest failed attempt since `createdAt`; null without one."
        )
        fields.add("pending", \.pending, note: "Alerts that wait for an attempt.")
        fields.add(
            "dropped",
            \.dropped,
            note: "Alerts that left the log before they were delivered."
        )
        fields.add(
            "deadLetters",
            \.deadLetters,
            .list(of: WebhookDeadLetterViewState.self, max: Webhook.deadLettersMax),
            note: "The newest alerts that are not tried again, newest first."
        )
    }
}

/// A failed attempt to deliver an alert to a webhook.
public struct WebhookFailureViewState: DocumentObject {
    /// When the attempt ended.
    public var at: Timestamp
    /// What happened, in English.
    public var reason: String

    /// Presents a failure.
    public init(_ failure: WebhookFailure) {
        at = failure.at
        reason = failure.reason
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("WebhookFailure", "A failed attempt to deliver an alert.")
        fields.add("at", \.at)
        fields.add("reason", \.reason, note: "In English.")
    }
}

/// An alert that is not delivered to a webhook any more.
public struct WebhookDeadLetterViewState: DocumentObject {
    /// The alert's id in the log.
    public var id: String
    /// When the last attempt ended.
    public var at: Timestamp
    /// Number of attempts.
    public var attempts: Int
    /// Why the last attempt failed, in English.
    public var reason: String

    /// Presents a dead letter.
    public init(_ letter: WebhookDeadLetter) {
        id = String(letter.number)
        at = letter.failure.at
        attempts = letter.attempts
        reason = letter.failure.reason
    }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("WebhookDeadLetter", "An alert that is not tried again.")
        fields.add(
            "id",
            \.id,
            .text(pattern: alertNumberPattern),
            note: "That of the alert in `/v1/me/alerts/log`."
        )
        fields.add("at", \.at, note: "When the last attempt ended.")
        fields.add(
            "attempts",
            \.attempts,
            .count,
            note: "0 if the alert was a day old before its first attempt."
        )
        fields.add("reason", \.reason, note: "Why the last attempt failed, in English.")
    }
}

/// The document `new-webhook`, version 1: a webhook that was just set, with its secret.
public struct NewWebhookViewState: DocumentState {
    /// `new-webhook`.
    public static let schemaName = "new-webhook"

    /// The webhook.
    public var webhook: WebhookViewState
    /// The secret that signs the requests.
    public var secret: String

    /// Presents a webhook that was just set.
    public init(_ webhook: Webhook, secret: String) {
        self.webhook = WebhookViewState(webhook)
        self.secret = secret
    }

    /// About 80 bytes more than without the secret.
    public var estimatedJSONSize: Int { webhook.estimatedJSONSize + 80 }

    /// The members.
    public static func listFields(_ fields: inout some FieldList<Self>) {
        fields.object("NewWebhookState", "A webhook that was just set, with its secret.")
        fields.inline(\.webhook)
        fields.add(
            "secret",
            \.secret,
            .text(pattern: "^whsec_[A-Za-z0-9+/]+={0,2}$"),
            note: "Signs the requests. No other answer has it."
        )
    }

    /// Reads the members of the webhook and the secret from one object.
    public init(from decoder: any Decoder) throws {
        webhook = try WebhookViewState(from: decoder)
        secret = try decoder.container(keyedBy: CodingKeys.self)
            .decode(String.self, forKey: .secret)
    }

    private enum CodingKeys: String, CodingKey {
        case secret
    }
}
