import DataSourceContracts
import DataSourcesPostgreSQL
import Domain
import Repositories

/// The PostgreSQL database of a deployment, shared by many users and instances.
struct DatabaseStore: ProgramStore {
    /// The address; its description omits the password.
    let address: PostgreSQLAddress
    /// All addresses by their settings.
    let addresses: [(setting: Setting, address: PostgreSQLAddress)]
    /// User records, market data, lease and tokens, for members of the role `hoga_app`.
    let store: PostgreSQLStore
    /// User accounts and tokens, for the owner's role.
    let accounts: PostgreSQLUserAccounts
    /// The schema; only the owner's role may change it.
    let schema: PostgreSQLSchema
    /// Notifications of changes by other instances.
    let notifications: PostgreSQLChangeNotifications
    /// The direct connection for notifications; nil if no address was given.
    let session: PostgreSQLListener?
    private let notices: ChangeNoticeSender
    /// The outcomes of all users' changes.
    private let changes = ChangeWatch(clock: ContinuousClock())
    private let pool: PostgreSQLPool
    /// The connections to standbys; nil if no address was given.
    private let historyPool: PostgreSQLPool?

    /// Wires the connection pool and its users.
    ///
    /// - Parameters:
    ///   - choice: the address and the number of connections.
    ///   - onSession: receives the failure of the direct connection, nil when it works again.
    ///   - onHistory: receives why candles are not read from a standby, nil when they are again.
    /// - Throws: ``ProgramError`` `configuration` for an invalid address, `unavailable` without a
    ///   file descriptor.
    init(
        _ choice: DatabaseChoice,
        onSession: @escaping @Sendable (StoreError?) -> Void = { _ in },
        onHistory: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) throws(ProgramError) {
        let address = try Self.address(choice.url)
        var settings = PostgreSQLPool.Settings(applicationName: "hoga")
        settings.connectionsMax = choice.connectionsMax
        pool = try Self.pool(address, settings)
        historyPool = try choice.readURL.map { url throws(ProgramError) in
            try Self.pool(try Self.address(url).preferringStandbys(), settings)
        }
        var listener: PostgreSQLListener?
        if let url = choice.sessionURL {
            listener = try Self.listener(try Self.address(url), settings, pool, onSession)
        }
        session = listener
        self.address = address
        var addresses = [(setting: Setting.databaseURL, address: address)]
        for (setting, url) in [
            (Setting.databaseSessionURL, choice.sessionURL), (.databaseReadURL, choice.readURL),
        ] {
            if let url { addresses.append((setting, try Self.address(url))) }
        }
        self.addresses = addresses
        notices = ChangeNoticeSender(pool: pool, clock: ContinuousClock())
        let history = historyPool.map { [pool] replica in
            StandbyReader(
                pool: replica,
                primary: pool,
                ageMax: choice.readAgeMax,
                clock: ContinuousClock(),
                onFailure: onHistory
            )
        }
        store = PostgreSQLStore(pool: pool, notices: notices, history: history)
        let administrator = choice.administrator ?? SystemSources.userName()
        accounts = PostgreSQLUserAccounts(pool: pool, administrator: administrator)
        schema = PostgreSQLSchema(pool: pool, administrator: administrator)
        notifications = PostgreSQLChangeNotifications(
            pool: pool,
            listener: listener,
            clock: ContinuousClock()
        )
    }

    /// The time that calls waited for a connection.
    var waits: PostgreSQLPool.Waits { pool.waits }

    private static func pool(
        _ address: PostgreSQLAddress,
        _ settings: PostgreSQLPool.Settings
    ) throws(ProgramError) -> PostgreSQLPool {
        do throws(StoreError) {
            return try PostgreSQLPool(
                address: address,
                settings: settings,
                clock: ContinuousClock(),
                random: SystemSources.random
            )
        } catch {
            throw ProgramError(.unavailable, error.detail)
        }
    }

