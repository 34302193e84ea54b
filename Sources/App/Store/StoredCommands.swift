/// The commands that use the store and no market.
struct StoredCommands: Sendable {
    let program: Program

    /// Does what the command line asks for.
    ///
    /// - Throws: ``ProgramError``: `usage` for what is refused, with nothing changed;
    ///   `unavailable` when the store fails; `configuration` without a store or the token it takes.
    func run(_ invocation: CommandInvocation) async throws(ProgramError) {
        guard let phase = Self.longWork(invocation.command) else {
            return try await begin(invocation)
        }
        let progress = ProgressLine(
            "hoga \(invocation.command.rawValue)",
            phase: phase,
            isQuiet: invocation.options[.quiet] != nil,
            program
        )
        try await progress.using { () async throws(ProgramError) in try await begin(invocation) }
    }

    private func begin(_ invocation: CommandInvocation) async throws(ProgramError) {
        try await StoreAccess(program).using { access throws(ProgramError) in
            try await Self.perform(invocation, access)
        }
    }

    /// What a command does that may take longer than a moment; nil for all others.
    private static func longWork(_ command: Command) -> String? {
        switch command {
        case .favoritesImport: "keeping the favourites"
        case .storeBackup: "copying the store"
        case .storeCheck: "looking through the store"
        case .migrateUp: "changing the schema"
        case .userExport: "gathering what is kept"
        case .watch, .serve, .health, .doctor, .snapshot, .exportCandles, .exportTrades,
            .exportFavorites, .exchangeSimulate, .exchangeReplay, .exchangeRecord, .configShow,
            .keys, .favoritesList, .favoritesAdd, .favoritesRemove, .favoritesMove,
            .favoritesExport,
            .holdingsList, .holdingsPut, .holdingsRemove, .cash, .storePath, .migrateStatus,
            .migrateVerify, .userList, .userAdd, .userDisable, .userEnable, .userRemove,
            .userTokenNew, .userTokenList, .userTokenRevoke, .completions, .man:
            nil
        }
    }

    /// Looks first whether the store is one that the command can live with: half of what is asked
    /// for might be done before something else is lacking.
    private static func check(
        _ command: Command,
        _ access: StoreAccess
    ) async throws(ProgramError) {
        switch command {
        case .favoritesList, .favoritesAdd, .favoritesRemove, .favoritesMove, .favoritesImport,
            .favoritesExport, .holdingsList, .holdingsPut, .holdingsRemove, .cash,
            .exportFavorites:
            try await access.checkOwner()
        case .userList, .userExport, .userTokenList, .userTokenRevoke:
            try access.checkPresence()
            try await access.checkUsers()
        case .userAdd, .userDisable, .userEnable, .userRemove, .userTokenNew:
            try await access.checkUsers()
        case .storePath, .storeBackup, .storeCheck, .migrateUp, .migrateStatus, .migrateVerify,
            .watch, .serve, .health, .doctor, .snapshot, .exportCandles, .exportTrades,
            .exchangeSimulate, .exchangeReplay, .exchangeRecord, .configShow, .keys, .completions,
            .man:
            break
        }
    }

    private static func perform(
        _ invocation: CommandInvocation,
        _ access: StoreAccess
    ) async throws(ProgramError) {
        try await check(invocation.command, access)
        let favorites = FavoritesCommand(access: access)
        let holdings = HoldingsCommand(access: access)
        let store = StoreCommand(access: access)
        let users = UserCommand(access: access)
        let tokens = TokenCommand(access: access)
        let options = invocation.options
        func operand(_ place: Int) -> String? {
            invocation.operands.indices.contains(place) ? invocation.operands[place] : nil
        }
        let first = operand(0) ?? ""
        switch invocation.command {
        case .favoritesList: try await favorites.list()
        case .favoritesAdd: try await favorites.add(first)
        case .favoritesRemove: try await favorites.remove(first)
        case .favoritesMove: try await favorites.move(first, to: operand(1) ?? "")
        case .favoritesImport:
            try await favorites.importFile(first, isReplacing: options[.replace] != nil)
        case .favoritesExport: try await favorites.export(to: operand(0))
        case .holdingsList: try await holdings.list()
        case .holdingsPut:
            try await holdings.put(first, quantity: operand(1) ?? "", averagePrice: operand(2))
        case .holdingsRemove: try await holdings.remove(first)
        case .cash: try await holdings.cash(operand(0))
        case .storePath: try store.path()
        case .storeBackup: try await store.backup(to: first)
        case .storeCheck: try await store.check()
        case .migrateUp: try await store.migrate()
        case .migrateStatus: try await store.status()
        case .migrateVerify: try await store.verify()
        case .userList: try await users.list()
        case .userAdd: try await users.add(first)
        case .userDisable: try await users.set(first, isDisabled: true)
        case .userEnable: try await users.set(first, isDisabled: false)
        case .userRemove: try await users.remove(first, isMeant: options[.yes] != nil)
        case .userExport: try await users.export(first)
        case .userTokenNew:
            try await tokens.make(of: first, scope: options[.scope], lifetime: options[.expires])
        case .userTokenList: try await tokens.list(of: first)
        case .userTokenRevoke: try await tokens.revoke(first)
        case .watch, .serve, .health, .doctor, .snapshot, .exportCandles, .exportTrades,
            .exportFavorites, .exchangeSimulate, .exchangeReplay, .exchangeRecord, .configShow,
            .keys,
            .completions, .man:
            preconditionFailure(
                "`hoga \(invocation.command.rawValue)` is no command of the store alone."
            )
        }
    }
}
