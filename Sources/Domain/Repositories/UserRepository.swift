/// Stores user data: favorites, settings, holdings, cash, and the journal of their changes.
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
}
