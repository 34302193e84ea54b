public import DataSourceContracts
public import Domain
import Synchronization

/// User records in a store.
///
/// Unreadable rows, which another program may have written, are skipped and stay in the store.
public final class StoredUserRepository: UserRepository {
    private let store: any UserRecordSource
    private let now: @Sendable () -> Timestamp
    private let skipped = Mutex(0)

    /// Makes a repository over a store.
    ///
    /// - Parameters:
    ///   - store: holds the rows.
    ///   - now: the local wall clock, for journal rows.
    public init(store: any UserRecordSource, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
    }

    /// The number of rows that the newest reading skipped.
    public var skippedRows: Int { skipped.withLock(\.self) }

    /// Reads the record of a user.
    public func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        do throws(StoreError) {
            return read(try await store.record(of: user.number), of: user)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Applies a change inside a transaction of the store.
    public func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        try change.validate()
        let entry = NewJournalDTO(
            at: now().microseconds,
            kind: change.kind,
            subject: change.subject
        )
        do throws(StoreError) {
            return read(
                try await store.update(user.number, entry: entry) { row throws(StoreError) in
                    try UserRecordMapping.applying(change, to: row, of: user)
                },
                of: user
            )
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Reads the number of changes of a user's record.
    public func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        do throws(StoreError) {
            return try await store.changeCount(of: user.number)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Checks that the store accepts changes.
    public func checkWriting(of user: UserID) async throws(StoreFailure) {
        do throws(StoreError) {
            try await store.checkWriting(of: user.number)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Reads the journal.
    public func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        do throws(StoreError) {
            return try await store.journal(user: user.number, newest: count).map { row in
                JournalEntry(
                    number: row.number,
                    at: Timestamp(microseconds: row.at),
                    kind: row.kind,
                    subject: row.subject
                )
            }
        } catch {
            throw StoreFailure(error)
        }
    }

    private func read(_ row: UserRecordDTO, of user: UserID) -> UserRecord {
        let (record, skipped) = UserRecordMapping.record(row, of: user)
        self.skipped.withLock { $0 = skipped }
        return record
    }
}
