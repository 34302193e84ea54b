public import DataSourceContracts
public import Domain
import Synchronization

/// User records in a store.
///
/// Unreadable rows, which another program may have written, are skipped and stay in the store.
public final class StoredUserRepository: UserRepository {
    private let store: any UserRecordSource
    private let alerts: (any AlertStoreSource)?
    private let now: @Sendable () -> Timestamp
    private let skipped = Mutex(0)

    /// Makes a repository over a store.
    ///
    /// - Parameters:
    ///   - store: holds the rows.
    ///   - alerts: holds the whole log of alerts; nil for no more than that of the record.
    ///   - now: the local wall clock, for journal rows.
    public init(
        store: any UserRecordSource,
        alerts: (any AlertStoreSource)? = nil,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.alerts = alerts
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
        try await checkBooks(of: change, user)
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

    /// Reads a page of the log of alerts.
    public func alertLog(
        of user: UserID,
        before number: Int64?,
        count: Int
    ) async throws(StoreFailure) -> [LoggedAlert] {
        guard let alerts else {
            return try await record(of: user).alerts.value.log(before: number, count: count)
        }
        var page: [LoggedAlert] = []
        var number = number
        do throws(StoreError) {
            // Unreadable rows make room for older ones, so that only the last page is short.
            while page.count < count {
                let wanted = count - page.count
                let rows = try await alerts.alertLog(
                    of: user.number,
                    before: number,
                    count: wanted
                )
                page += rows.compactMap { UserAlertsMapping.logged($0, of: user) }
                number = rows.last?.number
                if rows.count < wanted { break }
            }
            return page
        } catch {
            throw StoreFailure(error)
        }
    }

    /// Refuses a rule whose order books a process would not follow beside those of other rules.
    ///
    /// Rules that are added at the same moment may exceed the limit: a process then follows the
    /// first books by name.
    private func checkBooks(
        of change: UserChange,
        _ user: UserID
    ) async throws(StoreFailure) {
        guard let alerts, let rule = change.alertRule, rule.signal == .spread else { return }
        let followed: [String]
        do throws(StoreError) {
            followed = try await alerts.alertBooks(feed: rule.feed.rawValue)
        } catch {
            throw StoreFailure(error)
        }
        let favorites = rule.scope == .favorites ? try await record(of: user).favorites.value : []
        do throws(AlertRuleError) {
            _ = try AlertLimits.books(
                adding: rule,
                favorites: favorites,
                to: Set(followed.compactMap(MarketID.init(name:)))
            )
        } catch {
            throw StoreFailure(.refused, "alerts: \(error.detail)")
        }
    }

    private func read(_ row: UserRecordDTO, of user: UserID) -> UserRecord {
        let (record, skipped) = UserRecordMapping.record(row, of: user)
        self.skipped.withLock { $0 = skipped }
        return record
    }
}
