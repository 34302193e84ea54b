import Domain
import Synchronization
import TestSupport

/// Waiting alerts of users, and a sender whose requests a test answers.
final class ScriptedWebhooks: WebhookDeliveryRepository, WebhookSender {
    struct State {
        /// The numbers of the alerts that were not accepted yet, in order.
        var waiting: [UserID: [Int64]] = [:]
        /// Failures in a row; nil before the first attempt.
        var failures: [UserID: Int] = [:]
        var rests: [UserID: Timestamp] = [:]
        var attempts: [UserID: Int] = [:]
        var failure: StoreFailure?
        /// Whether outcomes are of another version of the webhooks.
        var skipsOutcomes = false
        var recorded: [[WebhookOutcome]] = []
        /// The users of each look-up; nil for all.
        var lookups: [[UserID]?] = []
        /// Requests in flight, in the order in which they began.
        var sent: [(delivery: WebhookDelivery, reply: CheckedContinuation<WebhookResult, Never>)] =
            []
        /// Every request, as `user-alert`.
        var requests: [String] = []
    }

    private let state = Mutex(State())

    var now: State { state.withLock(\.self) }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func next(
        of users: [UserID]?,
        feed: FeedKind,
        at now: Timestamp
    ) async throws(StoreFailure) -> [WebhookDelivery] {
        try check()
        return state.withLock { state in
            state.lookups.append(users)
            return state.waiting.sorted { $0.key.number < $1.key.number }
                .filter { users?.contains($0.key) ?? true }
                .compactMap { user, numbers in
                    numbers.first.map { state.delivery($0, of: user) }
                }
        }
    }

    func record(_ outcomes: [WebhookOutcome], feed: FeedKind) async throws(StoreFailure) {
        try check()
        state.withLock { state in
            state.recorded.append(outcomes)
            for outcome in outcomes where !state.skipsOutcomes {
                state.failures[outcome.user] = outcome.failure?.failuresInRow ?? 0
                state.rests[outcome.user] = outcome.failure?.receiverBackoffUntil
                state.attempts[outcome.user] = outcome.failure?.attempts
                if outcome.failure.map({ $0.retryAt == nil }) ?? true {
                    state.waiting[outcome.user]?.removeAll { $0 == outcome.number }
                }
            }
        }
    }

    private func check() throws(StoreFailure) {
        if let failure = state.withLock(\.failure) { throw failure }
    }

    func send(_ delivery: WebhookDelivery, on lane: WebhookLane) async -> WebhookResult {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                state.withLock { state in
                    state.requests.append("\(delivery.user.number)-\(delivery.number)")
                    state.sent.append((delivery, reply))
                }
            }
        } onCancel: {
            let replies = state.withLock { state in
                defer { state.sent = [] }
                return state.sent.map(\.reply)
            }
            for reply in replies { reply.resume(returning: .unsent) }
        }
    }

    /// Answers the oldest request in flight to a user.
    func answer(_ user: Int64, _ result: WebhookResult = .accepted) {
        let reply = state.withLock { state in
            let index = state.sent.firstIndex { $0.delivery.user == UserID(user) }
            return index.map { state.sent.remove(at: $0).reply }
        }
        guard let reply else { preconditionFailure("No request to user \(user) is in flight.") }
        reply.resume(returning: result)
    }
}

extension ScriptedWebhooks.State {
    fileprivate func delivery(_ number: Int64, of user: UserID) -> WebhookDelivery {
        var delivery = WebhookDelivery(
            user: user,
            number: number,
            alert: .sample(number),
            storedAt: .noon(),
            url: "https://example.com",
            createdAt: .noon(),
            sealedSecret: []
        )
        delivery.failuresInRow = failures[user]
        delivery.attempts = attempts[user] ?? 0
        delivery.notBefore = rests[user]
        return delivery
    }
}
