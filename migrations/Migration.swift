import Cryptography

/// One numbered migration of a store's schema, embedded from the SQL file beside this one.
///
/// A released migration never changes: stores record its SHA-256 and refuse another text.
public struct Migration: Sendable {
    /// From 1, without holes.
    public let number: Int
    /// The name that stores record, and the first part of the file's name: `0001_people`.
    public let name: String
    /// The statements. The first line names the oldest program that can use the result.
    public let sql: String

    /// Creates a migration from the bytes of its file.
    public init(number: Int, name: String, file: [UInt8]) {
        self.number = number
        self.name = name
        sql = String(decoding: file, as: UTF8.self)
    }

    /// The SHA-256 of the file, in hexadecimal.
    public var sha256: String {
        Cryptography.sha256(Array(sql.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }
        .joined()
    }

    /// The newest migration that a program must ship to use the schema from this one on.
    ///
    /// The first line of the file states it, e.g. `-- runs-with: 1`. A test reads every file.
    public var runsWith: Int {
        let prefix = "-- runs-with: "
        guard let line = sql.split(separator: "\n", maxSplits: 1).first, line.hasPrefix(prefix),
            let number = Int(line.dropFirst(prefix.count))
        else { preconditionFailure("\(name) has no runs-with line.") }
        return number
    }

    /// The statements of a migration that runs outside a transaction; nil if it runs inside one.
    ///
    /// The second line of such a file is `-- outside-transaction`. It is for statements such as
    /// `CREATE INDEX CONCURRENTLY`, each of which ends with a semicolon at the end of a line. After
    /// a failure halfway the migration is repeated from its first statement, so every statement
    /// must allow that: `DROP INDEX CONCURRENTLY IF EXISTS` before each
    /// `CREATE INDEX CONCURRENTLY`, which leaves an invalid index when it fails.
    public var statementsOutsideTransaction: [String]? {
        let lines = sql.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.dropFirst().first == "-- outside-transaction" else { return nil }
        var statements: [String] = []
        var statement = ""
        for line in lines where !line.isEmpty && !line.hasPrefix("--") {
            statement += line + "\n"
            guard line.hasSuffix(";") else { continue }
            statements.append(statement)
            statement = ""
        }
        precondition(statement.isEmpty, "The last statement of \(name) has no semicolon.")
        return statements
    }
}

extension Migration {
    /// The migrations of the embedded store, in order.
    ///
    /// Embedded resources share one namespace, so SQLite's files end in `.sqlite.sql`.
    public static let sqlite = [
        Migration(number: 1, name: "0001_people", file: PackageResources._001_people_sqlite_sql),
        Migration(
            number: 2,
            name: "0002_market_data",
            file: PackageResources._002_market_data_sqlite_sql
        ),
        Migration(
            number: 3,
            name: "0003_names_and_marks",
            file: PackageResources._003_names_and_marks_sqlite_sql
        ),
        Migration(
            number: 4,
            name: "0004_users_and_tokens",
            file: PackageResources._004_users_and_tokens_sqlite_sql
        ),
        Migration(
            number: 5,
            name: "0005_token_notes",
            file: PackageResources._005_token_notes_sqlite_sql
        ),
        Migration(
            number: 6,
            name: "0006_market_layout",
            file: PackageResources._006_market_layout_sqlite_sql
        ),
        Migration(number: 7, name: "0007_alerts", file: PackageResources._007_alerts_sqlite_sql),
        Migration(
            number: 8,
            name: "0008_webhooks",
            file: PackageResources._008_webhooks_sqlite_sql
        ),
    ]

    /// The migrations of the shared store, in order.
    public static let postgreSQL = [
        Migration(number: 1, name: "0001_people", file: PackageResources._001_people_sql),
        Migration(number: 2, name: "0002_tokens", file: PackageResources._002_tokens_sql),
        Migration(
            number: 3,
            name: "0003_market_data",
            file: PackageResources._003_market_data_sql
        ),
        Migration(number: 4, name: "0004_lease", file: PackageResources._004_lease_sql),
        Migration(
            number: 5,
            name: "0005_changes_by_transaction",
            file: PackageResources._005_changes_by_transaction_sql
        ),
        Migration(
            number: 6,
            name: "0006_candle_partitions",
            file: PackageResources._006_candle_partitions_sql
        ),
        Migration(number: 7, name: "0007_news", file: PackageResources._007_news_sql),
        Migration(
            number: 8,
            name: "0008_audit_and_news_age",
            file: PackageResources._008_audit_and_news_age_sql
        ),
        Migration(
            number: 9,
            name: "0009_journal_terms",
            file: PackageResources._009_journal_terms_sql
        ),
        Migration(number: 10, name: "0010_own_tokens", file: PackageResources._010_own_tokens_sql),
        Migration(
            number: 11,
            name: "0011_journal_plans",
            file: PackageResources._011_journal_plans_sql
        ),
        Migration(
            number: 12,
            name: "0012_record_functions",
            file: PackageResources._012_record_functions_sql
        ),
        Migration(
            number: 13,
            name: "0013_market_layout",
            file: PackageResources._013_market_layout_sql
        ),
        Migration(number: 14, name: "0014_alerts", file: PackageResources._014_alerts_sql),
        Migration(number: 15, name: "0015_webhooks", file: PackageResources._015_webhooks_sql),
        Migration(
            number: 16,
            name: "0016_repeated_alerts",
            file: PackageResources._016_repeated_alerts_sql
        ),
    ]

    /// The newest PostgreSQL migration that this program cannot run without. Later ones only
    /// make it faster.
    public static let requiredPostgreSQL = 16
}
