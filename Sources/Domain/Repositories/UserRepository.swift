/// Stores user data: favorites, settings, holdings, cash, alerts, and the journal of changes.
public protocol UserRepository: Sendable {
    /// Reads all data of a user.
    func record(of user: UserID) async throws(StoreFailure) -> UserRecord

    /// Makes a change durable in one transaction and records it in the journal.
    ///
    /// A change without effect increments no revision and writes nothing.
    ///
    /// - Returns: all data of the user after the change.
    /// - Throws: ``StoreFailure``: `refused` if the change breaks a rule, `conflict` if the
    ///   revision is not the expected one, otherwise the failure of the store.
    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord

    /// A number that increases with every change of the user's data by any process.
    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64

    /// Checks that a change could be stored now, without changing data or waiting.
    ///
    /// - Throws: ``StoreFailure`` as a change would.
    func checkWriting(of user: UserID) async throws(StoreFailure)

    /// The newest journal entries of a user, newest first.
    func journal(of user: UserID, newest count: Int) async throws(StoreFailure) -> [JournalEntry]

    /// A page of a user's alerts, newest first; those of the record are the newest ones.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - number: only alerts before this one; nil for the newest.
    ///   - count: the most alerts.
    /// - Returns: the alerts; fewer than `count` only at the end of the log.
    /// - Throws: ``StoreFailure``: the failure of the store.
    func alertLog(
        of user: UserID,
        before number: Int64?,
        count: Int
    ) async throws(StoreFailure) -> [LoggedAlert]
}

extension UserRepository {
    /// The alerts of the record, in a repository that keeps no others.
    public func alertLog(
        of user: UserID,
        before number: Int64?,
        count: Int
    ) async throws(StoreFailure) -> [LoggedAlert] {
        try await record(of: user).alerts.value.log(before: number, count: count)
    }
}
