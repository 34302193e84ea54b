import CSQLite
import DataSourceContracts

/// Owns a prepared statement: bind, step, read, reset.
///
/// A statement belongs to the connection that made it and is used by one thread at a time.
@safe
final class SQLiteStatement {
    // Freed in `deinit`, and never exposed.
    private let handle: OpaquePointer
    private let location: String

    /// Takes ownership of a statement made by SQLite.
    @unsafe
    init(owning handle: OpaquePointer, location: String) {
        unsafe self.handle = handle
        self.location = location
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Binds the parameters `?1`, `?2` and so on.
    func bind(_ values: [SQLiteValue]) throws(StoreError) {
        precondition(
            unsafe values.count == Int(sqlite3_bind_parameter_count(handle)),
            "a statement needs one value for each parameter"
        )
        var index: Int32 = 0
        for value in values {
            index += 1
            try check(bind(value, at: index))
        }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            // SQLite copies the bytes before the call returns.
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    unsafe hoga_sqlite_bind_text(
                        handle,
                        index,
                        characters.baseAddress,
                        UInt64(characters.count)
                    )
                }
            }
        }
    }

    /// Advances to the next row.
    ///
    /// - Returns: whether there is one.
    func step() throws(StoreError) -> Bool {
        var systemNumber: Int32 = 0
        let code = unsafe hoga_sqlite_step(handle, &systemNumber)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw failure(code, systemNumber: systemNumber) }
        return false
    }

    /// Resets the statement for its next use; an error of `step` was already reported.
    func reset() {
        unsafe sqlite3_reset(handle)
        // Releases bound texts, which may be large.
        unsafe sqlite3_clear_bindings(handle)
    }

    // MARK: The columns of a row, from 0

    /// An integer; 0 for NULL.
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// An integer, or nil for NULL.
    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// A text, byte for byte.
    ///
    /// - Throws: ``StoreError`` with `damaged` if the bytes are not valid text.
    func text(_ column: Int32) throws(StoreError) -> String {
        // The text comes first: SQLite may convert it before its length is known.
        let bytes = unsafe sqlite3_column_text(handle, column)
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        guard let bytes = unsafe bytes else {
            // Text has an address unless memory ran out.
            throw failure(unsafe sqlite3_errcode(sqlite3_db_handle(handle)))
        }
        // The bytes are SQLite's until the next step: they are copied here.
        let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
        guard let text = unsafe String(validating: buffer, as: UTF8.self) else {
            throw StoreError(
                sqlite: SQLITE_CORRUPT,
                systemNumber: 0,
                at: location,
                words: "a text is not valid UTF-8"
            )
        }
        return text
    }

    /// A text, or nil for NULL.
    func optionalText(_ column: Int32) throws(StoreError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    private func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32, systemNumber: Int32? = nil) -> StoreError {
        unsafe StoreError(
            connection: sqlite3_db_handle(handle),
            code: code,
            systemNumber: systemNumber,
            at: location
        )
    }
}

/// One thread at a time, like its connection.
@available(*, unavailable)
extension SQLiteStatement: Sendable {}

extension StoreError {
    /// The error with which a connection has just failed.
    @unsafe
    init(
        connection: OpaquePointer?,
        code: Int32,
        systemNumber: Int32? = nil,
        at location: String
    ) {
        // The message belongs to the connection until its next call: it is copied here.
        let words = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        unsafe self.init(
            sqlite: code,
            systemNumber: systemNumber ?? sqlite3_system_errno(connection),
            at: location,
            words: words ?? "out of memory"
        )
    }
}
