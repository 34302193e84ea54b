public import Domain
import Synchronization

/// The webhooks of users, in memory.
public final class InMemoryWebhooks: WebhookRepository {
    private struct State {
        var webhooks: [UserID: Webhook] = [:]
        var sealedSecrets: [UserID: [UInt8]] = [:]
        var changeCount = 0
        var failure: StoreFailure?
    }

    private let state = Mutex(State())

    /// Makes a store without webhooks.
    public init() {}

    /// The encrypted secret of a user's webhook; nil without one.
    public func sealedSecret(of user: UserID) -> [UInt8]? {
        state.withLock { $0.sealedSecrets[user] }
    }

    /// Number of webhooks that were set or removed.
    public var changeCount: Int { state.withLock { $0.changeCount } }

    /// Fails every call from now on; nil ends that.
    public func fail(_ failure: StoreFailure?) { state.withLock { $0.failure = failure } }

    /// Puts a webhook that another process set.
    public func put(_ webhook: Webhook, of user: UserID) {
        state.withLock { $0.webhooks[user] = webhook }
    }

    /// Changes a user's webhook, as deliveries do.
    public func update(_ user: UserID, _ change: (inout Webhook) -> Void) {
        state.withLock { state in
            guard var webhook = state.webhooks[user] else { return }
            change(&webhook)
            state.webhooks[user] = webhook
        }
    }

    /// Reads a webhook.
    public func webhook(of user: UserID) async throws(StoreFailure) -> Webhook? {
        try perform { $0.webhooks[user] }
    }

    /// Sets a webhook; what waits and dead letters stay.
    public func set(_ new: NewWebhook, of user: UserID) async throws(StoreFailure) {
        try perform { state in
            var webhook = Webhook(url: new.url, createdAt: new.at)
            if let old = state.webhooks[user] {
                webhook.pendingCount = old.pendingCount
                webhook.droppedCount = old.droppedCount
                webhook.deadLetters = old.deadLetters
            }
            state.webhooks[user] = webhook
            state.sealedSecrets[user] = new.sealedSecret
            state.changeCount += 1
        }
    }

    /// Removes a webhook.
    public func remove(of user: UserID, at: Timestamp) async throws(StoreFailure) -> Bool {
        try perform { state in
            state.sealedSecrets[user] = nil
            guard state.webhooks.removeValue(forKey: user) != nil else { return false }
            state.changeCount += 1
            return true
        }
    }

    private func perform<Value: Sendable>(
        _ body: (inout State) -> Value
    ) throws(StoreFailure) -> Value {
        try state.withLock { state throws(StoreFailure) in
            if let failure = state.failure { throw failure }
            return body(&state)
        }
    }
}
