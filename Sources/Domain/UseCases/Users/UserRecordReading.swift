import Domain

/// A record, its change count and the result of a write check.
struct UserRecordReading: Sendable {
    let record: UserRecord
    /// The change count before the record was read; nil if it was not asked for.
    let changeCount: Int64?
    /// Whether the store accepts changes; nil if it was not checked.
    let check: Result<Void, StoreFailure>?

    /// Reads a record.
    ///
    /// - Throws: ``StoreFailure``, as the repository does. A failed check is a part of the result.
    init(
        _ user: UserID,
        from repository: any UserRepository,
        counting: Bool,
        checking: Bool
    ) async throws(StoreFailure) {
        // Before the record: the next poll finds a change in between.
        if counting {
            changeCount = try await repository.changeCount(of: user)
        } else {
            changeCount = nil
        }
        record = try await repository.record(of: user)
        if checking {
            check = await Self.check(user, repository)
        } else {
            check = nil
        }
    }

    private static func check(
        _ user: UserID,
        _ repository: any UserRepository
    ) async -> Result<Void, StoreFailure> {
        do throws(StoreFailure) {
            try await repository.checkWriting(of: user)
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
