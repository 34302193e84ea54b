import DataSourceContracts
import Glibc
package import Migrations

/// Opens the file of a store: creates it, checks that it is a store, and applies migrations.
struct StoreOpener: Sendable {
    /// The file.
    let file: StoreFile
    /// Timeouts, limits and migrations.
    let settings: SQLiteStoreSettings
    /// Remaining total time for locks.
    let limit: LockWaitBudget
    /// The time, microseconds since 1970 UTC.
    let now: @Sendable () -> Int64

    /// Size to which the write-ahead log is truncated when it is reused.
    private static let journalBytesMax = 4 << 20
    /// The smallest page size of SQLite: every file written by it is at least this long.
    private static let bytesMin: Int64 = 512

    /// Opens for reading and writing; a file without write permission, for reading.
    ///
    /// - Throws: ``StoreError``: `incompatible`, with the file unchanged, if it is not a store or
    ///   not usable by this program.
    func open() throws(StoreError) -> SQLiteConnection {
        try file.make()
        let (connection, history) = try inspected(.readWrite)
        try history.verify()
        try connection.setCheckpointsOnClose(true)
        if connection.isReadOnly { return try readable(connection, history) }
        do {
            try prepareForWriting(connection)
        } catch {
            // The file is writable, but its folder is not or the disk is full.
            guard Self.leavesReading(error), history.pending.isEmpty else { throw error }
            let seen = try inspected(.readOnly)
            try seen.history.verify()
            if error.code == .full { seen.connection.refusalToWrite = error }
            return try readable(seen.connection, seen.history)
        }
        for (index, step) in history.pending.enumerated() {
            // One copy of the state at program start; none of a new file.
            try apply(step, to: connection, keepingCopy: index == 0 && !history.isEmpty)
        }
        return connection
    }

    /// Opens for inspection without changing the file; nil without a file or for an empty one.
    ///
    /// - Throws: ``StoreError``: `incompatible` if it is not a store.
    func look() throws(StoreError) -> (connection: SQLiteConnection, history: FileMigrationHistory)?
    {
        guard try file.isRegular() else { return nil }
        return try inspected(.readOnly)
    }

    /// A read-only connection, unless migrations are pending.
    private func readable(
        _ connection: SQLiteConnection,
        _ history: FileMigrationHistory
    ) throws(StoreError) -> SQLiteConnection {
        guard history.pending.isEmpty else {
            throw connection.refusalToWrite
                ?? StoreError(
                    .readOnly,
                    "\(file.path): its schema must be migrated, but the file is read-"
                        + "only: \(StoreError.remedy(for: .readOnly))"
                )
        }
        return connection
    }

    /// Whether a file that failed with `error` may still be readable.
    private static func leavesReading(_ error: StoreError) -> Bool {
        switch error.code {
        case .unavailable, .readOnly, .full: true
        case .busy, .damaged, .incompatible, .conflict, .tooMany, .notFound, .refused,
            .unauthorized, .forbidden, .fenced:
            false
        }
    }

    // MARK: Reading the first pages

    /// A connection with the file's migration history.
    private func inspected(
        _ access: SQLiteConnection.Access
    ) throws(StoreError) -> (connection: SQLiteConnection, history: FileMigrationHistory) {
        _ = try file.isRegular()
        // SQLite would treat such a fragment as an empty file and overwrite it.
        guard !(1..<Self.bytesMin).contains(file.byteCount) else {
            throw StoreError(
                .damaged,
                "\(file.path): the file is too short for a store: "
                    + StoreError.remedy(for: .damaged)
            )
        }
        do {
            return try inspected(by: access)
        } catch {
            // Reading in WAL mode needs a third file for locks, which cannot be created in a
            // read-only folder or on a full disk. With an empty log nobody writes, so the file can
            // be read without locks. A rollback journal with contents must be rolled back first.
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
    ) throws(StoreError) -> (connection: SQLiteConnection, history: FileMigrationHistory) {
        let connection = try SQLiteConnection(
            path: file.path,
            access: access,
            patience: settings.patience,
            limit: limit,
            vfs: settings.vfs
        )
        try connection.setCheckpointsOnClose(false)
        let history = try connection.transaction(for: .reading) { () throws(StoreError) in
            try readHistory(of: connection)
        }
        return (connection, history)
    }

    /// The write-ahead log.
    private var changes: StoreFile { StoreFile(path: file.path + "-wal") }

    /// The rollback journal of an unfinished write.
    private var undoing: StoreFile { StoreFile(path: file.path + "-journal") }

    private func readHistory(
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
        // Readers and a writer do not block each other. A file system without shared memory keeps
        // the rollback journal, which is as durable.
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
        // Recreating a table in a migration would delete the rows that refer to it.
        try connection.execute("PRAGMA foreign_keys = OFF")
        try connection.transaction(for: .writing) { () throws(StoreError) in
            // Another process may have applied it meanwhile.
            let history = try readHistory(of: connection)
            try history.verify()
            guard history.pending.contains(where: { $0.number == step.number }) else { return }
            // No process writes while this transaction waits, and readers see the state before it.
            if keepingCopy { try keepCopy(before: step) }
            try MigrationTable(connection).apply(step, at: now())
            let isBroken = try connection.first("PRAGMA foreign_key_check") { _ in true }
            guard isBroken == nil else {
                throw StoreError(
                    .damaged,
                    "\(file.path): violated foreign keys after \(step.name): "
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
        // A second connection, because the caller's is in a transaction.
        let source = try SQLiteConnection(
            path: file.path,
            access: .readOnly,
            patience: settings.patience,
            vfs: settings.vfs
        )
        try StoreCopy(source: source, patience: settings.patience, trace: trace)
            .write(to: StoreFile(path: "\(file.path).before-\(number)"), replacing: true)
    }
}

/// Settings of a store; tests change them.
package struct SQLiteStoreSettings: Sendable {
    /// How long a call waits for the lock of another process.
    package var patience = Duration.seconds(5)
    /// Minimum time between two attempts to open, in microseconds.
    var retryMicroseconds: Int64 = 1_000_000
    /// Maximum number of pages of 4 KiB; nil for no limit.
    var pagesMax: Int64?
    /// The migrations, in order.
    package var steps = Migration.sqlite
    /// The name of the SQLite VFS that has the file; nil for the system's files.
    package var vfs: String?

    /// Makes the usual settings.
    package init() {}
}
