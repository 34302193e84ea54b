public import DataSourceContracts

extension SQLiteStore {
    /// Reads the record of a user.
    ///
    /// - Throws: ``StoreError``: `unavailable` when there is no such user; an embedded store has
    ///   user 1 only.
    public func record(of user: Int64) throws(StoreError) -> UserRecordDTO {
        try perform(.reading) { connection throws(StoreError) in
            try UserRecordTables(connection: connection, user: user).record()
        }
    }

    /// Changes the record of a user and appends a row to the journal, which keeps 10,000 rows.
    public func update(
        _ user: Int64,
        entry: NewJournalDTO,
        _ change: @Sendable (UserRecordDTO) throws(StoreError) -> UserRecordDTO
    ) throws(StoreError) -> UserRecordDTO {
        try perform(.writing) { connection throws(StoreError) in
            let tables = UserRecordTables(connection: connection, user: user)
            let record = try tables.record()
            let difference = UserRecordDifference(from: record, to: try change(record))
            guard !difference.isEmpty else { return record }
            try tables.write(difference)
            try tables.append(entry)
            return try tables.record()
        }
    }

    /// Reads the number of changes of a user's record, by any process.
    public func changeCount(of user: Int64) throws(StoreError) -> Int64 {
        try perform(.reading) { connection throws(StoreError) in
            try UserRecordTables(connection: connection, user: user).changeCount()
        }
    }

    /// Checks that a change could be written now.
    ///
    /// Takes the write lock without waiting and rewrites the rows that changes touch, which needs
    /// as much disk space as a change.
    public func checkWriting(of user: Int64) throws(StoreError) {
        try perform(.writing, isPatient: false) { connection throws(StoreError) in
            try UserRecordTables.rewrite(in: connection)
        }
    }

    /// Reads the newest journal rows of a user, newest first.
    public func journal(user: Int64, newest count: Int) throws(StoreError) -> [JournalDTO] {
        try perform(.reading) { connection throws(StoreError) in
            try UserRecordTables(connection: connection, user: user).journal(newest: count)
        }
    }
}
