/// The webhooks of users, as their owners see them.
public protocol WebhookRepository: Sendable {
    /// Reads the webhook of a user; nil without one.
    ///
    /// - Throws: ``StoreFailure``: the failure of the store.
    func webhook(of user: UserID) async throws(StoreFailure) -> Webhook?

    /// Sets address and secret of the webhook of a user.
    ///
    /// Alerts that are logged from now on are delivered. If the user had a webhook before, those
    /// that it did not accept are tried again at the new address, dead letters excepted.
    ///
    /// - Throws: ``StoreFailure``: the failure of the store; nothing is changed then.
    func set(_ new: NewWebhook, of user: UserID) async throws(StoreFailure)

    /// Removes the webhook of a user; nothing is delivered any more.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - at: the local wall clock, for the journal.
    /// - Returns: false if the user has none.
    /// - Throws: ``StoreFailure``: the failure of the store.
    func remove(of user: UserID, at: Timestamp) async throws(StoreFailure) -> Bool
}

/// The alerts that wait for delivery to the webhooks of all users.
///
/// The process that stores the alerts of a feed delivers them.
public protocol WebhookDeliveryRepository: Sendable {
    /// Reads the next delivery of each user.
    ///
    /// An alert whose time to be tried again has come is first, then one that was not tried yet.
    ///
    /// - Parameters:
    ///   - users: only these; nil for all with a waiting alert.
    ///   - feed: the feed of the alerts.
    ///   - now: the local wall clock.
    /// - Returns: at most one delivery a user; those whose time has not come have
    ///   ``WebhookDelivery/notBefore``.
    /// - Throws: ``StoreFailure``: the failure of the store.
    func next(
        of users: [UserID]?,
        feed: FeedKind,
        at now: Timestamp
    ) async throws(StoreFailure) -> [WebhookDelivery]

    /// Records attempts in one transaction.
    ///
    /// Skips those with a webhook that was replaced or removed, and failures of alerts that another
    /// process has tried meanwhile.
    ///
    /// - Throws: ``StoreFailure``: nothing is recorded then.
    func record(_ outcomes: [WebhookOutcome], feed: FeedKind) async throws(StoreFailure)
}
