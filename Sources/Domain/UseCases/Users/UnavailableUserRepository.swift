public import Domain

/// A repository that fails each call with the same failure, in place of a store or a token.
public struct UnavailableUserRepository: UserRepository {
    private let failure: StoreFailure

    /// Makes a repository that fails.
    public init(_ failure: StoreFailure) { self.failure = failure }

    /// Fails.
    public func record(of user: UserID) async throws(StoreFailure) -> UserRecord { throw failure }

    /// Fails.
    public func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        throw failure
    }

    /// Fails.
    public func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 { throw failure }

    /// Fails.
    public func checkWriting(of user: UserID) async throws(StoreFailure) { throw failure }

    /// Fails.
    public func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        throw failure
    }
}

extension StoreFailure {
    /// No store is configured.
    public static let noStore = StoreFailure(
        .unavailable,
        "no store is configured: changes last until the program ends"
    )
}
