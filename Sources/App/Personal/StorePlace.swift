import DataSources
import DataSourcesSQLite
import Domain
import Repositories

/// Where this program keeps things, wired up but not running.
enum StorePlace: Sendable {
    /// Nowhere: what is changed lives as long as the process.
    case nowhere
    /// In a file of a single person.
    case file(SQLiteStore)

    /// The place that the configuration names.
    init(_ program: Program) throws(ProgramError) {
        switch program.configuration.store {
        case .none, .automatic, .file, .postgresql:
            let path = program.configuration.store.path(program.environment)
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
        }
    }

    /// Where market data are kept; nil if they are not.
    var market: (any MarketStoreSource)? {
        switch self {
        case .nowhere: nil
        case .file(let store): store
        }
    }

    /// Who may keep something there; nil if nobody may.
    var users: (any UserStoreSource)? {
        switch self {
        case .nowhere: nil
        case .file(let store): store
        }
    }

    /// What is personal of whoever uses this program, and who that is; nil if nothing is kept.
    ///
    /// - Throws: ``ProgramError`` `configuration` where that takes a token and none was given.
    func owner(
        _ token: AccessToken?
    ) throws(ProgramError) -> (personal: any PersonalRepository, user: UserID)? {
        switch self {
        case .nowhere: return nil
        case .file(let store): return (Self.repository(store), .local)
        }
    }

    /// What stands for personal things in a program without a user of its own: those of the one
    /// person, else nothing that is anybody's, and how the store stands.
    var everybody: (any PersonalRepository)? {
        switch self {
        case .nowhere: nil
        case .file(let store): Self.repository(store)
        }
    }

    /// Whether nothing is kept.
    var isNowhere: Bool {
        switch self {
        case .nowhere: true
        case .file: false
        }
    }

    /// Bounds how long all calls together wait for other processes that hold a file, from now on.
    func limitWaiting(to duration: Duration) {
        switch self {
        case .nowhere: break
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
        }
    }

    /// Lets go of the place, at the end of the program.
    func close() async {
        switch self {
        case .nowhere: break
        case .file(let store): await store.close()
        }
    }

    private static func repository(_ store: any PersonalStoreSource) -> StoredPersonalRepository {
        StoredPersonalRepository(store: store, now: SystemSources.now)
    }
}
