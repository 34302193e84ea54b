/// The stored data of users, which SQLite, PostgreSQL and the in-memory fake implement alike.
///
/// Each call is one transaction. A change that has returned survives the end of the process. Text
/// is stored byte for byte.
public protocol UserRecordSource: Sendable {
    /// Reads the record of a user.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    func record(of user: Int64) async throws(StoreError) -> UserRecordDTO

    /// Changes the record of a user and appends a row to the journal.
    ///
    /// The store locks the user's rows, passes the record to `change`, and writes the difference
    /// between the record and the result. It increments the revision of each part that differs.
    /// Equal records write nothing, not even to the journal.
    ///
    /// - Parameters:
    ///   - user: the user's number.
    ///   - entry: the journal row.
    ///   - change: returns the changed record; it runs once, inside the transaction, and must not
    ///     wait. The store ignores the name and the revisions of its result.
    /// - Returns: the record after the change.
    /// - Throws: ``StoreError``: `unavailable` when there is no such user, or the error that
    ///   `change` throws. Nothing is changed then.
    func update(
        _ user: Int64,
        entry: NewJournalDTO,
        _ change: @Sendable (UserRecordDTO) throws(StoreError) -> UserRecordDTO
    ) async throws(StoreError) -> UserRecordDTO

    /// Reads a number that increases with each change of a user's record; 0 before the first.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    func changeCount(of user: Int64) async throws(StoreError) -> Int64

    /// Checks that a change could be written now, without waiting for a lock. Changes nothing.
    ///
    /// - Throws: ``StoreError``: the error that a change would throw.
    func checkWriting(of user: Int64) async throws(StoreError)

    /// Reads the newest journal rows of a user, newest first.
    func journal(user: Int64, newest count: Int) async throws(StoreError) -> [JournalDTO]
}
