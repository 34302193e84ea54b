import DataSources
import Glibc

/// Opens the file of a store: makes it, looks whose it is, and brings its schema up to date.
struct StoreOpening: Sendable {
    /// The file.
    let file: StoreFile
    /// How.
    let settings: SQLiteStoreSettings
    /// What is left of all waiting for locks.
    let limit: WaitLimit
    /// The time, microseconds since 1970 UTC.
    let now: @Sendable () -> Int64

    /// How large the file of changes that are not yet in the main file stays when it is reused.
    private static let journalBytesMax = 4 << 20
    /// The smallest page that SQLite knows: no file that it has written to is shorter.
    private static let bytesMin: Int64 = 512

    /// Opens to read and write; a file that may not be written, to read.
    ///
    /// - Throws: ``StoreError``: `incompatible`, with the file left as it is, when it is no store
    ///   or one that this program cannot live with.
    func open() throws(StoreError) -> SQLiteConnection {
        try file.make()
        let (connection, applied) = try inspected(.readWrite)
        let ledger = SchemaLedger(applied: applied, steps: settings.steps, path: file.path)
        try ledger.verify()
        try connection.tidiesUp(true)
        if connection.isReadOnly {
            guard ledger.pending.isEmpty else {
                throw StoreError(
                    .readOnly,
                    "\(file.path): its schema is to be brought up to date, and it may not be "
                        + "written: \(StoreError.remedy(for: .readOnly))"
                )
            }
            return connection
        }
        try prepareForWriting(connection)
        for (index, step) in ledger.pending.enumerated() {
            // One copy of what was there when the program began; of a new file, none.
            try apply(step, to: connection, keepingCopy: index == 0 && !ledger.isEmpty)
        }
        return connection
    }

    /// Opens to look, and changes nothing; nil without a file or in one that is empty.
    ///
    /// - Throws: ``StoreError``: `incompatible` when it is no store.
    func look() throws(StoreError) -> (connection: SQLiteConnection, ledger: SchemaLedger)? {
        guard file.exists else { return nil }
        let (connection, applied) = try inspected(.readOnly)
        return (
            connection, SchemaLedger(applied: applied, steps: settings.steps, path: file.path)
        )
    }

    // MARK: Reading the first pages

    /// A connection that has read which migrations the file has.
    private func inspected(
        _ access: SQLiteConnection.Access
    ) throws(StoreError) -> (SQLiteConnection, [StoreMigration]) {
        // SQLite would take such a remainder for an empty file and write over it.
        guard !(1..<Self.bytesMin).contains(file.byteCount) else {
            throw StoreError(
                .damaged,
                "\(file.path): it is too short for a store: \(StoreError.remedy(for: .damaged))"
            )
        }
        do {
            return try inspected(by: access)
        } catch {
            // Reading a file that keeps its changes in a second one needs a third beside it, for
            // locks: in a folder that may not be written there can be none. With nothing in a
            // second file nobody is writing, so it can be read without locks.
            guard error.code == .unavailable || error.code == .readOnly, changes.byteCount == 0
            else { throw error }
            do { return try inspected(by: .immutable) } catch _ { throw error }
        }
    }

    private func inspected(
        by access: SQLiteConnection.Access
    ) throws(StoreError) -> (SQLiteConnection, [StoreMigration]) {
        let connection = try SQLiteConnection(
            path: file.path,
            access: access,
            patience: settings.patience,
            limit: limit
        )
        try connection.tidiesUp(false)
        let applied = try connection.transaction(for: .reading) { () throws(StoreError) in
            try SchemaTables(connection).applied()
        }
        return (connection, applied)
    }

    /// What was written and is not yet in the main file.
    private var changes: StoreFile { StoreFile(path: file.path + "-wal") }

    // MARK: Writing

    private func prepareForWriting(_ connection: SQLiteConnection) throws(StoreError) {
        // Readers and a writer do not wait for each other. A file system that cannot do this keeps
        // the older kind of journal, which is as durable.
        try connection.patiently { () throws(StoreError) in
            try connection.execute("PRAGMA journal_mode = WAL")
        }
        try connection.execute("PRAGMA journal_size_limit = \(Self.journalBytesMax)")
        if let pages = settings.pagesMax {
            try connection.execute("PRAGMA max_page_count = \(pages)")
        }
    }

    private func apply(
        _ step: SchemaStep,
        to connection: SQLiteConnection,
        keepingCopy: Bool
    ) throws(StoreError) {
        // A table that is made anew for a change would take the rows of others with it.
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.transaction(for: .writing) { () throws(StoreError) in
            // Another process may have been quicker.
            let tables = SchemaTables(connection)
            let ledger = SchemaLedger(
                applied: try tables.applied(),
                steps: settings.steps,
                path: file.path
            )
            try ledger.verify()
            guard ledger.pending.contains(where: { $0.number == step.number }) else { return }
            // Nobody writes while this transaction waits, and others read what was before it.
            if keepingCopy { try keepCopy(before: step) }
            try tables.apply(step, at: now())
            let isBroken = try connection.first("PRAGMA foreign_key_check") { _ in true }
            guard isBroken == nil else {
                throw StoreError(
                    .damaged,
                    "\(file.path): rows point to rows that are not there after \(step.name): "
                        + StoreError.remedy(for: .damaged)
                )
            }
        }
        try connection.execute("PRAGMA foreign_keys = ON")
    }

    private func keepCopy(before step: SchemaStep) throws(StoreError) {
        let digits = String(step.number)
        let number = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        let copy = StoreCopy(file: file, patience: settings.patience)
        try copy.write(to: StoreFile(path: "\(file.path).before-\(number)"), replacing: true)
    }
}
