import DataSourceContracts
import DataSourcesPostgreSQL
import Domain
import Repositories
import UseCases

/// The store of a short-lived command.
struct StoreAccess: Sendable {
    /// The store of the command.
    let place: any ProgramStore
    /// The settings in force.
    let configuration: Configuration

    /// Finds the store; a file is made with the first call that needs it.
    ///
    /// - Throws: ``ProgramError`` `configuration` where there is no store.
    init(_ program: Program) throws(ProgramError) {
        place = try program.store()
        configuration = program.configuration
        guard !place.isNowhere else {
            throw ProgramError(
                .configuration,
                "no store; choose a file with \(Setting.store.flag) or a database with "
                    + Setting.databaseURL.environmentName
            )
        }
    }

    /// Does a job with the store, and lets go of it.
    ///
    /// - Throws: ``ProgramError``: the error of the job.
    func using(
        _ job: @escaping @Sendable (StoreAccess) async throws(ProgramError) -> Void
    ) async throws(ProgramError) {
        try await place.using { () async throws(ProgramError) in
            do throws(ProgramError) {
                try await job(self)
            } catch {
                await place.close()
                throw error
            }
            await place.close()
        }
    }

    // MARK: Checks

    /// Checks the schema of a shared store before anything is read or changed.
    ///
    /// - Throws: ``ProgramError``: as ``owner()`` does, and `unavailable` for an incompatible
    ///   schema.
    func checkOwner() async throws(ProgramError) {
        _ = try owner()
        try await Self.call { () async throws(StoreError) in try await place.verifySchema() }
    }

    /// Checks that users can be managed in a shared store.
    ///
    /// - Throws: ``ProgramError`` `unavailable` for an incompatible schema and for a role that does
    ///   not own the tables.
    func checkUsers() async throws(ProgramError) {
        try await Self.call { () async throws(StoreError) in
            try await place.verifyAccountAccess()
        }
    }

    /// Checks that the file exists.
    ///
    /// Reading does not create one.
    ///
    /// - Throws: ``ProgramError`` `unavailable` when there is no file.
    func checkPresence() throws(ProgramError) {
        guard let path = place.absentFile else { return }
        throw ProgramError(
            .unavailable,
            "\(SecretFiles.shown(path)): no store yet; make a change, e.g. "
                + "'hoga favorites add BTC_KRW', or choose a file with \(Setting.store.flag)"
        )
    }

    // MARK: Records

    /// The user of this program.
    ///
    /// - Throws: ``ProgramError``: `configuration` for a missing or invalid token, `unavailable`
    ///   when the store fails.
    func owner() throws(ProgramError) -> StoreOwner {
        guard let owner = try place.owner(configuration.token) else {
            preconditionFailure("A missing store was refused.")
        }
        return owner
    }

    /// The user of this program and the scopes of the token; throws as ``owner()`` does.
    func whose() async throws(ProgramError) -> (user: UserID, scopes: [TokenScope]) {
        // Anyone who can read a file may change it.
        guard let access = try owner().access else { return (.local, TokenScope.allCases) }
        let grant = try await Self.answer { () async throws(StoreFailure) in
            try await access.grant()
        }
        return (grant.user, grant.scope.allowsChanges ? TokenScope.allCases : [.read])
    }

    /// Reads the record; throws as ``owner()`` does.
    func record() async throws(ProgramError) -> UserRecord {
        let owner = try owner()
        // Reading must not create the file.
        if place.absentFile != nil { return UserRecord(name: "local") }
        return try await Self.answer { () async throws(StoreFailure) in
            try await owner.users.record(of: owner.user)
        }
    }

    /// The coins that a holding can have: those with a name, those that the store has seen listed,
    /// and those already held; throws as ``owner()`` does.
    func coins() async throws(ProgramError) -> KnownCoins {
        let held = try await record().holdings.value.map(\.asset.symbol)
        let shipped = EmbeddedCoinNames().names()
        guard let store = marketStore else { return KnownCoins(symbols: held, names: shipped) }
        let stored = await MarketArchive.coins(in: store)
        return KnownCoins(
            symbols: stored.symbols.union(held),
            names: CoinNames(shipped.entries.merging(stored.names.entries) { $1 })
        )
    }

    /// The markets that the store has seen listed; empty if it has seen none.
    func markets() async -> Set<MarketID> {
        guard let marketStore else { return [] }
        return await MarketArchive.markets(in: marketStore)
    }

    /// The stored market data; nil for none, and for a file that reading must not create.
    private var marketStore: (any MarketStoreSource)? {
        guard place.absentFile == nil else { return nil }
        return place.market ?? place.sharing(as: nil)?.store
    }

    /// Applies a change.
    ///
    /// - Returns: the record after the change.
    /// - Throws: ``ProgramError``: `usage` for a change that is refused, else as ``owner()`` does.
    @discardableResult
    func perform(_ change: UserChange) async throws(ProgramError) -> UserRecord {
        let owner = try owner()
        return try await Self.answer { () async throws(StoreFailure) in
            try await owner.users.perform(change, of: owner.user)
        }
    }

    /// The error of the program for a failure of the store.
    static func error(_ failure: StoreFailure) -> ProgramError {
        switch failure.code {
        case .refused: ProgramError(.usage, failure.detail)
        case .unauthorized, .noToken, .forbidden:
            ProgramError(
                .configuration,
                "\(Setting.token.environmentName): \(failure.detail)"
            )
        case .unavailable, .busy, .full, .readOnly, .damaged, .incompatible, .conflict:
            ProgramError(.unavailable, failure.detail)
        }
    }

    private static func answer<Value>(
        _ body: () async throws(StoreFailure) -> Value
    ) async throws(ProgramError) -> Value {
        do throws(StoreFailure) {
            return try await body()
        } catch {
            throw Self.error(error)
        }
    }

    // MARK: Users and the store

    /// Makes a call about users and tokens.
    ///
    /// - Throws: ``ProgramError``: `usage` for a request that the store refuses, else
    ///   `unavailable`.
    @discardableResult
    func callUsers<Value: Sendable>(
        _ body: (any UserAccountSource) async throws(StoreError) -> Value
    ) async throws(ProgramError) -> Value {
        guard let users = place.users else {
            preconditionFailure("A missing store was refused.")
        }
        return try await Self.call { () async throws(StoreError) in try await body(users) }
    }

    /// Makes a call of the store itself.
    ///
    /// - Throws: ``ProgramError``: `usage` for a request that the store refuses, else
    ///   `unavailable`.
    static func call<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(ProgramError) -> Value {
        do throws(StoreError) {
            return try await body()
        } catch {
            switch error.code {
            case .conflict, .tooMany, .notFound, .refused:
                throw ProgramError(.usage, error.detail)
            case .unavailable, .busy, .full, .readOnly, .damaged, .incompatible, .unauthorized,
                .forbidden, .fenced:
                throw ProgramError(.unavailable, error.detail)
            }
        }
    }
}
