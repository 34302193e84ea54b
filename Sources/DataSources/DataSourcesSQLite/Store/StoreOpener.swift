import DataSourceContracts
import Glibc
import Migrations

/// Opens the file of a store: makes it, looks whose it is, and brings its schema up to date.
struct StoreOpener: Sendable {
    /// The file.
    let file: StoreFile
    /// How.
    let settings: SQLiteStoreSettings
    /// What is left of all waiting for locks.
    let limit: LockWaitBudget
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
        let (connection, ledger) = try inspected(.readWrite)
        try ledger.verify()
        try connection.setCheckpointsOnClose(true)
        if connection.isReadOnly { return try readable(connection, ledger) }
        do {
            try prepareForWriting(connection)
        } catch {
            // The file alone may be written, and its folder or the disk takes nothing more.
            guard Self.leavesReading(error), ledger.pending.isEmpty else { throw error }
            let seen = try inspected(.readOnly)
            try seen.ledger.verify()
            if error.code == .full { seen.connection.refusalToWrite = error }
            return try readable(seen.connection, seen.ledger)
        }
        for (index, step) in ledger.pending.enumerated() {
            // One copy of what was there when the program began; of a new file, none.
            try apply(step, to: connection, keepingCopy: index == 0 && !ledger.isEmpty)
        }
        return connection
    }

    /// Opens to look, and changes nothing; nil without a file or in one that is empty.
    ///
    /// - Throws: ``StoreError``: `incompatible` when it is no store.
    func look() throws(StoreError) -> (connection: SQLiteConnection, ledger: FileMigrationHistory)?
    {
        guard try file.isRegular() else { return nil }
        return try inspected(.readOnly)
    }

    /// What can only be read, unless its schema would have to be brought up to date.
    private func readable(
        _ connection: SQLiteConnection,
        _ ledger: FileMigrationHistory
    ) throws(StoreError) -> SQLiteConnection {
        guard ledger.pending.isEmpty else {
            throw connection.refusalToWrite
                ?? StoreError(
                    .readOnly,
                    "\(file.path): its schema is to be brought up to date, and it may not be "
                        + "written: \(StoreError.remedy(for: .readOnly))"
                )
        }
        return connection
    }

    /// Whether a file that failed this way may be read all the same.
    private static func leavesReading(_ error: StoreError) -> Bool {
        switch error.code {
        case .unavailable, .readOnly, .full: true
        case .busy, .damaged, .incompatible, .conflict, .tooMany, .notFound, .refused,
            .unauthorized, .forbidden, .fenced:
            false
        }
    }

    // MARK: Reading the first pages

    /// A connection that has read which migrations the file has.
    private func inspected(
        _ access: SQLiteConnection.Access
    ) throws(StoreError) -> (connection: SQLiteConnection, ledger: FileMigrationHistory) {
        _ = try file.isRegular()
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
            // locks: in a folder that may not be written there can be none, nor on a full disk.
            // With nothing in a second file nobody is writing, so it can be read without locks;
            // with something in an older journal it has to be undone first.
            guard Self.leavesReading(error), changes.byteCount == 0, undoing.byteCount == 0
            else { throw error }
            do {
                let seen = try inspected(by: .immutable)
                if error.code == .full { seen.connection.refusalToWrite = error }
                return seen
            } catch _ { throw error }
        }
    }

    private func inspected(
        by access: SQLiteConnection.Access
    ) throws(StoreError) -> (connection: SQLiteConnection, ledger: FileMigrationHistory) {
        let connection = try SQLiteConnection(
            path: file.path,
            access: access,
            patience: settings.patience,
            limit: limit
        )
        try connection.setCheckpointsOnClose(false)
        let ledger = try connection.transaction(for: .reading) { () throws(StoreError) in
            try readLedger(of: connection)
        }
        return (connection, ledger)
    }

    /// What was written and is not yet in the main file.
    private var changes: StoreFile { StoreFile(path: file.path + "-wal") }

    /// What a write that did not end has left to be undone, in a file of the older kind.
    private var undoing: StoreFile { StoreFile(path: file.path + "-journal") }

    private func readLedger(
        of connection: SQLiteConnection
    ) throws(StoreError) -> FileMigrationHistory {
        let tables = MigrationTable(connection)
        return FileMigrationHistory(
            applied: try tables.applied(),
            steps: settings.steps,
            tables: try tables.names(),
            path: file.path
        )
    }

    // MARK: Writing

    private func prepareForWriting(_ connection: SQLiteConnection) throws(StoreError) {
        // Readers and a writer do not wait for each other. A file system that cannot do this keeps
        // the older kind of journal, which is as durable.
        try connection.retryWhileLocked { () throws(StoreError) in
            try connection.execute("PRAGMA journal_mode = WAL")
        }
        try connection.execute("PRAGMA journal_size_limit = \(Self.journalBytesMax)")
        if let pages = settings.pagesMax {
            try connection.execute("PRAGMA max_page_count = \(pages)")
        }
    }

    private func apply(
        _ step: Migration,
        to connection: SQLiteConnection,
        keepingCopy: Bool
    ) throws(StoreError) {
        // A table that is made anew for a change would take the rows of others with it.
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.transaction(for: .writing) { () throws(StoreError) in
            // Another process may have been quicker.
            let ledger = try readLedger(of: connection)
            try ledger.verify()
            guard ledger.pending.contains(where: { $0.number == step.number }) else { return }
            // Nobody writes while this transaction waits, and others read what was before it.
            if keepingCopy { try keepCopy(before: step) }
            try MigrationTable(connection).apply(step, at: now())
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

    private func keepCopy(before step: Migration) throws(StoreError) {
        let digits = String(step.number)
        let number = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        let trace = file.trace
        // Another connection: that of the caller is in a transaction.
        let source = try SQLiteConnection(
            path: file.path,
            access: .readOnly,
            patience: settings.patience
        )
        try StoreCopy(source: source, patience: settings.patience, trace: trace)
            .write(to: StoreFile(path: "\(file.path).before-\(number)"), replacing: true)
    }
}
