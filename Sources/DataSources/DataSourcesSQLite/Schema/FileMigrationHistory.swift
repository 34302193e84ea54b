import DataSourceContracts
import DataSourcesSchema
import Migrations

/// What of the schema a file has, and whether what it records is what it holds.
struct FileMigrationHistory: Sendable {
    private let ledger: MigrationHistory
    private let tables: Set<String>

    /// Compares.
    ///
    /// - Parameters:
    ///   - applied: the rows of the file's own table.
    ///   - steps: what the program ships.
    ///   - tables: the names of the tables that the file has.
    ///   - path: where the file is, for errors.
    init(applied: [StoreMigration], steps: [Migration], tables: Set<String>, path: String) {
        ledger = MigrationHistory(
            applied: applied,
            steps: steps,
            location: path,
            restoring: "put a backup in its place"
        )
        self.tables = tables
    }

    /// What the program ships, in order.
    var steps: [Migration] { ledger.steps }

    /// What is known of each migration, in order.
    var migrations: [StoreMigration] { ledger.migrations }

    /// What the file lacks, in order.
    var pending: [Migration] { ledger.pending }

    /// Whether the file has anything.
    var isEmpty: Bool { ledger.isEmpty }

    /// Refuses a file that this program cannot live with.
    ///
    /// - Throws: ``StoreError`` with `incompatible`.
    func verify() throws(StoreError) {
        try ledger.verifyHistory()
        // Applying it again would fail, or do harm.
        if let lost = pending.first(where: { !tables.isDisjoint(with: $0.newTables) }) {
            throw ledger.refusal(
                "migration \(lost.name) is not recorded, and its tables are there"
            )
        }
    }
}
