import DataSourceContracts

extension SQLiteConnection {
    /// What a transaction is for.
    enum Purpose: Sendable {
        /// Everything read is of one moment.
        case reading
        /// The lock for writing is taken at once: later it might be refused to a reader.
        case writing
    }

    /// Runs a body whole or not at all.
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
            // Some failures have ended the transaction already. If undoing it fails too, SQLite
            // undoes it when the file is next opened.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }
}
