import DataSourceContracts
import DataSourcesPostgreSQL
import DataSourcesSQLite
import Domain
import FoundationEssentials
import Repositories

/// Where this program keeps things, wired up but not running.
enum StorePlace: Sendable {
    /// Nowhere: what is changed lives as long as the process.
    case nowhere
    /// In a file of a single person.
    case file(SQLiteStore)
    /// In a database that others share.
    case database(DatabaseStore)

    /// The place that the configuration names.
    init(_ program: Program) throws(ProgramError) {
        let choice = program.configuration.store
        switch choice {
        case .postgresql(let database):
            let log = program.log
            self = .database(
                try DatabaseStore(database) { failure in
                    StoreLog.write(failure.map { StoreFailure($0) }, of: "news", to: log)
                }
            )
        case .none, .automatic, .file:
            let path = choice.path(program.environment)
            self = path.map { .file(Self.store(at: $0)) } ?? .nowhere
        }
    }

    /// A store over a file.
    static func store(at path: String) -> SQLiteStore {
        SQLiteStore(path: path) { SystemSources.now().microseconds }
    }

    /// Whether others keep theirs there too.
    var isShared: Bool {
        switch self {
        case .nowhere, .file: false
        case .database: true
        }
    }

    /// Where this process alone keeps market data; nil if it does not.
    var market: (any MarketStoreSource)? {
        switch self {
        case .nowhere, .database: nil
        case .file(let store): store
        }
    }

    /// Where all instances keep market data; nil if they do not.
    ///
    /// - Parameter holder: the name by which this process may lead; nil for one that only reads.
    /// - Returns: the store and that name.
    func sharing(as holder: String?) -> SharedMarketStore? {
        switch self {
        case .nowhere, .file: nil
        case .database(let shared): SharedMarketStore(store: shared.store, holder: holder)
        }
    }

    /// Who may keep something there; nil if nobody may.
    var users: (any UserAccountSource)? {
        switch self {
        case .nowhere: nil
        case .file(let store): store
        case .database(let shared): shared.users
        }
    }

    /// What is personal of whoever uses this program, and who that is; nil if nothing is kept.
    ///
    /// - Throws: ``ProgramError`` `configuration` where that takes a token and none was given.
    func owner(
        _ token: AccessToken?
    ) throws(ProgramError) -> (personal: any UserRepository, user: UserID)? {
        switch self {
        case .nowhere: return nil
        case .file(let store): return (Self.repository(store), .local)
        case .database(let shared):
            guard let token else {
                throw ProgramError(
                    .configuration,
                    "\(Setting.token.environmentName): the database at \(shared.address) keeps "
                        + "things of many people, and nothing says whose are yours: name a file "
                        + "with your token in \(Setting.token.environmentName)_FILE; its owner "
                        + "makes one with `hoga user token new NAME`"
                )
            }
            let personal = TokenUserRepository(
                sha256: token.sha256,
                tokens: shared.store,
                personal: Self.repository(shared.store),
                clock: ContinuousClock(),
                now: SystemSources.now
            )
            return (personal, .tokenOwner)
        }
    }

    /// What stands for personal things in a program without a user of its own: those of the one
    /// person, else nothing that is anybody's, and how the store stands.
    var everybody: (any UserRepository)? {
        switch self {
        case .nowhere: nil
        case .file(let store): Self.repository(store)
        case .database(let shared): AnonymousUserRepository(schema: shared.schema)
        }
    }

    /// Why changes by other instances are not heard at once; nil if they are, or are asked for.
    var newsFailure: StoreFailure? {
        switch self {
        case .nowhere, .file: nil
        case .database(let shared): shared.session?.failure.map { StoreFailure($0) }
        }
    }

    /// Whether nothing is kept.
    var isNowhere: Bool {
        switch self {
        case .nowhere: true
        case .file, .database: false
        }
    }

    /// The path of the file that will be made when something is kept; nil if it is there, and where
    /// none is meant.
    var absentFile: String? {
        switch self {
        case .nowhere, .database: nil
        case .file(let store):
            FileManager.default.fileExists(atPath: store.path) ? nil : store.path
        }
    }

    /// Bounds how long all calls together wait for other processes that hold a file, from now on.
    func limitWaiting(to duration: Duration) {
        switch self {
        // A database is waited for only so long in any case.
        case .nowhere, .database: break
        case .file(let store): store.limitWaiting(to: duration)
        }
    }

    /// The market data by a way that waits no longer than so, for those who cannot wait; nil if
    /// none are kept.
    func hasty(
        _ patience: Duration
    ) -> (store: any MarketStoreSource, close: @Sendable () async -> Void)? {
        switch self {
        case .nowhere: return nil
        case .file(let store):
            let hasty = SQLiteStore(path: store.path, patience: patience) {
                SystemSources.now().microseconds
            }
            return (hasty, { await hasty.close() })
        case .database(let shared):
            return (LeaderStore(shared.store, leadership: nil), {})
        }
    }

    /// Does a job that uses the place, from the first call to the last.
    ///
    /// - Throws: ``ProgramError``: what the job throws.
    func using(
        _ job: @escaping @Sendable () async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        switch self {
        case .nowhere, .file: try await job()
        case .database(let shared):
            let failure: ProgramError? = await Lifecycle.run(services: [shared.run]) {
                do throws(ProgramError) {
                    try await job()
                    return nil
                } catch {
                    return error
                }
            }
            if let failure { throw failure }
        }
    }

    /// Lets go of the place, at the end of the program.
    func close() async {
        switch self {
        // The connections end with what ran them.
        case .nowhere, .database: break
        case .file(let store): await store.close()
        }
    }

    static func repository(_ store: any UserRecordSource) -> StoredUserRepository {
        StoredUserRepository(store: store, now: SystemSources.now)
    }
}
