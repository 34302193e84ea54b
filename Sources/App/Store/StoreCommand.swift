import DataSourceContracts
import DataSourcesPostgreSQL
import DataSourcesSQLite
import Domain
import ViewStates

/// `hoga migrate` and `hoga store`: what keeps everything, and its schema.
struct StoreCommand: Sendable {
    let access: StoreAccess

    /// `migrate up`: brings the schema up to date.
    func migrate() async throws(ProgramError) {
        let applied = try await StoreAccess.call {
            () async throws(StoreError) -> [StoreMigration] in
            switch access.place {
            case .nowhere: []
            case .file(let store): try await store.migrate()
            case .database(let shared): try await shared.schema.migrate()
            }
        }
        for migration in applied { try Console.line("applied \(migration.name)") }
        if applied.isEmpty { try Console.line("nothing to do: the schema is up to date") }
    }

    /// `migrate status`: every migration, how it stands and since when.
    func status() async throws(ProgramError) {
        let migrations = try await StoreAccess.call {
            () async throws(StoreError) -> [StoreMigration] in
            switch access.place {
            case .nowhere: []
            case .file(let store): try await store.migrations()
            case .database(let shared): try await shared.schema.migrations()
            }
        }
        try Self.write(migrations)
    }

    /// `migrate verify`: whether this program can live with the store.
    func verify() async throws(ProgramError) {
        let migrations = try await StoreAccess.call {
            () async throws(StoreError) -> [StoreMigration] in
            switch access.place {
            case .nowhere: []
            case .file(let store): try await store.verifyMigrations()
            case .database(let shared): try await shared.schema.verify()
            }
        }
        try Self.write(migrations)
    }

    /// `store path`: where the store is or will be; never a password.
    func path() throws(ProgramError) {
        switch access.place {
        case .nowhere: break
        case .file(let store): try Console.line(store.path)
        case .database(let shared): try Console.line("\(shared.address)")
        }
    }

    /// `store backup`: copies the store into a new file.
    func backup(to path: String) async throws(ProgramError) {
        switch access.place {
        case .nowhere: break
        case .file(let store):
            let bytes = try await StoreAccess.call { () async throws(StoreError) in
                try await store.backup(to: path)
            }
            try Console.line("\(path) \(bytes) bytes")
        case .database(let shared):
            throw ProgramError(
                .usage,
                "a database is copied with PostgreSQL's own program, as the owner's role: "
                    + "pg_dump --format=custom --file=\(path) '\(shared.address)'"
            )
        }
    }

    /// `store check`: looks through the whole store.
    ///
    /// - Throws: ``ProgramError`` `unavailable` after printing what was found, when something is
    ///   wrong.
    func check() async throws(ProgramError) {
        switch access.place {
        case .nowhere: break
        case .file(let store): try await check(store)
        case .database(let shared): try await DatabaseCheck(shared: shared).run()
        }
    }

    private func check(_ store: SQLiteStore) async throws(ProgramError) {
        let check = try await StoreAccess.call { () async throws(StoreError) in
            try await store.check()
        }
        try Console.line("\(check.path) \(check.size.total) bytes")
        try Self.write(check.migrations)
        for table in check.tables { try Console.line("table \(table.name) \(table.rows) rows") }
        for series in check.series { try Self.write(series) }
        for problem in check.problems { try Console.line("problem \(problem)") }
        guard check.isSound else {
            throw ProgramError(
                .unavailable,
                "\(check.path): \(check.problems.count) problems were found; "
                    + "go on with a backup if there is one"
            )
        }
        try Console.line("sound")
    }

    static func write(_ migrations: [StoreMigration]) throws(ProgramError) {
        for migration in migrations {
            let word =
                switch migration.state {
                case .applied: "applied"
                case .pending: "pending"
                case .altered: "altered"
                case .newer: "newer"
                }
            let at = migration.appliedAt.map { TimeText.iso(Timestamp(microseconds: $0)) } ?? "-"
            try Console.line("\(migration.name) \(word) \(at) sha256=\(migration.sha256)")
        }
    }

    private static func write(_ series: StoreCheck.Series) throws(ProgramError) {
        let name = series.series
        let (oldest, newest) = (iso(series.oldest), iso(series.newest))
        try Console.line(
            "candles \(name.feed) \(name.market) \(name.interval) \(series.candles) "
                + "\(oldest)..\(newest) gaps=\(series.gapCount)"
        )
        for gap in series.gaps {
            try Console.line("  gap \(iso(gap.from))..\(iso(gap.to))")
        }
    }

    private static func iso(_ microseconds: Int64) -> String {
        TimeText.iso(Timestamp(microseconds: microseconds))
    }
}
