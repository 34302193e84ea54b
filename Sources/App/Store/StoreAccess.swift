import DataSourceContracts
import DataSourcesPostgreSQL
import Domain
import Repositories

/// The store of a command that ends at once.
struct StoreAccess: Sendable {
    /// Where it is.
    let place: any ProgramStore
    private let token: AccessToken?

    /// Finds the store; a file is made with the first call that needs it.
    ///
    /// - Throws: ``ProgramError`` `configuration` where there is no store.
    init(_ program: Program) throws(ProgramError) {
        place = try program.store()
        token = program.configuration.token
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
    /// - Throws: ``ProgramError``: what the job throws.
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

    // MARK: Whether it can be used

    /// Looks whether this program can live with a shared store, before anything is read or changed.
    ///
    /// - Throws: ``ProgramError``: as ``owner()`` does, and `unavailable` for another schema.
    func checkOwner() async throws(ProgramError) {
        _ = try owner()
        try await Self.call { () async throws(StoreError) in try await place.verifySchema() }
    }

    /// Looks whether users can be looked after in a shared store.
    ///
    /// - Throws: ``ProgramError`` `unavailable` for another schema, and as a role that is not the
    ///   owner's.
    func checkUsers() async throws(ProgramError) {
        try await Self.call { () async throws(StoreError) in
            try await place.verifyAccountAccess()
        }
    }

    /// Looks whether there is anything to be read; a file is made by what is written alone.
    ///
    /// - Throws: ``ProgramError`` `unavailable` when there is no file.
    func checkPresence() throws(ProgramError) {
        guard let path = place.absentFile else { return }
        throw ProgramError(
            .unavailable,
            "\(SecretFiles.shown(path)): there is no store: the first change makes it, or name "
                + "another with \(Setting.store.flag)"
        )
    }

    // MARK: What is personal

    /// What is kept of whoever uses this program, and who that is.
    ///
    /// - Throws: ``ProgramError``: `configuration` where that takes a token, and for one that opens
    ///   nothing; `unavailable` when the store fails.
    func owner() throws(ProgramError) -> (personal: any UserRepository, user: UserID) {
        guard let owner = try place.owner(token) else {
            preconditionFailure("A store that is nowhere was refused.")
        }
        return owner
    }

    /// Who uses this program, and what may be done; throws as ``owner()`` does.
    func whose() async throws(ProgramError) -> (user: UserID, scopes: [TokenScope]) {
        // Whoever can read a file may do everything with it.
        guard let authorized = try owner().personal as? TokenUserRepository else {
            return (.local, TokenScope.allCases)
        }
        let grant = try await Self.answer { () async throws(StoreFailure) in
            try await authorized.grant()
        }
        return (grant.user, grant.scope.allowsChanges ? TokenScope.allCases : [.read])
    }

    /// What is kept; throws as ``owner()`` does.
    func record() async throws(ProgramError) -> UserRecord {
        let owner = try owner()
        // Nothing is kept yet; that a file is looked for does not make it.
        if place.absentFile != nil { return UserRecord(name: "local") }
        return try await Self.answer { () async throws(StoreFailure) in
            try await owner.personal.record(of: owner.user)
        }
    }

    /// The coins that can be added to what is held: those that the program or the store names,
    /// those that the store has seen listed, and those that are held; throws as ``owner()`` does.
    func coins() async throws(ProgramError) -> KnownCoins {
        let held = try await record().holdings.value.map(\.asset.symbol)
        let shipped = EmbeddedCoinNames().names()
        guard place.absentFile == nil,
            let store = place.market ?? place.sharing(as: nil)?.store
        else { return KnownCoins(symbols: held, names: shipped) }
        let stored = await MarketArchive.coins(in: store)
        return KnownCoins(
            symbols: stored.symbols.union(held),
            names: CoinNames(shipped.entries.merging(stored.names.entries) { $1 })
        )
    }

    /// Makes a change.
    ///
    /// - Returns: what is kept afterwards.
    /// - Throws: ``ProgramError``: `usage` for a change that is refused, else as ``owner()`` does.
    @discardableResult
    func perform(_ change: UserChange) async throws(ProgramError) -> UserRecord {
        let owner = try owner()
        return try await Self.answer { () async throws(StoreFailure) in
            try await owner.personal.perform(change, of: owner.user)
        }
    }

    /// What a failure of what is personal means for the program.
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

    // MARK: Users and the store itself

    /// Makes a call about users and tokens.
    ///
    /// - Throws: ``ProgramError``: `usage` for what is not there or is refused, else `unavailable`.
    @discardableResult
    func callUsers<Value: Sendable>(
        _ body: (any UserAccountSource) async throws(StoreError) -> Value
    ) async throws(ProgramError) -> Value {
        guard let users = place.users else {
            preconditionFailure("A store that is nowhere was refused.")
        }
        return try await Self.call { () async throws(StoreError) in try await body(users) }
    }

    /// Makes a call of the store itself.
    ///
    /// - Throws: ``ProgramError``: `usage` for what is not there or is refused, else `unavailable`.
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
