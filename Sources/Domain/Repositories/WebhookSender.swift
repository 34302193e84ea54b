/// Sends alerts to the webhooks of users.
public protocol WebhookSender: Sendable {
    /// Tries once to deliver an alert.
    ///
    /// Ends within a bounded time, and promptly when the calling task is cancelled; then the
    /// receiver may have accepted the alert all the same.
    ///
    /// - Parameter delivery: the alert, the address and the encrypted secret.
    /// - Returns: the result; a failure has a reason without secrets.
    func send(_ delivery: WebhookDelivery) async -> WebhookResult
}
