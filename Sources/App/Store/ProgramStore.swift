import DataSourceContracts
import DataSourcesPostgreSQL
import DataSourcesSQLite
import Domain
import PresentationHTTP
import Repositories

/// The store that the configuration chooses, wired up but not running: none, a SQLite file, or a
/// PostgreSQL database.
///
/// The extension below gives the answers of a store that lacks a feature.
protocol ProgramStore: Sendable {
    /// The path or address, without a password; nil without a store.
    var location: String? { get }
    /// Whether several users and processes share it.
    var isShared: Bool { get }
    /// Market data written by this process alone; nil for none.
    var market: (any MarketStoreSource)? { get }
    /// Market data shared by all instances; nil for none.
    ///
    /// - Parameter holder: the name of this process in the leader election; nil for a reader.
    /// - Returns: the shared store; nil for none.
    func sharing(as holder: String?) -> SharedMarketStore?
    /// Alert rules and alerts; nil for none.
    var alerts: (any AlertStoreSource & WebhookStoreSource)? { get }
    /// The webhooks of users, which a store that refuses changes has too; nil for none.
    var webhooks: (any WebhookStoreSource)? { get }
    /// User accounts and tokens; nil for none.
    var users: (any UserAccountSource)? { get }
    /// The audit trail; nil if the store keeps none.
    var audit: (any AuditSource)? { get }
    /// The user of this program; nil without a store.
    ///
    /// - Throws: ``ProgramError`` `configuration` if the store needs a token and none was given.
    func owner(_ token: AccessToken?) throws(ProgramError) -> StoreOwner?
    /// The records of a program that runs without a token: the single user's, or an empty record
    /// that reports the state of a shared store. Nil without a store.
    var anonymousUsers: (any UserRepository)? { get }
    /// The sources of a service's user data; nil without a store.
    var serving: ServedUsers? { get }
    /// The reason why notifications do not arrive; nil if they do or are not configured.
    var newsFailure: StoreFailure? { get }
    /// The path of a file that the first change will create; nil if it exists.
    var absentFile: String? { get }
    /// The database; nil for any other store.
    var database: DatabaseStore? { get }

    /// Serves calls until the task is cancelled; returns at once if the store needs no service.
    func run() async
    /// Limits from now on the total time that all calls wait for file locks.
    func limitWaiting(to duration: Duration)
    /// Market data with a lock wait limit of its own, for the start of the program; nil for none.
    func market(
        waitingAtMost patience: Duration
    ) -> (store: any MarketStoreSource, close: @Sendable () async -> Void)?
    /// Closes the store at the end of the program.
    func close() async

    /// Applies pending migrations and returns them.
    func migrate() async throws(StoreError) -> [StoreMigration]
    /// All migrations and their states.
    func migrations() async throws(StoreError) -> [StoreMigration]
    /// All migrations; throws `incompatible` if this program cannot use the schema.
    func verifyMigrations() async throws(StoreError) -> [StoreMigration]
    /// Checks that a shared store's schema fits; a file is checked when it is opened.
    func verifySchema() async throws(StoreError)
    /// Checks that a shared store's schema and role fit a service or a screen.
    func verifyAccess() async throws(StoreError)
    /// Checks that the role of a shared store may manage users.
    func verifyAccountAccess() async throws(StoreError)
    /// Copies the store to a new file and returns a line with its path and size.
    func backup(to path: String) async throws(ProgramError) -> String
    /// Checks the whole store and prints the report; throws `unavailable` if it has problems.
    func printCheck() async throws(ProgramError)
    /// The checks of `hoga doctor`.
    func doctorChecks(token: AccessToken?) -> [DoctorCheck]
}

/// The sources of a service's user data.
struct ServedUsers: Sendable {
    let tokens: any TokenStoreSource
    let records: any UserRepository
    /// Notifications of changes by other instances; nil if changes are polled.
    let notifications: (any ChangeNotificationRepository)?
    /// Whether all changes are refused.
    var isReadOnly = false
    /// Takes the result of each change; nil if the store's own checks suffice.
    var changes: ChangeWatch?
}

extension ProgramStore {
    var isShared: Bool { false }
    var market: (any MarketStoreSource)? { nil }
    var alerts: (any AlertStoreSource & WebhookStoreSource)? { nil }
    var webhooks: (any WebhookStoreSource)? { alerts }
    var audit: (any AuditSource)? { nil }
    var newsFailure: StoreFailure? { nil }
    var absentFile: String? { nil }
    var database: DatabaseStore? { nil }

    /// Whether there is no store: changes last as long as the process.
    var isNowhere: Bool { location == nil }

    func sharing(as holder: String?) -> SharedMarketStore? { nil }
    func run() async {}
    func limitWaiting(to duration: Duration) {}
    func close() async {}
    func verifySchema() async throws(StoreError) {}
    func verifyAccess() async throws(StoreError) {}
    func verifyAccountAccess() async throws(StoreError) {}

    /// Runs a job that uses the store.
    ///
    /// - Throws: ``ProgramError``: the job's error.
    func using(
        _ job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        try await Lifecycle.attempt(services: [{ await self.run() }], job)
    }
}

extension Program {
    /// Wires the configured store.
    ///
    /// - Throws: ``ProgramError`` `configuration` for an invalid database address.
    func store() throws(ProgramError) -> any ProgramStore {
        let choice = configuration.store
        switch choice {
        case .postgresql(let database):
            func report(_ part: String) -> @Sendable (StoreError?) -> Void {
                { [log] failure in
                    StoreLog.write(failure.map { StoreFailure($0) }, of: part, to: log)
                }
            }
            return try DatabaseStore(
                database,
                onSession: report("news"),
                onHistory: report("history")
            )
        case .none, .automatic, .file:
            return choice.path(environment).map { FileStore(path: $0) } ?? NoStore()
        }
    }
}

/// The program runs without a store.
struct NoStore: ProgramStore {
    var location: String? { nil }
    var users: (any UserAccountSource)? { nil }
    var anonymousUsers: (any UserRepository)? { nil }
    var serving: ServedUsers? { nil }

    func owner(_ token: AccessToken?) throws(ProgramError) -> StoreOwner? { nil }

    func market(
        waitingAtMost patience: Duration
    ) -> (store: any MarketStoreSource, close: @Sendable () async -> Void)? { nil }

    func migrate() async throws(StoreError) -> [StoreMigration] { [] }
    func migrations() async throws(StoreError) -> [StoreMigration] { [] }
    func verifyMigrations() async throws(StoreError) -> [StoreMigration] { [] }
    func backup(to path: String) async throws(ProgramError) -> String { "" }
    func printCheck() async throws(ProgramError) {}
}
