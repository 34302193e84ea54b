public import DataSourceContracts
import DataSourcesSchema

extension SQLiteStore {
    /// How each migration stands; nothing is changed, not even made.
    ///
    /// - Throws: ``StoreError``: `incompatible` when the file is a database of something else.
    public func migrations() throws(StoreError) -> [StoreMigration] {
        try ledger().migrations
    }

    /// Brings the schema up to date, which opening does as well.
    ///
    /// - Returns: the migrations that this call applied, in order.
    /// - Throws: ``StoreError``: `incompatible` when this program cannot live with the file.
    public func migrate() throws(StoreError) -> [StoreMigration] {
        let pending = Set(try ledger().pending.map(\.number))
        try open()
        return try migrations().filter { $0.state == .applied && pending.contains($0.number) }
    }

    /// Looks whether this program can live with the file, and changes nothing.
    ///
    /// - Returns: how each migration stands; pending ones are none that it could not live with.
    /// - Throws: ``StoreError``: `incompatible`, naming the migration and the remedy.
    public func verifyMigrations() throws(StoreError) -> [StoreMigration] {
        let ledger = try ledger()
        try ledger.verify()
        return ledger.migrations
    }

    private func ledger() throws(StoreError) -> FileMigrationHistory {
        if let seen = try opening.look() { return seen.ledger }
        return FileMigrationHistory(
            applied: [],
            steps: opening.settings.steps,
            tables: [],
            path: path
        )
    }
}
