import CSQLite
import DataSourceContracts

extension SQLiteConnection {
    /// Copies all that was committed to another connection's file: a whole state of one moment,
    /// while others may write.
    func copy(to target: SQLiteConnection) throws(StoreError) {
        guard let backup = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw unsafe StoreError(
                connection: target.handle,
                code: sqlite3_extended_errcode(target.handle),
                at: target.path
            )
        }
        // All pages in one step: the step holds one read transaction, so nothing that is written
        // meanwhile can mix in or make it begin again. Writers do not wait for readers in WAL.
        var code = SQLITE_OK
        var waits: Int32 = 0
        repeat {
            code = unsafe sqlite3_backup_step(backup, -1)
            // Steps do not use the connection's own patience.
        } while Self.isBusy(code) && hasWaited(&waits)
        // Frees the object, whatever became of the copy, and tells that.
        let outcome = unsafe sqlite3_backup_finish(backup)
        let failure = outcome == SQLITE_OK && code != SQLITE_DONE ? code : outcome
        guard failure == SQLITE_OK else {
            throw unsafe StoreError(connection: target.handle, code: failure, at: target.path)
        }
    }

    /// Runs a body again while others hold what it needs, as long as the patience lasts: for calls
    /// that SQLite itself does not wait in.
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