    private static func listener(
        _ address: PostgreSQLAddress,
        _ settings: PostgreSQLPool.Settings,
        _ pool: PostgreSQLPool,
        _ onFailure: @escaping @Sendable (StoreError?) -> Void
    ) throws(ProgramError) -> PostgreSQLListener {
        do throws(StoreError) {
            return try PostgreSQLListener(
                address: address,
                settings: settings,
                pool: pool,
                clock: ContinuousClock(),
                random: SystemSources.random,
                onFailure: onFailure
            )
        } catch {
            throw ProgramError(.unavailable, error.detail)
        }
    }

    private static func address(_ url: String) throws(ProgramError) -> PostgreSQLAddress {
        do throws(StoreError) {
            return try PostgreSQLAddress(url)
        } catch {
            throw ProgramError(.configuration, error.detail)
        }
    }
}

extension DatabaseStore {
    var location: String? { "\(address)" }
    var isShared: Bool { true }
    // A standby gives no lease.
    var alerts: (any AlertStoreSource & WebhookStoreSource)? { store.isReadOnly ? nil : store }
    var webhooks: (any WebhookStoreSource)? { store }
    var users: (any UserAccountSource)? { accounts }
    var audit: (any AuditSource)? { accounts }
    var anonymousUsers: (any UserRepository)? {
        AnonymousUserRepository(schema: schema, changes: changes)
    }
    var newsFailure: StoreFailure? { session?.failure.map { StoreFailure($0) } }
    var database: DatabaseStore? { self }

    var serving: ServedUsers? {
        ServedUsers(
            tokens: store,
            records: repository,
            notifications: PushedChangeNotifications(source: notifications),
            isReadOnly: store.isReadOnly,
            changes: changes
        )
    }

    func sharing(as holder: String?) -> SharedMarketStore? {
        // A standby gives no lease.
        SharedMarketStore(store: store, holder: store.isReadOnly ? nil : holder)
    }

    func owner(_ token: AccessToken?) throws(ProgramError) -> StoreOwner? {
        guard let token else {
            let variable = Setting.token.environmentName
            throw ProgramError(
                .configuration,
                "the database at \(address) needs an access token; ask its owner to run "
                    + "'hoga user token new NAME' and set \(variable)_FILE to a file with it"
            )
        }
        return StoreOwner(
            token: TokenHash(token.sha256),
            tokens: store,
            users: repository,
            notifications: PushedChangeNotifications(source: notifications)
        )
    }

    func market(
        waitingAtMost patience: Duration
    ) -> (store: any MarketStoreSource, close: @Sendable () async -> Void)? {
        (LeaderStore(store, election: nil), {})
    }

    func run() async {
        await withTaskGroup { group in
            group.addTask { await self.pool.run() }
            group.addTask { await self.notices.run() }
            group.addTask { await self.historyPool?.run() }
            group.addTask { await self.store.history?.run() }
            await group.waitForAll()
        }
    }

    /// Sends the last notices, which a command would take with it.
    func close() async { await notices.flush() }

    func migrate() async throws(StoreError) -> [StoreMigration] { try await schema.migrate() }

    func migrations() async throws(StoreError) -> [StoreMigration] {
        try await schema.migrations()
    }

    func verifyMigrations() async throws(StoreError) -> [StoreMigration] {
        try await schema.verify()
    }

    func verifySchema() async throws(StoreError) { _ = try await schema.verify() }

    func verifyAccess() async throws(StoreError) {
        _ = try await schema.verify()
        try await store.verifyRole()
    }

    func verifyAccountAccess() async throws(StoreError) {
        try await accounts.verifyOwner()
        _ = try await schema.verify()
    }

    func backup(to path: String) async throws(ProgramError) -> String {
        let summary = try await StoreAccess.call { () async throws(StoreError) in
            try await PostgreSQLBackup(pool: pool).write(to: path)
        }
        return "\(path) \(summary.byteCount) bytes, checked by restoring \(summary.rowCount) rows "
            + "of \(summary.tableCount) tables"
    }

    func printCheck() async throws(ProgramError) { try await DatabaseCheck(shared: self).run() }

    private var repository: StoredUserRepository {
        StoredUserRepository(store: store, alerts: store, now: SystemSources.now)
    }
}
