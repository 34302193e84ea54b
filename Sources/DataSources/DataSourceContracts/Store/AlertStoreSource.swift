/// The stored alert rules of all users and the alerts that they fired.
///
/// Any process reads; the holder of a feed's lease writes.
public protocol AlertStoreSource: LeaseSource {
    /// Reads the users with alert rules of a feed, in order of their numbers.
    ///
    /// Disabled users are left out.
    ///
    /// - Parameters:
    ///   - users: only these; nil for all.
    ///   - feed: the feed of the rules.
    /// - Returns: the users with their records, each as of one moment.
    /// - Throws: ``StoreError`` when they cannot be read.
    func alertOwners(
        _ users: [Int64]?,
        feed: String
    ) async throws(StoreError) -> [AlertOwnerDTO]

    /// Stores alerts in one transaction: rows of the log, the states of their rules, and
    /// ``AlertRuleDTO/firedAt``.
    ///
    /// Skips alerts of rules that were changed or removed, and those that are not later than the
    /// newest alert of the same rule and market: they are stored already, so that the call may be
    /// repeated. The revision of each user increments once, the journal gets a row `alert.fire`
    /// with the number of the rule for each alert, and the log keeps its newest 1,000 rows.
    ///
    /// - Parameters:
    ///   - alerts: in order of time.
    ///   - storedAt: the time of the rows, in microseconds since 1970 UTC.
    ///   - lease: the lease of the alerts' feed.
    /// - Returns: the number of alerts that were stored.
    /// - Throws: ``StoreError``: `fenced` once the lease was taken over or has expired.
    func storeAlerts(
        _ alerts: [NewAlertDTO],
        at storedAt: Int64,
        under lease: LeaseDTO
    ) async throws(StoreError) -> Int

    /// Reads the values that were saved last for a feed; empty without any.
    func alertValues(feed: String) async throws(StoreError) -> [String]

    /// Saves the last values of the rules' signals, as lines that only `Domain` reads.
    ///
    /// Lines that are saved already write nothing. A line has no line break.
    ///
    /// - Throws: ``StoreError``: `fenced` once the lease was taken over or has expired.
    func saveAlertValues(_ lines: [String], under lease: LeaseDTO) async throws(StoreError)

    /// Reads which users with alert rules or alerts changed, were disabled, enabled or removed.
    ///
    /// - Parameter mark: the mark of the last call; nil for no users and the first mark.
    /// - Returns: the users, some of them again, and the mark for the next call. All present users
    ///   if another server made the mark, as after a failover.
    /// - Throws: ``StoreError`` when they cannot be read.
    func alertChanges(
        after mark: String?
    ) async throws(StoreError) -> (users: [Int64], mark: String)

    /// Reads a page of a user's log, newest first.
    ///
    /// - Parameters:
    ///   - user: the user's number.
    ///   - number: rows before this one; nil for the newest.
    ///   - count: the most rows.
    /// - Returns: the rows; none without such a user.
    /// - Throws: ``StoreError`` when they cannot be read.
    func alertLog(
        of user: Int64,
        before number: Int64?,
        count: Int
    ) async throws(StoreError) -> [AlertLogDTO]

    /// Reads the markets whose books the rules of all users need, each once.
    func alertBooks(feed: String) async throws(StoreError) -> [String]
}
