/// Sends alerts to the webhooks of users.
public protocol WebhookSender: Sendable {
    /// Tries once to deliver an alert.
    ///
    /// Ends within a bounded time, and promptly when the calling task is cancelled; then the
    /// receiver may have accepted the alert all the same.
    ///
    /// - Parameters:
    ///   - delivery: the alert, the address and the encrypted secret.
    ///   - lane: the group of the receiver; ``WebhookLane/working`` does not wait for the others.
    /// - Returns: the result; a failure has a reason without secrets.
    func send(_ delivery: WebhookDelivery, on lane: WebhookLane) async -> WebhookResult
}
