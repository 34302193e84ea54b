public import DataSourceContracts
public import Domain

/// Webhooks and their deliveries in a store.
public struct StoredWebhookRepository: WebhookRepository, WebhookDeliveryRepository {
    private let source: any WebhookStoreSource

    /// Makes a repository over a store.
    public init(source: any WebhookStoreSource) {
        self.source = source
    }

    // MARK: The owner's view

    /// Reads the webhook of a user.
    public func webhook(of user: UserID) async throws(StoreFailure) -> Webhook? {
        do throws(StoreError) {
            return try await source.webhook(
                of: user.number,
                deadLettersMax: Webhook.deadLettersMax
            ).map(Self.webhook)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Sets address and secret of a user's webhook.
    public func set(_ new: NewWebhook, of user: UserID) async throws(StoreFailure) {
        let row = NewWebhookDTO(
            url: new.url,
            sealedSecret: new.sealedSecret,
            createdAt: new.at.microseconds
        )
        do throws(StoreError) {
            try await source.setWebhook(row, of: user.number)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Removes a user's webhook.
    public func remove(of user: UserID, at: Timestamp) async throws(StoreFailure) -> Bool {
        do throws(StoreError) {
            return try await source.removeWebhook(of: user.number, at: at.microseconds)
        } catch {
            throw StoreFailure(error)
        }
    }

    private static func webhook(_ row: WebhookDTO) -> Webhook {
        var webhook = Webhook(
            url: row.url,
            createdAt: Timestamp(microseconds: row.createdAt)
        )
        webhook.lastSuccessAt = row.lastSuccessAt.map(Timestamp.init(microseconds:))
        if let at = row.failedAt, let reason = row.failure {
            webhook.lastFailure = WebhookFailure(at: Timestamp(microseconds: at), reason: reason)
        }
        webhook.pendingCount = Int(row.pendingCount)
        webhook.droppedCount = Int(row.droppedCount)
        webhook.deadLetters = row.deadLetters.map { letter in
            WebhookDeadLetter(
                number: letter.number,
                attempts: Int(letter.attempts),
                failure: WebhookFailure(
                    at: Timestamp(microseconds: letter.failedAt),
                    reason: letter.failure
                )
            )
        }
        return webhook
    }

    // MARK: Delivery

    /// Reads the next delivery of each user.
    ///
    /// An alert that this version cannot read has none to send.
    public func next(
        of users: [UserID]?,
        feed: FeedKind,
        at now: Timestamp
    ) async throws(StoreFailure) -> [WebhookDelivery] {
        do throws(StoreError) {
            return try await source.webhookDeliveries(
                of: users?.map(\.number),
                feed: feed.rawValue,
                at: now.microseconds
            ).map(Self.delivery)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Records attempts in one transaction.
    public func record(
        _ outcomes: [WebhookOutcome],
        feed: FeedKind
    ) async throws(StoreFailure) {
        do throws(StoreError) {
            try await source.recordWebhookAttempts(outcomes.map(Self.row), feed: feed.rawValue)
        } catch {
            throw StoreFailure(error)
        }
    }

    private static func delivery(_ row: WebhookDeliveryDTO) -> WebhookDelivery {
        let user = UserID(row.user)
        var delivery = WebhookDelivery(
            user: user,
            number: row.alert.number,
            alert: UserAlertsMapping.logged(row.alert, of: user),
            storedAt: Timestamp(microseconds: row.alert.storedAt),
            url: row.url,
            createdAt: Timestamp(microseconds: row.createdAt),
            sealedSecret: row.sealedSecret
        )
        delivery.attempts = Int(row.attempts)
        delivery.failuresInRow = row.failures.map(Int.init)
        delivery.notBefore = row.notBefore.map(Timestamp.init(microseconds:))
        return delivery
    }

    private static func row(_ outcome: WebhookOutcome) -> WebhookAttemptDTO {
        WebhookAttemptDTO(
            user: outcome.user.number,
            number: outcome.number,
            createdAt: outcome.createdAt.microseconds,
            at: outcome.at.microseconds,
            failure: outcome.failure.map { failure in
                WebhookAttemptDTO.Failure(
                    reason: failure.reason,
                    attempts: Int64(failure.attempts),
                    inRow: Int64(failure.failuresInRow),
                    retryAt: failure.retryAt?.microseconds,
                    backoffUntil: failure.receiverBackoffUntil.microseconds,
                    givesUpBefore: failure.givesUpBefore.microseconds
                )
            }
        )
    }
}
