/// The alert rules of all users, and the alerts that they fired.
///
/// Several processes read; the one that leads stores.
public protocol AlertRepository: Sendable {
    /// The term in which this process stores alerts of a feed; nil while it may not.
    ///
    /// A new term has a greater number.
    func term(of feed: FeedKind) -> Int64?

    /// Whether another process is known to store alerts of a feed.
    func isLedByAnother(_ feed: FeedKind) -> Bool

    /// Calls `body` whenever this process begins to lead, until the task is cancelled.
    func forEachTerm(_ body: () -> Void) async

    /// Reads the users with rules of a feed.
    ///
    /// - Parameters:
    ///   - users: only these, of which those without rules are told as such; nil for all.
    ///   - feed: the feed of the rules.
    /// - Returns: the users, with their rules of the feed.
    /// - Throws: ``StoreFailure``: the failure of the store.
    func owners(_ users: [UserID]?, feed: FeedKind) async throws(StoreFailure) -> [AlertOwner]

    /// Reads which users' records changed since the last call; nil at the first call.
    func changedUsers() async throws(StoreFailure) -> [UserID]?

    /// Reads the values that were saved last for a feed; nil without any.
    func values(of feed: FeedKind) async throws(StoreFailure) -> AlertBookState?

    /// Stores alerts in one transaction; those that are stored already are skipped.
    ///
    /// - Throws: ``StoreFailure``: nothing is stored then; ``StoreFailure/isRetryable`` tells
    ///   whether the same call may succeed later.
    func store(_ alerts: [FiredAlert], feed: FeedKind) async throws(StoreFailure)

    /// Saves the last values of the rules' signals.
    func save(_ values: AlertBookState) async throws(StoreFailure)
}
