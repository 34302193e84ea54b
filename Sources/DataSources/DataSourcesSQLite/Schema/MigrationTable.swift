import DataSourceContracts
import Migrations

/// The application identifier and the migrations recorded in a file.
struct MigrationTable {
    /// `PRAGMA application_id` of a store, set by the first migration: "hoga" in ASCII.
    static let applicationID: Int64 = 0x686f_6761

    private let connection: SQLiteConnection

    /// Reads from a connection.
    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// The migrations recorded in the file.
    ///
    /// - Throws: ``StoreError``: `incompatible` for the database of another program, which is left
    ///   unchanged.
    func applied() throws(StoreError) -> [StoreMigration] {
        let owner = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let names = try names()
        if owner == 0, names.isEmpty { return [] }
        guard owner == Self.applicationID else {
            throw StoreError(
                .incompatible,
                "\(connection.path): the file is a database of another program: choose another path"
            )
        }
        guard names.contains("schema_migrations") else {
            throw StoreError(
                .incompatible,
                "\(connection.path): the table schema_migrations is missing: "
                    + "restore a backup"
            )
        }
        return try connection.rows(
            """
            SELECT number, name, sha256, runs_with, applied_at FROM schema_migrations
            ORDER BY number
            """
        ) { row throws(StoreError) in
            StoreMigration(
                number: Int(row.integer(0)),
                name: try row.text(1),
                sha256: try row.text(2),
                runsWith: Int(row.integer(3)),
                appliedAt: row.integer(4),
                state: .applied
            )
        }
    }

    /// The names of the file's tables and views.
    func names() throws(StoreError) -> Set<String> {
        Set(
            try connection.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')") {
                row throws(StoreError) in try row.text(0)
            }
        )
    }

    /// The columns of each table of the file.
    func columns() throws(StoreError) -> [String: Set<String>] {
        let pairs = try connection.rows(
            """
            SELECT tables.name, columns.name
            FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
            """
        ) { row throws(StoreError) in (try row.text(0), try row.text(1)) }
        return Dictionary(grouping: pairs, by: \.0).mapValues { Set($0.map(\.1)) }
    }

    /// Applies a migration and records it; the caller holds a transaction.
    func apply(_ step: Migration, at time: Int64) throws(StoreError) {
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                number INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                sha256 TEXT NOT NULL,
                runs_with INTEGER NOT NULL,
                applied_at INTEGER NOT NULL
            ) STRICT
            """
        )
        try connection.execute(step.sql)
        try connection.run(
            """
            INSERT INTO schema_migrations (number, name, sha256, runs_with, applied_at)
            VALUES (?1, ?2, ?3, ?4, ?5)
            """,
            [
                .integer(Int64(step.number)), .text(step.name), .text(step.sha256),
                .integer(Int64(step.runsWith)), .integer(time),
            ]
        )
    }
}

/// Not sendable, like its connection.
@available(*, unavailable)
extension MigrationTable: Sendable {}
