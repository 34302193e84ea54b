public import DataSourceContracts
public import Domain
import Synchronization

/// Keeps what is personal in a store.
///
/// Rows that nobody can read, as another program may have left them, are left out of what is read
/// and stay where they are.
public final class StoredUserRepository: UserRepository {
    /// How often a change of settings is tried while others change them too.
    static let attemptsMax = 3

    private let store: any UserRecordSource
    private let now: @Sendable () -> Timestamp
    private let skipped = Mutex(0)

    /// Makes a repository over a store.
    ///
    /// - Parameters:
    ///   - store: where everything is kept.
    ///   - now: the local wall clock, for the journal.
    public init(store: any UserRecordSource, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
    }

    /// How many rows the newest reading left out.
    public var skippedRows: Int { skipped.withLock(\.self) }

    /// Reads everything that is kept for a user.
    public func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        do throws(StoreError) {
            return take(try await store.personal(user: user.number))
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Makes a change; the protocol says how.
    public func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        try change.check()
        do throws(StoreError) {
            if let write = UserRecordMapping.write(change) {
                return take(try await self.write(write, of: user))
            }
            guard case .changeSettings(let patch, let expected) = change else {
                preconditionFailure("Every other change is a write of its own.")
            }
            return take(try await changeSettings(by: patch, of: user, expecting: expected))
        } catch {
            throw StoreFailure(error)
        }
    }

    /// The store's count of changes.
    public func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        do throws(StoreError) {
            return try await store.changeCount(of: user.number)
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Makes sure that the store takes changes.
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

    /// Reads the row, patches it and writes it if nobody wrote it meanwhile.
    private func changeSettings(
        by patch: SettingsPatch,
        of user: UserID,
        expecting expected: Int64?
    ) async throws(StoreError) -> UserRecordDTO {
        var attempt = 1
        while true {
            let kept = try await store.personal(user: user.number)
            let revision = kept.revisions.settings
            if let expected, expected != revision { throw Self.conflict }
            let row = kept.settings ?? SettingsMapping.row(UserSettings())
            let patched = SettingsMapping.patched(row, by: patch)
            if patched == row { return kept }
            do throws(StoreError) {
                return try await write(.putSettings(patched, expecting: revision), of: user)
            } catch {
                guard error.code == .conflict, expected == nil, attempt < Self.attemptsMax else {
                    throw error
                }
                attempt += 1
            }
        }
    }

    private static let conflict = StoreError(
        .conflict,
        StoreFailure.conflict(in: "settings").detail
    )

    private func write(
        _ write: UserWriteDTO,
        of user: UserID
    ) async throws(StoreError) -> UserRecordDTO {
        try await store.write(write, user: user.number, at: now().microseconds)
    }

    private func take(_ dto: UserRecordDTO) -> UserRecord {
        let (record, skipped) = UserRecordMapping.record(dto)
        self.skipped.withLock { $0 = skipped }
        return record
    }
}
