import DataSourcesSQLite

/// The commands that use the store and no market.
struct StoredCommands: Sendable {
    let access: StoreAccess

    /// Does what the command line asks for.
    ///
    /// - Throws: ``ProgramError``: `usage` for what is refused, with nothing changed;
    ///   `unavailable` when the store fails.
    func run(_ invocation: CommandInvocation) async throws(ProgramError) {
        let favorites = FavoritesCommand(access: access)
        let holdings = HoldingsCommand(access: access)
        let store = StoreCommand(access: access)
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
            let isReplacing = invocation.options[.replace] != nil
            try await favorites.importFile(first, isReplacing: isReplacing)
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
        case .watch, .serve, .snapshot, .exchangeSimulate, .exchangeReplay, .exchangeRecord,
            .configShow:
            preconditionFailure("`hoga \(invocation.command.rawValue)` follows markets.")
        }
        await access.store.close()
    }
}
