public import DataSourceContracts
import DataSourcesSchema
import Migrations

extension SQLiteStore {
    /// Copies the store to a new file, completely or not at all, while any process may write.
    ///
    /// The copy has every change acknowledged before the call, was checked, and is on disk when the
    /// call returns. It is a complete store.
    ///
    /// - Returns: the size of the copy in bytes.
    /// - Throws: ``StoreError``: `unavailable` if the path exists or there is no store; `damaged`
    ///   if the store is damaged. No file is left at the path then.
    public func backup(to path: String) throws(StoreError) -> Int64 {
        let target = StoreFile(path: path)
        guard try target.kind() == nil else {
            throw StoreError(.unavailable, "\(path): the file exists: choose another path")
        }
        let trace = opening.file.trace
        guard let (source, _) = try opening.look() else { throw missing }
        try StoreCopy(source: source, patience: opening.settings.patience, trace: trace).write(
            to: target,
            replacing: false
        )
        return target.byteCount
    }

    /// Checks the whole file without changing it.
    ///
    /// - Returns: the findings, including damage.
    /// - Throws: ``StoreError`` if the file cannot be checked at all.
    public func check() throws(StoreError) -> StoreCheck {
        guard let (connection, history) = try opening.look() else { throw missing }
        var check = StoreCheck(
            path: path,
            size: size,
            problems: [],
            migrations: history.migrations,
            tables: [],
            series: []
        )
        do { try history.verify() } catch { check.problems.append(error.detail) }
        do {
            try connection.transaction(for: .reading) { () throws(StoreError) in
                let examination = StoreInspection(connection: connection)
                check.problems += try examination.problems()
                check.problems += try examination.losses(since: history)
                check.tables = try examination.tables()
                let names = Set(check.tables.map(\.name))
                if names.isSuperset(of: ["candles", "candle_spans"]) {
                    check.series = try examination.series()
                }
            }
        } catch {
            // Severe damage and missing tables are findings. Any other error means there is no
            // result.
            guard error.code == .damaged || error.code == .incompatible else { throw error }
            check.problems.append(error.detail)
        }
        return check
    }

    /// The size of the store on disk; 0 without a file.
    public nonisolated var size: StoreSize {
        StoreSize(
            file: StoreFile(path: path).byteCount,
            changes: StoreFile(path: path + "-wal").byteCount
        )
    }

    private var missing: StoreError {
        StoreError(.unavailable, "\(path): no store at this path: hoga creates one when it starts")
    }
}

extension SQLiteStore {
    /// The state of each migration; the file is neither changed nor created.
    ///
    /// - Throws: ``StoreError``: `incompatible` if the file is not a store.
    public func migrations() throws(StoreError) -> [StoreMigration] {
        try history().migrations
    }

    /// Applies pending migrations, as opening does.
    ///
    /// - Returns: the migrations applied by this call, in order.
    /// - Throws: ``StoreError``: `incompatible` if this program cannot use the file.
    public func migrate() throws(StoreError) -> [StoreMigration] {
        let pending = Set(try history().pending.map(\.number))
        try open()
        return try migrations().filter { $0.state == .applied && pending.contains($0.number) }
    }

    /// Checks whether this program can use the file, without changing it.
    ///
    /// - Returns: the state of each migration; pending ones are acceptable.
    /// - Throws: ``StoreError``: `incompatible` with the migration and the remedy.
    public func verifyMigrations() throws(StoreError) -> [StoreMigration] {
        let history = try history()
        try history.verify()
        return history.migrations
    }

    private func history() throws(StoreError) -> FileMigrationHistory {
        if let seen = try opening.look() { return seen.history }
        return FileMigrationHistory(
            applied: [],
            steps: opening.settings.steps,
            tables: [],
            path: path
        )
    }
}
