/// Keeps what is personal: favourites, settings, holdings, cash, and the journal of their changes.
public protocol UserRepository: Sendable {
    /// Reads everything that is kept for a user.
    func record(of user: UserID) async throws(StoreFailure) -> UserRecord

    /// Makes a change durable, whole or not at all, and writes it into the journal.
    ///
    /// A change that changes nothing grows no revision and writes nothing.
    ///
    /// - Returns: everything that is kept for the user afterwards.
    /// - Throws: ``StoreFailure``: `refused` when the change breaks a rule, `conflict` when another
    ///   revision is present than expected, else what is wrong with the store.
    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord

    /// A number that grows whenever anybody, another process included, changed something of a
    /// user's.
    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64

    /// Makes sure that a change of a user could be kept now; changes nothing, and waits for nobody.
    ///
    /// - Throws: ``StoreFailure``: why it could not, as a change would say.
    func checkWriting(of user: UserID) async throws(StoreFailure)

    /// The newest entries of a user's journal, newest first.
    func journal(of user: UserID, newest count: Int) async throws(StoreFailure) -> [JournalEntry]
}
