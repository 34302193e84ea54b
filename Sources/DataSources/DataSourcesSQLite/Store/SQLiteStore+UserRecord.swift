public import DataSourceContracts

extension SQLiteStore {
    /// Reads everything of one user, as of one moment.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user; an embedded store has
    ///   user 1 alone.
    public func personal(user: Int64) throws(StoreError) -> UserRecordDTO {
        try perform(.reading) { connection throws(StoreError) in
            try UserRecordTables(connection: connection, user: user).record()
        }
    }

    /// Makes a change and writes it into the journal, which keeps the newest 10,000 rows of a user.
    public func write(
        _ write: UserWriteDTO,
        user: Int64,
        at time: Int64
    ) throws(StoreError) -> UserRecordDTO {
        try perform(.writing) { connection throws(StoreError) in
            let tables = UserRecordTables(connection: connection, user: user)
            try tables.write(write, at: time)
            return try tables.record()
        }
    }

    /// How often anything of a user was changed, by any process.
    public func changeCount(of user: Int64) throws(StoreError) -> Int64 {
        try perform(.reading) { connection throws(StoreError) in
            try UserRecordTables(connection: connection, user: user).changeCount()
        }
    }

    /// Makes sure that writing is possible: takes the lock at once, and writes over themselves the
    /// rows that changes touch, which needs as much room on the disk as a change.
    public func checkWriting(of user: Int64) throws(StoreError) {
        try perform(.writing, isPatient: false) { connection throws(StoreError) in
            try UserRecordTables.rewrite(in: connection)
        }
    }

    /// The newest rows of a user's journal, newest first.
    public func journal(user: Int64, newest count: Int) throws(StoreError) -> [JournalDTO] {
        try perform(.reading) { connection throws(StoreError) in
            try UserRecordTables(connection: connection, user: user).journal(newest: count)
        }
    }
}
