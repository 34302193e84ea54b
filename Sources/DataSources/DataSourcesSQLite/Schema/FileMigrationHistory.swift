import DataSourceContracts
import DataSourcesSchema
import Migrations

/// The migrations of a file, and whether its tables match them.
struct FileMigrationHistory: Sendable {
    private let history: MigrationHistory
    private let tables: Set<String>

    /// Compares the file with the program.
    ///
    /// - Parameters:
    ///   - applied: the rows of the file's migration table.
    ///   - steps: the program's migrations.
    ///   - tables: the names of the file's tables.
    ///   - path: the file, for errors.
    init(applied: [StoreMigration], steps: [Migration], tables: Set<String>, path: String) {
        history = MigrationHistory(
            applied: applied,
            steps: steps,
            location: path,
            restoring: "restore a backup"
        )
        self.tables = tables
    }

    /// The program's migrations, in order.
    var steps: [Migration] { history.steps }

    /// The state of each migration, in order.
    var migrations: [StoreMigration] { history.migrations }

    /// Migrations missing in the file, in order.
    var pending: [Migration] { history.pending }

    /// Whether the file has no migration.
    var isEmpty: Bool { history.isEmpty }

    /// Refuses a file that this program cannot use.
    ///
    /// - Throws: ``StoreError`` with `incompatible`.
    func verify() throws(StoreError) {
        try history.verifyHistory()
        // Applying it again would fail or do damage.
        if let lost = pending.first(where: { !tables.isDisjoint(with: $0.newTables) }) {
            throw history.refusal(
                "migration \(lost.name) is not recorded, but its tables exist"
            )
        }
    }
}
