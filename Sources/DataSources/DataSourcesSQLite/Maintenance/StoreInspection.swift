import DataSourceContracts
import DataSourcesSchema
import Migrations

/// Checks a whole file, table by table, in one snapshot.
struct StoreInspection {
    /// Maximum number of problems reported per kind.
    private static let problemsMax = 100
    /// Maximum number of gaps reported per series.
    private static let gapsMax = 100

    /// How the rows of each table are counted.
    private static let counts: [(table: String, sql: StaticString)] = [
        ("users", "SELECT count(*) FROM users"),
        ("favorites", "SELECT count(*) FROM favorites"),
        ("settings", "SELECT count(*) FROM settings"),
        ("holdings", "SELECT count(*) FROM holdings"),
        ("cash", "SELECT count(*) FROM cash"),
        ("alert_rules", "SELECT count(*) FROM alert_rules"),
        ("alert_states", "SELECT count(*) FROM alert_states"),
        ("alert_log", "SELECT count(*) FROM alert_log"),
        ("webhooks", "SELECT count(*) FROM webhooks"),
        ("webhook_progress", "SELECT count(*) FROM webhook_progress"),
        ("webhook_failures", "SELECT count(*) FROM webhook_failures"),
        ("journal", "SELECT count(*) FROM journal"),
        ("api_tokens", "SELECT count(*) FROM api_tokens"),
        ("candles", "SELECT count(*) FROM candles"),
        ("candle_spans", "SELECT count(*) FROM candle_spans"),
        ("closes", "SELECT count(*) FROM closes"),
        ("coin_names", "SELECT count(*) FROM coin_names"),
        ("market_warnings", "SELECT count(*) FROM market_warnings"),
        ("market_alerts", "SELECT count(*) FROM market_alerts"),
    ]

    let connection: SQLiteConnection

    /// Damage and violated foreign keys, in SQLite's words.
    func problems() throws(StoreError) -> [String] {
        // One row that says "ok", or one for each problem.
        let damage = try connection.rows("PRAGMA integrity_check(100)") {
            row throws(StoreError) in try row.text(0)
        }
        let orphans = try connection.rows("PRAGMA foreign_key_check") { row throws(StoreError) in
            "a row of \(try row.text(0)) refers to a missing row of \(try row.text(2))"
        }
        return damage.filter { $0 != "ok" } + orphans.prefix(Self.problemsMax)
    }

    /// Tables, columns and required rows that the newest migration promises and the file lacks.
    func losses(since history: FileMigrationHistory) throws(StoreError) -> [String] {
        let model = try SQLiteConnection(path: ":memory:", access: .readWrite, patience: .zero)
        let newest = history.migrations.last { $0.state != .pending }?.number ?? 0
        for step in history.steps where step.number <= newest {
            try MigrationTable(model).apply(step, at: 0)
        }
        let present = try MigrationTable(connection).columns()
        var losses: [String] = []
        for (table, columns) in try MigrationTable(model).columns().sorted(by: { $0.key < $1.key })
        {
            guard let found = present[table] else {
                losses.append("the table \(table) is missing")
                continue
            }
            for column in columns.subtracting(found).sorted() {
                losses.append("the column \(column) of the table \(table) is missing")
            }
        }
        let rows: [(table: String, sql: StaticString)] = [
            ("users", "SELECT 1 FROM users WHERE id = 1"),
            ("changes", "SELECT 1 FROM changes WHERE id = 1"),
        ]
        for (table, sql) in rows where present[table]?.contains("id") == true {
            guard try connection.first(sql, [], { _ in true }) == nil else { continue }
            losses.append("row 1 of the table \(table) is missing")
        }
        return losses
    }

    /// Number of rows of each table in the file.
    func tables() throws(StoreError) -> [StoreCheck.Table] {
        let names = try MigrationTable(connection).names()
        var tables: [StoreCheck.Table] = []
        for (name, sql) in Self.counts where names.contains(name) {
            let rows = try connection.first(sql) { $0.integer(0) }
            tables.append(StoreCheck.Table(name: name, rows: rows ?? 0))
        }
        return tables
    }

    /// Extent and gaps of each series of candles.
    func series() throws(StoreError) -> [StoreCheck.Series] {
        let tables = CandleTables(connection: connection)
        var all: [StoreCheck.Series] = []
        for series in try tables.allSeries() {
            let opens = try tables.opens(of: series)
            guard let oldest = opens.first, let newest = opens.last else { continue }
            // An interval without a fixed length has no countable buckets.
            let gaps = try CandleGaps.length(of: series.interval).map { length throws(StoreError) in
                CandleGaps.gaps(opens: opens, spans: try tables.spans(of: series), length: length)
            }
            all.append(
                StoreCheck.Series(
                    series: series,
                    candles: opens.count,
                    oldest: oldest,
                    newest: newest,
                    gapCount: gaps?.count ?? 0,
                    gaps: Array((gaps ?? []).prefix(Self.gapsMax))
                )
            )
        }
        return all
    }
}

/// Not sendable, like its connection.
@available(*, unavailable)
extension StoreInspection: Sendable {}
