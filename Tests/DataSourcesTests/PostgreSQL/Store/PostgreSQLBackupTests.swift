import DataSourceContracts
import Foundation
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "A backup is a dump of the schema, checked by restoring it",
    // The database that a dump is restored into has one name for the whole server.
    .serialized,
    .enabled(if: TestDatabase.isAvailable)
)
struct PostgreSQLBackupTests {
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        try await body(folder.path)
    }

    private static func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private static func scratchCount(_ database: TestDatabase) async throws -> String {
        try await database.execute(
            "SELECT count(*) FROM pg_database WHERE datname = '\(PostgreSQLBackup.scratchName)'"
        )
    }

    @Test("extensions and large objects of others do not prevent a backup or its restore")
    func backup() async throws {
        try await Self.withFolder { folder in
            try await SharedStand.with(users: ["anna", "boram"]) { stand async throws in
                let database = stand.database
                for user in 1...2 as ClosedRange<Int64> {
                    _ = try await stand.store.write(.putCash("7"), user: user, at: 1)
                }
                let series = CandleSeriesDTO(feed: "live", market: "BTC_KRW", interval: "1m")
                let rows = [StoredCandlesDTO.Row(allOf: "1")]
                try await stand.leading().saveCandles(.init(series: series, rows: rows, spans: []))
                try await database.execute("CREATE EXTENSION pg_stat_statements")
                try await database.execute("SELECT lo_create(0)", as: "hoga_app_login")
                let path = folder + "/hoga.dump"
                let summary = try await PostgreSQLBackup(pool: stand.owner).write(to: path)
                #expect(try Self.files(folder) == ["hoga.dump"])
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.size] as? Int64 == summary.byteCount)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                #expect(try await Self.scratchCount(database) == "0")
                // Two users, their cash and journal, a candle and a lease at least.
                #expect(summary.rowCount >= 8)
                #expect(summary.tableCount > 20)
                // Another database with the roles of the documentation.
                try await TestDatabase.with { restored in
                    try ChildProcess.run([
                        TestDatabase.programsFolder + "/pg_restore", "--exit-on-error",
                        "--single-transaction", "--dbname=\(restored.ownerURL)", path,
                    ])
                    let users = try await restored.execute("SELECT count(*) FROM hoga.users")
                    #expect(users == "2")
                    try await withPool(restored.appURL) { pool in
                        _ = try await PostgreSQLSchema(pool: pool).verify()
                        let store = PostgreSQLStore(pool: pool, slowness: 30)
                        #expect(try await store.record(of: 2).cash == "7")
                        #expect(try await store.candles(of: series, newest: 9).rows == rows)
                    }
                }
            }
        }
    }

    @Test("an existing file stays as it is")
    func existing() async throws {
        try await Self.withFolder { folder in
            try await MigratedDatabase.with { database in
                let path = folder + "/hoga.dump"
                try Data("mine".utf8).write(to: URL(filePath: path))
                try await withPool(database.ownerURL) { pool in
                    let error = await failure {
                        try await PostgreSQLBackup(pool: pool).write(to: path)
                    }
                    #expect(error?.code == .unavailable)
                    #expect(error?.detail.contains("choose another path") == true)
                }
                #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
                #expect(try Self.files(folder) == ["hoga.dump"])
            }
        }
    }

    @Test(
        "a role without the rights is told which, and nothing is written",
        arguments: [
            ("hoga_app_login", "owner of the tables"), ("hoga_limited", "CREATEDB"),
        ]
    )
    func roles(role: String, remedy: String) async throws {
        try await Self.withFolder { folder in
            try await MigratedDatabase.with { database in
                try await database.execute(
                    """
                    DO $$ BEGIN
                        IF to_regrole('hoga_limited') IS NULL THEN
                            CREATE ROLE hoga_limited LOGIN IN ROLE hoga_owner;
                        END IF;
                    END $$
                    """
                )
                try await withPool(database.url(as: role)) { pool in
                    let error = await failure {
                        try await PostgreSQLBackup(pool: pool).write(to: folder + "/hoga.dump")
                    }
                    #expect(error?.code == .unavailable)
                    #expect(error?.detail.contains(remedy) == true, "\(error?.detail ?? "")")
                }
                #expect(try Self.files(folder) == [])
            }
        }
    }

    @Test("a dump that cannot be restored is no backup, and leaves no database behind")
    func notRestorable() async throws {
        try await Self.withFolder { folder in
            try await MigratedDatabase.with { database in
                // A table of the schema that uses a type of another schema.
                try await database.execute(
                    """
                    CREATE TYPE public.mood AS ENUM ('well');
                    CREATE TABLE hoga.other (mood public.mood);
                    ALTER TABLE hoga.other OWNER TO hoga_owner
                    """
                )
                try await withPool(database.ownerURL) { pool in
                    let error = await failure {
                        try await PostgreSQLBackup(pool: pool).write(to: folder + "/hoga.dump")
                    }
                    #expect(error?.code == .unavailable)
                    #expect(error?.detail.contains("pg_restore") == true)
                }
                #expect(try Self.files(folder) == [])
                #expect(try await Self.scratchCount(database) == "0")
            }
        }
    }

    @Test("the check's database is dropped after a session that the owner may not end has ended")
    func dropBesideAnother() async throws {
        try await MigratedDatabase.with { database in
            try await withPool(database.ownerURL) { pool in
                let scratch = PostgreSQLBackup.scratchName
                let limit = Duration.seconds(60)
                try await pool.execute(
                    outsideTransaction: "CREATE DATABASE \(scratch) TEMPLATE template0",
                    within: limit
                )
                // As an autovacuum worker is, this session is none of the owner's. The server ends
                // it after two seconds; a drop waits for it for five.
                let url = database.adminURL.replacing(database.name, with: scratch)
                let (refusal, error) = try await withPool(url) { other in
                    let ending = PostgreSQLStatement(
                        "SELECT set_config('idle_session_timeout', '2s', false)"
                    )
                    _ = try await other.perform([ending], as: .reading)
                    return (
                        await failure {
                            try await pool.execute(
                                outsideTransaction: "DROP DATABASE \(scratch) WITH (FORCE)",
                                within: limit
                            )
                        },
                        await failure { try await PostgreSQLBackup(pool: pool).dropScratch() }
                    )
                }
                let left = try await Self.scratchCount(database)
                // Else no other backup of this server could be checked.
                try await database.execute("DROP DATABASE IF EXISTS \(scratch) WITH (FORCE)")
                #expect(refusal?.detail.contains("42501") == true, "\(refusal?.detail ?? "")")
                #expect(error == nil)
                #expect(left == "0")
            }
        }
    }

    @Test("client programs get the address in variables, never a password in an argument")
    func variables() throws {
        let address = try PostgreSQLAddress(
            "postgresql://hoga_owner:s3cret@db.example:6432/hoga?sslmode=verify-full"
        )
        let variables = address.variables(database: "other")
        #expect(
            variables == [
                "PGHOST": "db.example", "PGPORT": "6432", "PGUSER": "hoga_owner",
                "PGPASSWORD": "s3cret", "PGDATABASE": "other", "PGSSLMODE": "verify-full",
                "PGCLIENTENCODING": "UTF8",
            ]
        )
        let hosts = try PostgreSQLAddress("postgresql://o@a.example,b.example/hoga")
        #expect(hosts.variables()["PGHOST"] == "a.example,b.example")
        #expect(hosts.variables()["PGTARGETSESSIONATTRS"] == "read-write")
    }
}
