import DataSourceContracts
import DataSourcesPostgreSQL
import Domain
import Repositories

/// The database of a deployment, wired up but not running.
struct DatabaseStore: Sendable {
    /// Where it is; never shows a password.
    let address: PostgreSQLAddress
    /// What is personal, market data, the lease and tokens, for a member of the role `hoga_app`.
    let store: PostgreSQLStore
    /// Users and tokens, for the owner's role.
    let users: PostgreSQLUserAccounts
    /// The tables; only the owner's role may change them.
    let schema: PostgreSQLSchema
    /// Tells what other instances change.
    let news: PostgreSQLChangeNotifications
    /// Hears news at once, on a session past any pooler; nil where no address of one was given.
    let session: PostgreSQLListener?
    private let pool: PostgreSQLPool

    /// Wires connections and what uses them.
    ///
    /// - Parameters:
    ///   - choice: where the database is, and how many connections there may be.
    ///   - onSession: is told why the session for news does not work, and with nil that it does.
    /// - Throws: ``ProgramError`` `configuration` when an address is none.
    init(
        _ choice: DatabaseChoice,
        onSession: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) throws(ProgramError) {
        let address = try Self.address(choice.url)
        var settings = PostgreSQLPool.Settings(applicationName: "hoga")
        settings.connectionsMax = choice.connectionsMax
        pool = PostgreSQLPool(
            address: address,
            settings: settings,
            clock: ContinuousClock(),
            random: SystemSources.random
        )
        var listener: PostgreSQLListener?
        if let url = choice.sessionURL {
            listener = PostgreSQLListener(
                address: try Self.address(url),
                settings: settings,
                clock: ContinuousClock(),
                random: SystemSources.random,
                onFailure: onSession
            )
        }
        session = listener
        self.address = address
        store = PostgreSQLStore(pool: pool)
        users = PostgreSQLUserAccounts(pool: pool)
        schema = PostgreSQLSchema(pool: pool)
        news = PostgreSQLChangeNotifications(
            pool: pool,
            listener: listener,
            clock: ContinuousClock()
        )
    }

    /// Talks to the database until the task is cancelled; to be called once.
    func run() async { await pool.run() }

    /// How long calls waited for a connection.
    var waits: PostgreSQLPool.Waits { pool.waits }

    /// Looks whether notifications are heard on the session past any pooler, which nothing else may
    /// use meanwhile.
    ///
    /// - Parameters:
    ///   - session: where nothing runs yet.
    ///   - patience: how long it may take to open, and then to hear.
    /// - Throws: ``StoreError``: why not.
    func checkSession(
        _ session: PostgreSQLListener,
        within patience: Duration
    ) async throws(StoreError) {
        let check = PostgreSQLNotificationCheck(
            pool: pool,
            listener: session,
            clock: ContinuousClock()
        )
        try await check.run(SystemSources.epoch(), opening: patience, hearing: patience)
    }

    private static func address(_ url: String) throws(ProgramError) -> PostgreSQLAddress {
        do throws(StoreError) {
            return try PostgreSQLAddress(url)
        } catch {
            throw ProgramError(.configuration, error.detail)
        }
    }
}

/// Nothing of anybody: how a shared store stands, for a program that serves everybody and has no
/// user of its own.
struct AnonymousUserRepository: UserRepository {
    /// Is asked whether this program can live with the store.
    let schema: PostgreSQLSchema

    /// Nothing, if the store answers.
    func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        try await look()
        return UserRecord(name: "")
    }

    /// Refused: nobody is there whose it would be.
    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        throw StoreFailure(.refused, "this program has no user of its own")
    }

    /// Always 0, if the store answers.
    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        try await look()
        return 0
    }

    /// Whether the store answers.
    func checkWriting(of user: UserID) async throws(StoreFailure) { try await look() }

    /// Nothing, if the store answers.
    func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        try await look()
        return []
    }

    private func look() async throws(StoreFailure) {
        do throws(StoreError) {
            _ = try await schema.verify()
        } catch {
            throw StoreFailure(error)
        }
    }
}
