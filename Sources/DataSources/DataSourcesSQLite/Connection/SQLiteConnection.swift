import CSQLite
import DataSourceContracts

/// Owns a connection to a file and its prepared statements.
///
/// Used by one thread at a time. SQL is given as literals and values as parameters. Statements are
/// prepared once and cached, so their number is bounded by the literals in this target.
@safe
final class SQLiteConnection {
    /// How a file is opened.
    enum Access: Sendable {
        /// For reading and writing, or for reading if there is no write permission.
        case readWrite
        /// For reading.
        case readOnly
        /// For reading a file that no process writes to, without locks and without further files.
        case immutable
    }

    /// The path of the file.
    let path: String
    /// How the file was opened.
    let access: Access
    /// How the connection waits for locks of others.
    let lockWait: LockWait
    // Closed in `deinit`; only the backup in this target uses it too.
    let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    /// Why the file is read-only, if not because of permissions.
    var refusalToWrite: StoreError?

    /// Opens an existing file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - access: how to open it.
    ///   - patience: how long each call waits for locks of other connections.
    ///   - limit: remaining total time for waiting; nil without a limit.
    ///   - vfs: the name of the VFS; nil for the system's files.
    /// - Throws: ``StoreError``.
    init(
        path: String,
        access: Access,
        patience: Duration,
        limit: LockWaitBudget? = nil,
        vfs: String? = nil
    ) throws(StoreError) {
        self.path = path
        self.access = access
        lockWait = LockWait(patience: patience, limit: limit)
        var made: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            access == .immutable ? Self.immutableURI(of: path) : path,
            &made,
            Self.flags(for: access),
            vfs
        )
        guard code == SQLITE_OK, let opened = unsafe made else {
            // A connection that failed to open still has a message and must be closed.
            defer { unsafe sqlite3_close_v2(made) }
            throw unsafe StoreError(connection: made, code: code, at: path)
        }
        unsafe handle = opened
        // The connection owns the wait, and is closed before it releases it.
        let wait = unsafe Unmanaged.passUnretained(lockWait).toOpaque()
        try unsafe check(
            sqlite3_busy_handler(
                handle,
                { wait, steps in
                    guard let wait = unsafe wait else { return 0 }
                    let lockWait = unsafe Unmanaged<LockWait>.fromOpaque(wait)
                        .takeUnretainedValue()
                    return lockWait.wait(after: steps) ? 1 : 0
                },
                wait
            )
        )
        // The schema in the file is not trusted: no functions from it, no writes to internal
        // tables, and double-quoted text is not a string.
        try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        try configure(SQLITE_DBCONFIG_DQS_DML, false)
        try configure(SQLITE_DBCONFIG_DQS_DDL, false)
        try configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        try execute("PRAGMA cell_size_check = ON")
        // Acknowledged changes are on disk. FULL would do for a write-ahead log; a rollback journal
        // that was removed must not come back and undo its change.
        try execute("PRAGMA synchronous = EXTRA")
    }

    deinit {
        statements = [:]
        unsafe sqlite3_close_v2(handle)
    }

    // MARK: Statements

    /// Runs a statement without result rows.
    func run(_ sql: StaticString, _ values: [SQLiteValue] = []) throws(StoreError) {
        _ = try rows(sql, values) { _ in }
    }

    /// Runs a statement once for each list of values.
    func run(_ sql: StaticString, each lists: some Sequence<[SQLiteValue]>) throws(StoreError) {
        let statement = try prepared(sql)
        for values in lists {
            defer { statement.reset() }
            try statement.bind(values)
            while try statement.step() {}
        }
    }

    /// Reads all rows of a statement.
    func rows<Row>(
        _ sql: StaticString,
        _ values: [SQLiteValue] = [],
        _ read: (SQLiteStatement) throws(StoreError) -> Row
    ) throws(StoreError) -> [Row] {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(values)
        var rows: [Row] = []
        while try statement.step() { rows.append(try read(statement)) }
        return rows
    }

    /// Reads the first row of a statement; nil if there is none.
    func first<Row>(
        _ sql: StaticString,
        _ values: [SQLiteValue] = [],
        _ read: (SQLiteStatement) throws(StoreError) -> Row
    ) throws(StoreError) -> Row? {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? try read(statement) : nil
    }

    /// Number of rows changed by the last statement.
    var changedRows: Int { unsafe Int(sqlite3_changes64(handle)) }

    /// Runs any number of statements without values: a migration.
    func execute(_ script: String) throws(StoreError) {
        try unsafe check(sqlite3_exec(handle, script, nil, nil, nil))
    }

    private func prepared(_ sql: StaticString) throws(StoreError) -> SQLiteStatement {
        let text = "\(sql)"
        if let statement = statements[text] { return statement }
        let statement = try prepare(text)
        statements[text] = statement
        return statement
    }

    private func prepare(_ text: String) throws(StoreError) -> SQLiteStatement {
        var made: OpaquePointer?
        try unsafe check(
            sqlite3_prepare_v3(
                handle,
                text,
                Int32(text.utf8.count),
                UInt32(SQLITE_PREPARE_PERSISTENT),
                &made,
                nil
            )
        )
        guard let statement = unsafe made else { preconditionFailure("SQL must not be empty") }
        return unsafe SQLiteStatement(owning: statement, location: path)
    }

    // MARK: State

    /// Whether the file is read-only.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// Whether the path no longer leads to the opened file.
    var hasMoved: Bool { unsafe hoga_sqlite_has_moved(handle) != 0 }

    /// Changes with each change of the schema by any process.
    var schemaVersion: Int64 {
        get throws(StoreError) {
            try first("PRAGMA schema_version") { $0.integer(0) } ?? 0
        }
    }

    /// Sets whether closing checkpoints the write-ahead log.
    ///
    /// A file that may belong to another program is not checkpointed.
    func setCheckpointsOnClose(_ isOn: Bool) throws(StoreError) {
        try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !isOn)
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    private func configure(_ setting: Int32, _ isOn: Bool) throws(StoreError) {
        try unsafe check(hoga_sqlite_configure(handle, setting, isOn ? 1 : 0))
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else {
            throw unsafe StoreError(connection: handle, code: code, at: path)
        }
    }

    private static func flags(for access: Access) -> Int32 {
        // An actor serializes all use, so the library needs no locks.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        return switch access {
        case .readWrite: common | SQLITE_OPEN_READWRITE
        case .readOnly: common | SQLITE_OPEN_READONLY
        case .immutable: common | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
    }

    /// The path as a URI; every byte except letters, digits and slashes is escaped.
    private static func immutableURI(of path: String) -> String {
        var uri = "file:"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                uri += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return uri + "?immutable=1"
    }
}

