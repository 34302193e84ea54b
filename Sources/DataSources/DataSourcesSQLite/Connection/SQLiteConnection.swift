import CSQLite
import DataSourceContracts

/// The one owner of a connection to a file, with the statements that were prepared on it.
///
/// It is used by one thread at a time. SQL comes as literals and values as parameters; a statement
/// is prepared once and kept, so there are at most as many as there are literals in this room.
@safe
final class SQLiteConnection {
    /// How a file is opened.
    enum Access: Sendable {
        /// To read and write; only to read where the system allows no more.
        case readWrite
        /// To read.
        case readOnly
        /// To read a file that nobody writes to: without locks and without files beside it.
        case immutable
    }

    /// The path of the file.
    let path: String
    /// How the file was opened.
    let access: Access
    /// How it waits for locks of other connections.
    let lockWait: LockWait
    // Closed in `deinit`; only the backup of this room sees it too.
    let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    /// Why the file can only be read, where that is not a matter of rights.
    var refusalToWrite: StoreError?

    /// Opens a file that is there.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - access: what for.
    ///   - patience: how long each call waits for locks of other connections.
    ///   - limit: what is left of all waiting; nil without a limit.
    /// - Throws: ``StoreError``.
    init(
        path: String,
        access: Access,
        patience: Duration,
        limit: LockWaitBudget? = nil
    ) throws(StoreError) {
        self.path = path
        self.access = access
        lockWait = LockWait(patience: patience, limit: limit)
        var made: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            access == .immutable ? Self.immutableURI(of: path) : path,
            &made,
            Self.flags(for: access),
            nil
        )
        guard code == SQLITE_OK, let opened = unsafe made else {
            // Even a connection that could not be opened has words, and is to be closed.
            defer { unsafe sqlite3_close_v2(made) }
            throw unsafe StoreError(connection: made, code: code, at: path)
        }
        unsafe handle = opened
        // The connection owns the wait, and is closed before it lets it go.
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
        // What the file itself says is not trusted: no functions from its schema, no writing to its
        // inner tables, and no text that becomes a column's name.
        try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        try configure(SQLITE_DBCONFIG_DQS_DML, false)
        try configure(SQLITE_DBCONFIG_DQS_DDL, false)
        try configure(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        try execute("PRAGMA cell_size_check = ON")
        // What is acknowledged is on the disk.
        try execute("PRAGMA synchronous = FULL")
    }

    deinit {
        statements = [:]
        unsafe sqlite3_close_v2(handle)
    }

    // MARK: Statements

    /// Runs a statement that has no rows to tell.
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

    /// Reads the first row of a statement; nil without one.
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

    /// How many rows the last statement changed.
    var changedRows: Int { unsafe Int(sqlite3_changes64(handle)) }

    /// Runs a text of any number of statements without values: a migration.
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
        guard let statement = unsafe made else { preconditionFailure("SQL is never empty.") }
        return unsafe SQLiteStatement(owning: statement, location: path)
    }

    // MARK: State

    /// Whether the file can only be read.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// Whether the path does not lead to the opened file any more.
    var hasMoved: Bool { unsafe hoga_sqlite_has_moved(handle) != 0 }

    /// A number that changes with each change of the tables, by whatever process.
    var schemaVersion: Int64 {
        get throws(StoreError) {
            try first("PRAGMA schema_version") { $0.integer(0) } ?? 0
        }
    }

    /// Sets whether closing tidies the file up: bringing changes into it that lie beside it.
    ///
    /// Nobody does that to a file that may be another program's.
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
        // An actor serializes all use, so the library need not.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        return switch access {
        case .readWrite: common | SQLITE_OPEN_READWRITE
        case .readOnly: common | SQLITE_OPEN_READONLY
        case .immutable: common | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
    }

    /// The path as a URI; every byte but letters, digits and slashes is escaped.
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
