public import DataSourceContracts

extension SQLiteStore {
    /// Copies the store into a new file, complete or not at all, while any process may write.
    ///
    /// The copy holds everything that was acknowledged before the call, was looked through, and is
    /// on the disk when the call returns. It is a store in itself.
    ///
    /// - Returns: how many bytes the copy has.
    /// - Throws: ``StoreError``: `unavailable` when there is something at the path, or no store to
    ///   copy; `damaged` when the store is; nothing is left at the path then.
    public func backup(to path: String) throws(StoreError) -> Int64 {
        let target = StoreFile(path: path)
        guard try target.kind() == nil else {
            throw StoreError(.unavailable, "\(path): it is there already: name another")
        }
        let trace = opening.file.trace
        guard let (source, _) = try opening.look() else { throw missing }
        try StoreCopy(source: source, patience: opening.settings.patience, trace: trace).write(
            to: target,
            replacing: false
        )
        return target.byteCount
    }

    /// Looks through the whole file and changes nothing.
    ///
    /// - Returns: what it found, damage included.
    /// - Throws: ``StoreError`` when it cannot be looked into at all.
    public func check() throws(StoreError) -> StoreCheck {
        guard let (connection, ledger) = try opening.look() else { throw missing }
        var check = StoreCheck(
            path: path,
            size: size,
            problems: [],
            migrations: ledger.migrations,
            tables: [],
            series: []
        )
        do { try ledger.verify() } catch { check.problems.append(error.detail) }
        do {
            try connection.transaction(for: .reading) { () throws(StoreError) in
                let examination = StoreInspection(connection: connection)
                check.problems += try examination.problems()
                check.problems += try examination.losses(since: ledger)
                check.tables = try examination.tables()
                let names = Set(check.tables.map(\.name))
                if names.isSuperset(of: ["candles", "candle_spans"]) {
                    check.series = try examination.series()
                }
            }
        } catch {
            // Damage that is too bad to be described is a finding too, and so is a table that has
            // not what it should; anything else is no answer.
            guard error.code == .damaged || error.code == .incompatible else { throw error }
            check.problems.append(error.detail)
        }
        return check
    }

    /// How many bytes the store has on the disk; 0 without a file.
    public nonisolated var size: StoreSize {
        StoreSize(
            file: StoreFile(path: path).byteCount,
            changes: StoreFile(path: path + "-wal").byteCount
        )
    }

    private var missing: StoreError {
        StoreError(.unavailable, "\(path): there is no store: hoga makes one when it starts")
    }
}
