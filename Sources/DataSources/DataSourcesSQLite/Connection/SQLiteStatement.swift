import CSQLite
import DataSourceContracts

/// The one owner of a prepared statement: bind, step, read, reset.
///
/// It belongs to the connection that made it and is used by one thread at a time.
@safe
final class SQLiteStatement {
    // Freed in `deinit`, and never seen outside.
    private let handle: OpaquePointer
    private let location: String

    /// Takes over a statement that SQLite has made.
    @unsafe
    init(owning handle: OpaquePointer, location: String) {
        unsafe self.handle = handle
        self.location = location
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Gives the parameters `?1`, `?2`… their values.
    func bind(_ values: [SQLiteValue]) throws(StoreError) {
        precondition(
            unsafe values.count == Int(sqlite3_bind_parameter_count(handle)),
            "A statement has as many values as parameters."
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

    /// Goes on to the next row.
    ///
    /// - Returns: whether there is one.
    func step() throws(StoreError) -> Bool {
        var systemNumber: Int32 = 0
        let code = unsafe hoga_sqlite_step(handle, &systemNumber)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw failure(code, systemNumber: systemNumber) }
        return false
    }

    /// Makes the statement ready for its next use; what step failed with was told already.
    func reset() {
        unsafe sqlite3_reset(handle)
        // Lets go of texts, which may be large.
        unsafe sqlite3_clear_bindings(handle)
    }

    // MARK: The columns of a row, from 0

    /// A whole number; 0 where there is nothing.
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// A whole number, or nil where there is nothing.
    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// A text, byte for byte.
    ///
    /// - Throws: ``StoreError`` with `damaged` when the bytes are no text.
    func text(_ column: Int32) throws(StoreError) -> String {
        // The text comes first: it may have to be made before its length is known.
        let bytes = unsafe sqlite3_column_text(handle, column)
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        guard let bytes = unsafe bytes else {
            // Text has an address unless there was no memory for it.
            throw failure(unsafe sqlite3_errcode(sqlite3_db_handle(handle)))
        }
        // The bytes are SQLite's until the next step: they are copied here.
        let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
        guard let text = unsafe String(validating: buffer, as: UTF8.self) else {
            throw StoreError(
                sqlite: SQLITE_CORRUPT,
                systemNumber: 0,
                at: location,
                words: "a text is no UTF-8"
            )
        }
        return text
    }

    /// A text, or nil where there is nothing.
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

/// One thread at a time, as its connection.
@available(*, unavailable)
extension SQLiteStatement: Sendable {}

extension StoreError {
    /// The error that a connection has just failed with.
    @unsafe
    init(
        connection: OpaquePointer?,
        code: Int32,
        systemNumber: Int32? = nil,
        at location: String
    ) {
        // The words are the connection's until its next call: they are copied here.
        let words = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        unsafe self.init(
            sqlite: code,
            systemNumber: systemNumber ?? sqlite3_system_errno(connection),
            at: location,
            words: words ?? "out of memory"
        )
    }
}
