import DataSourceContracts
import DataSourcesSQLite
import Domain
import FoundationEssentials
import Repositories

/// A SQLite file with the data of a single user.
struct FileStore: ProgramStore {
    let store: SQLiteStore

    init(path: String) {
        store = SQLiteStore(path: path) { SystemSources.now().microseconds }
    }

    init(_ store: SQLiteStore) { self.store = store }

    var location: String? { store.path }
    var market: (any MarketStoreSource)? { store }
    var alerts: (any AlertStoreSource & WebhookStoreSource)? { store }
    var users: (any UserAccountSource)? { store }
    var anonymousUsers: (any UserRepository)? { repository }

    var serving: ServedUsers? {
        ServedUsers(tokens: store, records: repository, notifications: nil)
    }

    var absentFile: String? {
        FileManager.default.fileExists(atPath: store.path) ? nil : store.path
    }

    func owner(_ token: AccessToken?) throws(ProgramError) -> StoreOwner? {
        StoreOwner(users: repository, user: .local)
    }

    func limitWaiting(to duration: Duration) { store.limitWaiting(to: duration) }

    func market(
        waitingAtMost patience: Duration
    ) -> (store: any MarketStoreSource, close: @Sendable () async -> Void)? {
        let store = SQLiteStore(path: store.path, patience: patience) {
            SystemSources.now().microseconds
        }
        return (store, { await store.close() })
    }

    func close() async { await store.close() }

    func migrate() async throws(StoreError) -> [StoreMigration] { try await store.migrate() }

    func migrations() async throws(StoreError) -> [StoreMigration] {
        try await store.migrations()
    }

    func verifyMigrations() async throws(StoreError) -> [StoreMigration] {
        try await store.verifyMigrations()
    }

    func backup(to path: String) async throws(ProgramError) -> String {
        let bytes = try await StoreAccess.call { () async throws(StoreError) in
            try await store.backup(to: path)
        }
        return "\(path) \(bytes) bytes"
    }

    func printCheck() async throws(ProgramError) {
        let check = try await StoreAccess.call { () async throws(StoreError) in
            try await store.check()
        }
        try Console.line("\(check.path) \(check.size.total) bytes")
        try StoreCommand.write(check.migrations)
        for table in check.tables { try Console.line("table \(table.name) \(table.rows) rows") }
        for series in check.series { try Self.write(series) }
        for problem in check.problems { try Console.line("problem \(problem)") }
        guard check.isSound else {
            throw ProgramError(
                .unavailable,
                "\(check.path) has \(check.problems.count) problems; restore a backup"
            )
        }
        try Console.line("sound")
    }

    private var repository: StoredUserRepository {
        StoredUserRepository(store: store, alerts: store, now: SystemSources.now)
    }

    private static func write(_ series: StoreCheck.Series) throws(ProgramError) {
        let name = series.series
        let (oldest, newest) = (
            StoreCommand.iso(series.oldest), StoreCommand.iso(series.newest)
        )
        try Console.line(
            "candles \(name.feed) \(name.market) \(name.interval) \(series.candles) "
                + "\(oldest)..\(newest) gaps=\(series.gapCount)"
        )
        for gap in series.gaps {
            try Console.line("  gap \(StoreCommand.iso(gap.from))..\(StoreCommand.iso(gap.to))")
        }
    }
}
