/// A store of what is personal; SQLite, PostgreSQL and the fake of the tests keep the same
/// promises.
///
/// Every call is one transaction: it happens whole or not at all, and what has returned survives
/// the end of the process. Text is kept byte for byte.
public protocol UserRecordSource: Sendable {
    /// Reads everything of one user.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    func personal(user: Int64) async throws(StoreError) -> UserRecordDTO

    /// Makes a change and writes it into the journal.
    ///
    /// What changes nothing grows no revision and is not written into the journal.
    ///
    /// - Parameters:
    ///   - write: the change.
    ///   - user: whose.
    ///   - at: the time for the journal, microseconds since 1970 UTC.
    /// - Returns: everything of the user afterwards.
    /// - Throws: ``StoreError``: `conflict` when a revision is expected that is not the present
    ///   one, `tooMany` when a bound is reached.
    func write(
        _ write: UserWriteDTO,
        user: Int64,
        at: Int64
    ) async throws(StoreError) -> UserRecordDTO

    /// A number that grows whenever anybody changed anything of a user; 0 before the first change.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user.
    func changeCount(of user: Int64) async throws(StoreError) -> Int64

    /// Makes sure that a change of a user could be written now; changes nothing, and waits for
    /// nobody.
    ///
    /// - Throws: ``StoreError``: why it could not, as a change would say.
    func checkWriting(of user: Int64) async throws(StoreError)

    /// The newest rows of a user's journal, newest first.
    func journal(user: Int64, newest count: Int) async throws(StoreError) -> [JournalDTO]
}