/// One thread at a time: the library's own locks are off.
@available(*, unavailable)
extension SQLiteConnection: Sendable {}

extension SQLiteConnection {
    /// The purpose of a transaction.
    enum Purpose: Sendable {
        /// Everything is read from one snapshot.
        case reading
        /// Acquires the write lock at once: a reader might not get it later.
        case writing
    }

    /// Runs a body as one transaction.
    func transaction<Value>(
        for purpose: Purpose,
        _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        switch purpose {
        case .reading: try run("BEGIN")
        case .writing: try run("BEGIN IMMEDIATE")
        }
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // Some errors end the transaction. If rolling back fails too, SQLite rolls back when
            // the file is opened next.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }
}

extension SQLiteConnection {
    /// Copies all committed data to another connection's file: one snapshot, while others may
    /// write.
    func copy(to target: SQLiteConnection) throws(StoreError) {
        guard let backup = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw unsafe StoreError(
                connection: target.handle,
                code: sqlite3_extended_errcode(target.handle),
                at: target.path
            )
        }
        // All pages in one step, which holds one read transaction. No concurrent write can mix in
        // or restart it. In WAL mode writers do not wait for readers.
        var code = SQLITE_OK
        var waits: Int32 = 0
        repeat {
            code = unsafe sqlite3_backup_step(backup, -1)
            // Backup steps do not use the connection's lock timeout.
        } while Self.isBusy(code) && hasWaited(&waits)
        // Frees the object in any case, and returns the outcome of the copy.
        let outcome = unsafe sqlite3_backup_finish(backup)
        let failure = outcome == SQLITE_OK && code != SQLITE_DONE ? code : outcome
        guard failure == SQLITE_OK else {
            throw unsafe StoreError(connection: target.handle, code: failure, at: target.path)
        }
    }

    /// Repeats a body while others hold the required lock, within the timeout, for calls in which
    /// SQLite itself does not wait.
    func retryWhileLocked(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        var waits: Int32 = 0
        while true {
            do {
                return try body()
            } catch {
                guard error.code == .busy, hasWaited(&waits) else {
                    throw error
                }
            }
        }
    }

    private static func isBusy(_ code: Int32) -> Bool {
        code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED
    }

    private func hasWaited(_ waits: inout Int32) -> Bool {
        defer { waits += 1 }
        return lockWait.wait(after: waits)
    }
}

/// The SQLite library in this program.
public enum SQLiteLibrary: Sendable {
    /// Its version, `3.40.1`.
    public static var version: String {
        unsafe String(cString: sqlite3_libversion())
    }
}
