import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "Missing privileges of hoga_app are named, and granted by the next migration",
    .enabled(if: TestDatabase.isAvailable)
)
struct PostgreSQLPrivilegeTests {
    @Test("the list of privileges equals the grants of all migrations")
    func list() async throws {
        try await MigratedDatabase.with { database in
            // hoga_app has rights on these schemas, tables, columns and functions, and no others.
            let granted = try await database.execute(
                """
                SELECT 'schema', nspname, privilege_type, ''
                FROM pg_namespace, aclexplode(nspacl)
                WHERE nspname = 'hoga' AND grantee = 'hoga_app'::regrole
                UNION
                SELECT 'table', relname, privilege_type, '' FROM pg_class, aclexplode(relacl)
                WHERE relnamespace = 'hoga'::regnamespace AND grantee = 'hoga_app'::regrole
                UNION
                SELECT 'table', relname, privilege_type, attname
                FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid, aclexplode(attacl)
                WHERE relnamespace = 'hoga'::regnamespace AND grantee = 'hoga_app'::regrole
                UNION
                SELECT 'function', proname, privilege_type, '' FROM pg_proc, aclexplode(proacl)
                WHERE pronamespace = 'hoga'::regnamespace AND grantee = 'hoga_app'::regrole
                """
            )
            let listed = PostgreSQLPrivileges.all.map { privilege in
                "\(privilege.kind.rawValue)|\(privilege.name)|\(privilege.right)|"
                    + (privilege.column ?? "")
            }
            #expect(Set(listed).count == listed.count)
            #expect(granted.split(separator: "\n").map(String.init).sorted() == listed.sorted())
        }
    }

    @Test("a database that was just migrated lacks nothing")
    func complete() async throws {
        try await MigratedDatabase.with { database in
            for url in [database.appURL, database.ownerURL] {
                _ = try await withPool(url) { pool in
                    try await PostgreSQLSchema(pool: pool).verify()
                }
            }
        }
    }

    @Test(
        "a revoked privilege is named to service and owner, and migrating grants it again",
        arguments: [
            ("INSERT ON hoga.candles", "INSERT on table hoga.candles"),
            ("UPDATE (holder) ON hoga.instance_lease", "UPDATE (holder) on table hoga.inst"),
            ("EXECUTE ON FUNCTION hoga.find_token(bytea)", "EXECUTE on function hoga.find_token"),
            ("USAGE ON SCHEMA hoga", "schema hoga"),
        ]
    )
    func revoked(words: String, named: String) async throws {
        try await MigratedDatabase.with { database in
            try await database.execute("REVOKE \(words) FROM hoga_app", as: "hoga_owner")
            for url in [database.appURL, database.ownerURL] {
                try await withPool(url) { pool in
                    let error = await failure { try await PostgreSQLSchema(pool: pool).verify() }
                    #expect(error?.detail.contains(named) == true, "\(error?.detail ?? "")")
                    #expect(error?.detail.contains("hoga migrate up") == true)
                }
            }
            try await withPool(database.ownerURL) { pool in
                let applied = try await PostgreSQLSchema(pool: pool).migrate()
                #expect(applied == [])
            }
            try await withPool(database.appURL) { pool in
                _ = try await PostgreSQLSchema(pool: pool).verify()
            }
        }
    }

    @Test("an owner who may not change large objects still grants functions")
    func functionsOnly() async throws {
        try await MigratedDatabase.with { database in
            // As docs/deployment.md has an administrator do.
            try await database.execute(
                """
                REVOKE EXECUTE ON FUNCTION lo_create(oid), lo_creat(integer),
                    lo_from_bytea(oid, bytea) FROM PUBLIC
                """
            )
            try await database.execute(
                "REVOKE EXECUTE ON FUNCTION hoga.find_token(bytea) FROM hoga_app",
                as: "hoga_owner"
            )
            _ = try await withPool(database.ownerURL) { pool in
                try await PostgreSQLSchema(pool: pool).migrate()
            }
            _ = try await withPool(database.appURL) { pool in
                try await PostgreSQLSchema(pool: pool).verify()
            }
        }
    }

    @Test("an owner that is a superuser takes large objects from the service by migrating")
    func largeObjects() async throws {
        try await MigratedDatabase.with { database in
            // A missing privilege makes the migration repair all of them.
            try await database.execute("REVOKE SELECT ON hoga.users FROM hoga_app")
            try await withPool(database.adminURL) { pool in
                _ = try await PostgreSQLSchema(pool: pool).migrate()
            }
            for call in ["lo_create(0)", "lo_creat(0)", "lo_from_bytea(0, 'x')"] {
                await #expect(throws: ChildProcess.Failure.self) {
                    try await database.execute("SELECT \(call)", as: "hoga_app_login")
                }
            }
        }
    }
}
